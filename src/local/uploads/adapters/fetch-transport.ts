import { askOffset } from './ask-offset.ts'
import { ERROR_BODY_MAX_BYTES } from './error-body.ts'
import { pieceHeaders, untyped } from './put-answer.ts'
import { sendByFetch, type FetchDeps } from './send-by-fetch.ts'
import type { PartRequest, PartTransport, PutOutcome } from '#src/local/uploads/ports.ts'
import { wholeBodyLimitMs } from '#src/local/uploads/network/watchdog.ts'
import { readTextAtMost } from '#src/lib/read-at-most.ts'

/**
 * Part PUTs by fetch, for service workers, which have no XMLHttpRequest. fetch reports no upload
 * progress, so progress comes in whole parts and one limit covers the whole attempt.
 */
export function createFetchTransport(deps: FetchDeps): PartTransport {
  return {
    reportsProgress: false,
    put: (request) => put(request, deps),
    offset: (request) => askOffset(request, deps),
    isForeign: (url) => new URL(url, deps.origin).origin !== deps.origin,
  }
}

async function put(request: PartRequest, deps: FetchDeps): Promise<PutOutcome> {
  const { url, signal, body, pace, onSent } = request
  return await sendByFetch(
    { url, signal, limitMs: wholeBodyLimitMs(body.size, pace) },
    { ...pieceHeaders(request), body: untyped(body) },
    async (response) => {
      const text = await readTextAtMost(response, ERROR_BODY_MAX_BYTES)
      onSent(body.size)
      return text ?? ''
    },
    deps,
  )
}
