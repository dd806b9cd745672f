import { isAbort } from '#src/lib/abort.ts'
import type { PartRequest, PutOutcome } from '#src/local/uploads/ports.ts'
import { partDropped, putAnswer } from './put-answer.ts'

export interface FetchDeps {
  readonly origin: string
  readonly nowEpochMs: () => number
  readonly fetch: typeof fetch
}

/**
 * Sends one request of a part, and says what came of it; throws `partDropped` where the part is
 * given up.
 * @param limitMs of the whole request: fetch tells of no progress
 * @param bodyOf reads the body of the answer, as far as it is needed
 */
export async function sendByFetch(
  { url, signal, limitMs }: Pick<PartRequest, 'url' | 'signal'> & { readonly limitMs: number },
  init: RequestInit,
  bodyOf: (response: Response) => Promise<string> | string,
  deps: FetchDeps,
): Promise<PutOutcome> {
  if (signal.aborted) throw partDropped()
  const stall = new AbortController()
  const timer = setTimeout(() => stall.abort(), limitMs)
  const target = new URL(url, deps.origin).href
  try {
    const response = await deps.fetch(target, {
      ...init,
      signal: AbortSignal.any([signal, stall.signal]),
    })
    return putAnswer(
      {
        status: response.status,
        header: (name) => response.headers.get(name),
        body: await bodyOf(response),
        finalUrl: response.url,
      },
      target,
      deps.nowEpochMs(),
    )
  } catch (thrown) {
    if (signal.aborted) throw partDropped()
    // fetch rejects with a TypeError for every kind of network trouble; anything else is a bug.
    if (!stall.signal.aborted && !(thrown instanceof TypeError) && !isAbort(thrown)) throw thrown
    return { kind: 'silence', didStall: stall.signal.aborted, movedBytes: 0 }
  } finally {
    clearTimeout(timer)
  }
}
