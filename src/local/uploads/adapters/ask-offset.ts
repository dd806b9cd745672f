import { partDropped, putAnswer } from './put-answer.ts'
import { idleLimitMs } from '#src/local/uploads/network/watchdog.ts'
import type { PartRequest, PutOutcome } from '#src/local/uploads/ports.ts'
import { isAbort } from '#src/lib/abort.ts'

/**
 * Asks by HEAD how much of a part the server holds, for every transport: fetch is enough where no
 * body is sent. A new connection has the limit of connecting.
 */
export async function askOffset(
  { url, sha256, pace, signal }: Pick<PartRequest, 'url' | 'sha256' | 'pace' | 'signal'>,
  deps: {
    readonly origin: string
    readonly nowEpochMs: () => number
    readonly fetch: typeof fetch
  },
): Promise<PutOutcome> {
  if (signal.aborted) throw partDropped()
  const stall = new AbortController()
  const timer = setTimeout(() => stall.abort(), idleLimitMs('connecting', 0, pace))
  const target = new URL(url, deps.origin).href
  try {
    const response = await deps.fetch(target, {
      method: 'HEAD',
      cache: 'no-store',
      headers: { 'x-amz-checksum-sha256': sha256 },
      signal: AbortSignal.any([signal, stall.signal]),
    })
    return putAnswer(
      {
        status: response.status,
        header: (name) => response.headers.get(name),
        body: '',
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
