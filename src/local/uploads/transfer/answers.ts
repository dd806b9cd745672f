import type { UploadFailureCode } from '#src/local/db/rows.ts'

/**
 * What a transport saw of one part PUT. An abort is no outcome: the transport throws `AbortError`.
 */
export type PutOutcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** Without quotes; null when absent or hidden by CORS. */
      readonly eTag: string | null
      readonly retryAfterMs: number | null
      /** `Code` of an S3 error document or `error.code` of ours; null when the body has none. */
      readonly errorCode: string | null
      /** False for HTML or a redirect: a captive portal answered, not the storage. */
      readonly isFromStore: boolean
    }
  /** Status 0, which hides every reason, or the end of an attempt by its watchdog. */
  | { readonly kind: 'silence'; readonly didStall: boolean; readonly movedBytes: number }

/** What the engine does with the part next. */
export type PutDecision =
  | { readonly kind: 'safe'; readonly eTag: string }
  /** Stored, but the ETag is unreadable: the server's part list has it. */
  | { readonly kind: 'look-up' }
  | {
      readonly kind: 'back-off'
      readonly reason: 'network' | 'server'
      readonly losesSlot: boolean
      readonly retryAfterMs: number | null
    }
  /** Read one byte of the slice: if that works, the file is fine and the network failed. */
  | { readonly kind: 'check-file' }
  | { readonly kind: 'fresh-url' }
  /** The upload may be over: ask the API for its state. */
  | { readonly kind: 'ask-api'; readonly ifStillOpen: 'fail' | 'expire' | 'back-off' }
  | { readonly kind: 'hash-again' }
  /** The digest failed several times in a row: check that the file is still the chosen one. */
  | { readonly kind: 'verify-file' }
  | { readonly kind: 'fail'; readonly code: UploadFailureCode }

export interface PutHistory {
  /** This URL was issued for this very attempt, after a refusal. */
  readonly isUrlFresh: boolean
  readonly digestFailures: number
  readonly refusals: number
}

/** Digest mismatches of one part before the engine checks the file itself. */
const MAX_DIGEST_FAILURES = 3
/** Refusals (400 without a known reason) of one part before the upload fails. */
const MAX_REFUSALS = 5
/**
 * 404 answers in a row for one part, on fresh URLs while the API has the upload, before it counts
 * as gone.
 */
export const MAX_MISSING = 3

const DIGEST_CODES: ReadonlySet<string> = new Set([
  'BadDigest',
  'InvalidDigest',
  'XAmzContentSHA256Mismatch',
  'XAmzContentChecksumMismatch',
  'parts/bad-digest',
])
const TIMEOUT_CODES: ReadonlySet<string> = new Set(['RequestTimeout', 'parts/timeout'])

/**
 * Maps what happened to a part PUT to the next step. Pure; the table is in docs/upload-engine.md.
 */
export function decidePut(outcome: PutOutcome, history: PutHistory): PutDecision {
  if (outcome.kind === 'silence')
    return outcome.didStall ? backOff('network') : { kind: 'check-file' }
  if (!outcome.isFromStore) return backOff('network')
  const { status, errorCode } = outcome
  if (status >= 200 && status < 300) return onSuccess(outcome.eTag, errorCode)
  switch (status) {
    case 400:
      return onBadRequest(errorCode, history)
    case 401:
      return { kind: 'ask-api', ifStillOpen: 'fail' }
    case 403:
      return history.isUrlFresh ? { kind: 'ask-api', ifStillOpen: 'fail' } : { kind: 'fresh-url' }
    // A proxy may also answer 404. Only a storage that repeats it while the API still has the
    // upload has lost the upload.
    case 404:
      return {
        kind: 'ask-api',
        ifStillOpen: history.refusals + 1 >= MAX_MISSING ? 'expire' : 'back-off',
      }
    case 413:
      return { kind: 'fail', code: 'upload/too-large' }
    case 507:
      return { kind: 'fail', code: 'upload/no-space' }
    case 405:
    case 411:
    case 501:
      return { kind: 'fail', code: 'upload/server-misconfigured' }
    case 429:
    case 503:
      return { ...backOff('server'), losesSlot: true, retryAfterMs: outcome.retryAfterMs }
    default:
      return { ...backOff('server'), retryAfterMs: outcome.retryAfterMs }
  }
}

function onSuccess(eTag: string | null, errorCode: string | null): PutDecision {
  // S3 may start with 200 and fail later; the body then carries an error document.
  if (errorCode !== null) return backOff('server')
  return eTag === null || eTag === '' ? { kind: 'look-up' } : { kind: 'safe', eTag }
}

function onBadRequest(errorCode: string | null, history: PutHistory): PutDecision {
  if (errorCode !== null && TIMEOUT_CODES.has(errorCode)) return backOff('network')
  if (errorCode !== null && DIGEST_CODES.has(errorCode))
    return history.digestFailures + 1 >= MAX_DIGEST_FAILURES
      ? { kind: 'verify-file' }
      : { kind: 'hash-again' }
  return history.refusals + 1 >= MAX_REFUSALS
    ? { kind: 'fail', code: 'upload/refused' }
    : { kind: 'ask-api', ifStillOpen: 'back-off' }
}

function backOff(reason: 'network' | 'server'): Extract<PutDecision, { kind: 'back-off' }> {
  return { kind: 'back-off', reason, losesSlot: false, retryAfterMs: null }
}
