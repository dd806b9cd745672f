import type { PayPlace } from '#server/payments/port.ts'

/** In a script of a document in a frame: the origin that it posts to, its own as usual. */
export const APP_ORIGIN_SCRIPT = 'document.body.dataset.app ?? location.origin'

/** The attribute of the body that names the origin of the page around a document. */
export function appAttribute({ appOrigin }: Pick<PayPlace, 'appOrigin'>): string {
  return appOrigin === null ? '' : ` data-app="${appOrigin}"`
}
