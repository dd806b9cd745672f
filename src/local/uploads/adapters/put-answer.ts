import { readErrorCode } from './error-body.ts'
import { retryAfterToMs } from '#src/lib/backoff.ts'
import type { PutOutcome } from '#src/local/uploads/transfer/answers.ts'

/** What a transport saw of the answer to a part PUT. */
export interface SeenAnswer {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly body: string
  /** Where the answer came from after redirects; empty when unknown. */
  readonly finalUrl: string
}

/**
 * Reads an answer the same way for every transport. An HTML page or a redirect does not come from
 * the storage but, for example, from a captive portal.
 */
export function putAnswer(seen: SeenAnswer, url: string, nowEpochMs: number): PutOutcome {
  const contentType = seen.header('Content-Type') ?? ''
  const eTag = seen.header('ETag')
  return {
    kind: 'answer',
    status: seen.status,
    eTag: eTag === null ? null : eTag.replaceAll('"', ''),
    retryAfterMs: retryAfterToMs(seen.header('Retry-After'), nowEpochMs),
    errorCode: readErrorCode(seen.body),
    isFromStore:
      !contentType.includes('text/html') && (seen.finalUrl === '' || seen.finalUrl === url),
  }
}

/** What every transport rejects with after an abort, whatever the reason of the signal. */
export function partDropped(): DOMException {
  return new DOMException('the part was dropped', 'AbortError')
}
