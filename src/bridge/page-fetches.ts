import { OUTSIDE_LOOKS } from '#src/config/outside-look.ts'
import { backgroundFetchOf, type BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'

type Manager = NonNullable<ReturnType<typeof backgroundFetchOf>>

/** The browser's Background Fetch as pages use it. */
export interface PageFetches {
  /** Null while no service worker is there to be told of an end. */
  manager(): Promise<Manager | null>
  /** One that has not ended. */
  running(id: string): Promise<BackgroundFetchRegistration | null>
}

/** Null where the browser has none. Development has no service worker. */
export function openPageFetches(): PageFetches | null {
  if (!('BackgroundFetchManager' in globalThis) || !('serviceWorker' in navigator)) return null
  // Not `ready`, which waits for a first install.
  const manager = async (): Promise<Manager | null> => {
    const registration = await navigator.serviceWorker.getRegistration()
    return registration?.active == null ? null : backgroundFetchOf(registration)
  }
  return {
    manager,
    running: async (id) => {
      const registration = await (await manager())?.get(id)
      return registration?.result === '' ? registration : null
    },
  }
}

/** The icon that the page has now, usual or plain, for the notices of the system. */
export function iconOfPage() {
  const link = document.querySelector<HTMLLinkElement>('link[rel="apple-touch-icon"]')
  return { src: link?.href ?? OUTSIDE_LOOKS.usual.touchIcon, sizes: '180x180', type: 'image/png' }
}
