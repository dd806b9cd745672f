import { askOffset } from './ask-offset.ts'
import { ERROR_BODY_MAX_BYTES } from './error-body.ts'
import { partDropped, pieceHeaders, putAnswer, untyped } from './put-answer.ts'
import type { PartRequest, PartTransport, PutOutcome } from '#src/local/uploads/ports.ts'
import { wholeBodyLimitMs } from '#src/local/uploads/network/watchdog.ts'
import { isAbort } from '#src/lib/abort.ts'
import { readTextAtMost } from '#src/lib/read-at-most.ts'

/**
 * Part PUTs by fetch, for service workers, which have no XMLHttpRequest. fetch reports no upload
 * progress, so progress comes in whole parts and one limit covers the whole attempt.
 */
export function createFetchTransport(deps: {
  readonly origin: string
  readonly nowEpochMs: () => number
  readonly fetch: typeof fetch
}): PartTransport {
  return {
    reportsProgress: false,
    put: (request) => put(request, deps),
    offset: (request) => askOffset(request, deps),
    isForeign: (url) => new URL(url, deps.origin).origin !== deps.origin,
  }
}

async function put(
  request: PartRequest,
  deps: Parameters<typeof createFetchTransport>[0],
): Promise<PutOutcome> {
  const { signal, body } = request
  if (signal.aborted) throw partDropped()
  const stall = new AbortController()
  const timer = setTimeout(() => stall.abort(), wholeBodyLimitMs(body.size, request.pace))
  const url = new URL(request.url, deps.origin).href
  try {
    const response = await deps.fetch(url, {
      ...pieceHeaders(request),
      body: untyped(body),
      signal: AbortSignal.any([signal, stall.signal]),
    })
    const text = await readTextAtMost(response, ERROR_BODY_MAX_BYTES)
    request.onSent(body.size)
    return putAnswer(
      {
        status: response.status,
        header: (name) => response.headers.get(name),
        body: text ?? '',
        finalUrl: response.url,
      },
      url,
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
