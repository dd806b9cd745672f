import { OUTSIDE_LOOKS } from '#src/config/outside-look.ts'
import { backgroundFetchOf, type BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'
import { fetchIdOf } from '#src/local/uploads/adapters/background-fetch.ts'
import { partHeaders, untyped } from '#src/local/uploads/adapters/put-answer.ts'
import type { BrowserSender } from '#src/local/uploads/hand-over/port.ts'

/**
 * The browser's Background Fetch as pages use it for uploads; null where there is none. Development
 * has no service worker.
 */
export function createBackgroundSender(): BrowserSender | null {
  if (!('BackgroundFetchManager' in globalThis) || !('serviceWorker' in navigator)) return null
  const manager = async () => backgroundFetchOf(await navigator.serviceWorker.ready)
  const running = async (uploadId: string): Promise<BackgroundFetchRegistration | null> => {
    const registration = await (await manager())?.get(fetchIdOf(uploadId))
    return registration?.result === '' ? registration : null
  }
  return {
    send: async (uploadId, parts) => {
      const requests = parts.map(
        ({ url, body, ...bound }) =>
          new Request(url, { method: 'PUT', body: untyped(body), headers: partHeaders(bound) }),
      )
      const background = await manager()
      if (background === null) return false
      return background
        .fetch(fetchIdOf(uploadId), requests, { title: TITLE, icons: [iconOfPage()] })
        .then(
          () => true,
          () => false,
        )
    },
    sending: async (uploadId) => {
      const registration = await running(uploadId)
      return registration === null
        ? null
        : {
            sentBytes: registration.uploaded,
            forget: async () => void (await registration.abort()),
          }
    },
  }
}

/** In a notice of the system while the browser sends: it names no video, as messages do. */
const TITLE = 'Sending a file'

/** The icon that the page has now, usual or plain. */
export function iconOfPage() {
  const link = document.querySelector<HTMLLinkElement>('link[rel="apple-touch-icon"]')
  return { src: link?.href ?? OUTSIDE_LOOKS.usual.touchIcon, sizes: '180x180', type: 'image/png' }
}
