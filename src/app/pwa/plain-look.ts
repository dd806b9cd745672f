import type { Store } from 'jotai'
import { outsideLook } from '#src/config/outside-look.ts'
import { plainTitleAtom } from '#src/ui/document-title-atoms.ts'

/** Where the head of the page names what is seen from outside. */
const LINKS = [
  ['link[rel="manifest"]', 'manifest'],
  ['link[rel="icon"][type="image/svg+xml"]', 'icon'],
  ['link[rel="icon"][sizes="32x32"]', 'favicon'],
  ['link[rel="apple-touch-icon"]', 'touchIcon'],
] as const satisfies readonly (readonly [string, keyof ReturnType<typeof outsideLook>])[]

/**
 * Gives the page the name and icons that its user chose for this device ([Note: plain look] in
 * `workers/service/plain-shell.ts`).
 */
export function showLook(store: Store, { head }: Document, isPlain: boolean): void {
  const look = outsideLook(isPlain)
  store.set(plainTitleAtom, isPlain ? look.name : null)
  for (const [selector, part] of LINKS)
    head.querySelector(selector)?.setAttribute('href', look[part])
  // The name that iOS proposes for the home screen.
  const name = head.querySelector<HTMLMetaElement>('meta[name="apple-mobile-web-app-title"]')
  if (name !== null) name.content = look.name
}

/**
 * Takes over the name that the service worker wrote into the page, until the device says which one
 * it has, and where it does not answer.
 */
export function takeLook(store: Store, { title }: Pick<Document, 'title'>): void {
  const { name } = outsideLook(true)
  if (title === name) store.set(plainTitleAtom, name)
}

/**
 * Covers the page while it is not in sight, so that the list of open apps shows nothing of it; on
 * touch screens also while it has no focus, because phones take that picture before they say that
 * the page is hidden. No web page can be sure to be in time.
 * @returns ends it
 */
export function coverWhenAway({ document, matchMedia }: Window): () => void {
  const isTouched = matchMedia('(pointer: coarse)').matches
  const cover = () => {
    const isAway = document.visibilityState === 'hidden' || (isTouched && !document.hasFocus())
    document.documentElement.toggleAttribute(COVERED, isAway)
  }
  const events = [
    [document, 'visibilitychange'],
    [window, 'blur'],
    [window, 'focus'],
    [window, 'pagehide'],
    [window, 'pageshow'],
  ] as const
  for (const [target, type] of events) target.addEventListener(type, cover)
  return () => {
    for (const [target, type] of events) target.removeEventListener(type, cover)
    document.documentElement.removeAttribute(COVERED)
  }
}

/** Its rule is in `base.css`. */
const COVERED = 'data-covered'
