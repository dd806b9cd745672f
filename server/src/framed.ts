/** What documents in frames of the app share, from whatever folder they come. */

/** Where a document is shown. */
export interface FramePlace {
  /** The origin of the page around it, which alone hears it; null: the document's own. */
  readonly appOrigin: string | null
  /** Where its forms go; null: to its own address. */
  readonly formAction: string | null
}

/** A document; `policy` is its Content-Security-Policy without `frame-ancestors`. */
export interface FramePage {
  readonly html: string
  readonly policy: readonly string[]
}

/** In a script of a document: the origin that it posts to, its own as usual. */
export const APP_ORIGIN_SCRIPT = 'document.body.dataset.app ?? location.origin'

/** The attribute of the body that names the origin of the page around a document. */
export function appAttribute({ appOrigin }: Pick<FramePlace, 'appOrigin'>): string {
  return appOrigin === null ? '' : ` data-app="${appOrigin}"`
}
