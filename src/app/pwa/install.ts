import type { Store } from 'jotai'
import { installAtom, type InstallWay } from './pwa-atoms.ts'

/**
 * Chromium's event; not in the standard library's types (a proposal of the WICG manifest
 * incubations).
 */
interface InstallEvent extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

export interface InstallCommands {
  /** Shows the browser's question. The menu entry goes away either way: an offer counts once. */
  readonly install: () => Promise<void>
}

/**
 * Keeps the browser's offer, so that the app asks only when a person chooses to install, and keeps
 * `installAtom` true. Page only.
 */
export function createInstall(store: Store, target: Window): InstallCommands {
  const withoutOffer: InstallWay = isIos(target.navigator) ? 'share-menu' : 'none'
  let offer: InstallEvent | null = null
  store.set(
    installAtom,
    target.matchMedia('(display-mode: standalone)').matches ? 'none' : withoutOffer,
  )
  target.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    if (!isInstallEvent(event)) return
    offer = event
    store.set(installAtom, 'prompt')
  })
  target.addEventListener('appinstalled', () => {
    offer = null
    store.set(installAtom, 'none')
  })
  return {
    install: async () => {
      const asked = offer
      offer = null
      await asked?.prompt()
      if (offer === null && store.get(installAtom) === 'prompt')
        store.set(installAtom, withoutOffer)
    },
  }
}

function isInstallEvent(event: Event): event is InstallEvent {
  return 'prompt' in event && typeof event.prompt === 'function'
}

/** iPads say they are Macs; only touch tells them apart. */
function isIos(navigator: Navigator): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
  )
}
