import { Workbox } from 'workbox-window'
import { syncOf } from './sync-registrations.ts'
import { LIBRARY_SYNC_TAG } from '#src/config/paths.ts'
import { HOUR_MS } from '#src/lib/time.ts'

/** Events about the app's own versions. */
export interface ServiceWorkerEvents {
  /**
   * The files of this version are on the device for the first time: from now on the app starts
   * without a network.
   */
  readonly onReadyOffline: () => void
  /** A new version is installed beside the active one and waits for consent. */
  readonly onWaiting: () => void
  /**
   * Another version controls this page now, accepted here or in another tab. Not called at the very
   * first visit.
   */
  readonly onReplaced: () => void
}

export interface ServiceWorkerBridge {
  /** Lets the waiting version take over; `onReplaced` follows. */
  readonly accept: () => void
  /** Asks the server for a newer version; does nothing without a network. */
  readonly check: () => Promise<void>
}

/**
 * Registers the service worker of a production build. Null where there is none (insecure origin,
 * private mode of some browsers).
 * @param mayInstall what the first install waits for: it takes as much of the processor as the
 * start of the page does
 */
export async function startServiceWorker(
  url: string,
  events: ServiceWorkerEvents,
  mayInstall: Promise<void>,
): Promise<ServiceWorkerBridge | null> {
  if (!('serviceWorker' in navigator)) return null
  const workbox = new Workbox(url, { scope: '/' })
  let hadController = navigator.serviceWorker.controller !== null
  workbox.addEventListener('installed', (event) => {
    if (event.isUpdate !== true && !hadController) events.onReadyOffline()
  })
  // Firefox may need long to activate the first version ever, which then seems to wait as an update
  // does: a page that opens meanwhile would offer a new version where there is but one.
  workbox.addEventListener('waiting', () => {
    void isUpdateWaiting().then((isWaiting) => {
      if (isWaiting) events.onWaiting()
    })
  })
  // Our own listener, because workbox's `controlling` misses updates in the page load of the first
  // install (workbox-window 7.4 fixes `isUpdate` at registration).
  // Without a controller there is no newer version either: the browser removed the service worker
  // with the other data of the site.
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    const hasController = navigator.serviceWorker.controller !== null
    if (hadController && hasController) events.onReplaced()
    hadController = hasController
  })
  // Later visits learn of a new version at once: it is taken while nothing is touched yet.
  if (!hadController) await mayInstall
  try {
    const registration = await workbox.register()
    void askForFreshLibrary()
    return {
      accept: () => workbox.messageSkipWaiting(),
      check: async () => {
        await registration?.update().catch(() => undefined)
      },
    }
  } catch {
    // The browser's settings block it or the download failed: the app works without it.
    return null
  }
}

/** At most; browsers wake the service worker less often where the app is little used. */
const LIBRARY_EVERY_MS = 12 * HOUR_MS

/**
 * Asks the browser to bring the newest edits while the app is closed. It refuses where the app is
 * not installed; nothing depends on it.
 */
async function askForFreshLibrary(): Promise<void> {
  const sync = syncOf(await navigator.serviceWorker.ready, 'periodicSync')
  const options = { minInterval: LIBRARY_EVERY_MS }
  await sync?.register(LIBRARY_SYNC_TAG, options).catch(() => undefined)
}

async function isUpdateWaiting(): Promise<boolean> {
  // Not the controller: a page that was loaded past the service worker has none, beside an update.
  const registration = await navigator.serviceWorker.getRegistration()
  return registration?.waiting != null && registration.active !== null
}

/**
 * Whether a service worker answers the requests of this page: not of one that was loaded past it.
 */
export function isServiceWorkerHere(): boolean {
  return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null
}

/**
 * Resolves once a service worker answers the requests of this page and its workers; at the very
 * first visit that is some seconds after the page. Never where there is none.
 */
export async function serviceWorkerControls(): Promise<void> {
  if (!('serviceWorker' in navigator)) return new Promise(() => undefined)
  const { serviceWorker } = navigator
  if (serviceWorker.controller !== null) return
  await new Promise((resolve) => {
    serviceWorker.addEventListener('controllerchange', resolve, { once: true })
  })
}
