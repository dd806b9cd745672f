/**
 * Chromium's event; not in the standard library's types (a proposal of the WICG manifest
 * incubations).
 */
export interface InstallEvent extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

/**
 * How this browser installs the app. `prompt`: it offered, and asks when told to. `share-menu`:
 * iOS, by hand. `none`: installed already, or not possible here.
 */
export type InstallWay = 'prompt' | 'share-menu' | 'none'

export interface InstallStore {
  readonly way: () => InstallWay
  readonly subscribe: (listener: () => void) => () => void
  /** Shows the browser's question; the entry goes when the answer is yes. */
  readonly install: () => Promise<void>
}

/**
 * Keeps the browser's offer, so that the app asks when somebody wants it and never by itself. Page
 * only.
 */
export function createInstallStore(target: Window): InstallStore {
  let offer: InstallEvent | null = null
  let isInstalled = target.matchMedia('(display-mode: standalone)').matches
  const listeners = new Set<() => void>()
  const publish = () => {
    for (const listener of listeners) listener()
  }
  target.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    if (isInstallEvent(event)) offer = event
    publish()
  })
  target.addEventListener('appinstalled', () => {
    offer = null
    isInstalled = true
    publish()
  })
  return {
    way: () =>
      isInstalled
        ? 'none'
        : offer !== null
          ? 'prompt'
          : isIos(target.navigator)
            ? 'share-menu'
            : 'none',
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    install: async () => {
      const asked = offer
      // An offer counts once.
      offer = null
      await asked?.prompt()
      publish()
    },
  }
}

function isInstallEvent(event: Event): event is InstallEvent {
  return 'prompt' in event && typeof event.prompt === 'function'
}

/** iPads say they are Macs; only touch tells. */
function isIos(navigator: Navigator): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
  )
}
