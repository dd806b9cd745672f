import { fetchIdOf } from '#src/local/uploads/adapters/background-fetch.ts'
import { partHeaders, untyped } from '#src/local/uploads/adapters/put-answer.ts'
import type { BrowserSender } from '#src/local/uploads/hand-over/port.ts'
import { iconOfPage, openPageFetches } from './page-fetches.ts'

/** Background Fetch for uploads; null where there is none. */
export function createBackgroundSender(): BrowserSender | null {
  const fetches = openPageFetches()
  if (fetches === null) return null
  return {
    send: async (uploadId, parts) => {
      const requests = parts.map(
        ({ url, body, ...bound }) =>
          new Request(url, { method: 'PUT', body: untyped(body), headers: partHeaders(bound) }),
      )
      const background = await fetches.manager()
      if (background === null) return false
      return background
        .fetch(fetchIdOf(uploadId), requests, { title: TITLE, icons: [iconOfPage()] })
        .then(
          () => true,
          () => false,
        )
    },
    sending: async (uploadId) => {
      const registration = await fetches.running(fetchIdOf(uploadId))
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
