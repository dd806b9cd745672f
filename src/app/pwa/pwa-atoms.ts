import { atom } from 'jotai'

/**
 * How this browser installs the app. `prompt`: the browser offered it and asks when the app calls
 * for it. `share-menu`: iOS, by hand. `none`: installed already, or not possible here.
 */
export type InstallWay = 'prompt' | 'share-menu' | 'none'

/** What the update bar shows. */
export type UpdateState =
  | { readonly kind: 'current' }
  | { readonly kind: 'waiting' }
  /** Put off by the person until the next start. */
  | { readonly kind: 'later' }
  /** The new version took over in another tab; this page still runs the old one. */
  | { readonly kind: 'replaced' }

/** How the app can be installed right now. Written by `createInstall` only. */
export const installAtom = atom<InstallWay>('none')

/** Whether a new version waits. Written by `createUpdate` only. */
export const updateAtom = atom<UpdateState>({ kind: 'current' })
