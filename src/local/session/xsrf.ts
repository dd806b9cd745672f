import { cookieValue } from './cookies.ts'
import { XSRF_COOKIE } from '#src/config/paths.ts'
import type { Channel } from '#src/local/channel/channel.ts'
import type { Ids } from '#src/lib/ids.ts'
import type { Clock } from '#src/lib/time.ts'

/** A page answers in well under this; without a page there is no answer. */
const ANSWER_WITHIN_MS = 3000

/**
 * The Cookie Store API as far as used; in windows and service workers of newer browsers, never in
 * dedicated workers.
 */
export interface CookieReader {
  get(name: string): Promise<{ readonly value?: string } | null>
}

/** The page's token: straight from its cookies at each write, since it changes at sign-in. */
export function xsrfFromCookies(readCookies: () => string): () => Promise<string | null> {
  return () => Promise.resolve(cookieValue(readCookies(), XSRF_COOKIE))
}

/** The service worker's token. */
export function xsrfFromCookieStore(reader: CookieReader): () => Promise<string | null> {
  return async () => (await reader.get(XSRF_COOKIE))?.value ?? null
}

/** Makes a page answer workers that ask for the token; returns the function that ends it. */
export function answerXsrf(channel: Channel, readToken: () => Promise<string | null>): () => void {
  return channel.on('xsrf-wanted', (message) => {
    void readToken().then((token) =>
      channel.send({ v: 1, type: 'xsrf-token', requestId: message.requestId, token }),
    )
  })
}

/**
 * The dedicated worker's token: asked of the pages over the channel at each write; null when none
 * answers within 3 s.
 */
export function xsrfFromChannel(deps: {
  readonly channel: Channel
  readonly ids: Ids
  readonly clock: Clock
}): () => Promise<string | null> {
  return async () => {
    const requestId = deps.ids.uuid()
    const timer = new AbortController()
    let stop = (): void => undefined
    const answer = new Promise<string | null>((resolve) => {
      stop = deps.channel.on('xsrf-token', (message) => {
        if (message.requestId === requestId) resolve(message.token)
      })
    })
    deps.channel.send({ v: 1, type: 'xsrf-wanted', requestId })
    const timeout = deps.clock.sleep(ANSWER_WITHIN_MS, timer.signal).then(
      () => null,
      () => null,
    )
    try {
      return await Promise.race([answer, timeout])
    } finally {
      timer.abort()
      stop()
    }
  }
}
