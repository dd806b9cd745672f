import { because, type WaitCause } from '#src/local/uploads/model/problems.ts'
import { isFullStatus, isGatewayStatus } from '#src/local/uploads/model/statuses.ts'
import type { PutOutcome } from '#src/local/uploads/ports.ts'

/** What the engine does with a part after an answer. */
export type PutDecision =
  | { readonly kind: 'stored'; readonly eTag: string }
  /** The server holds this much of the part. */
  | { readonly kind: 'held'; readonly heldBytes: number }
  /** The storage may have the part, and the answer does not say so: ask the API. */
  | { readonly kind: 'look-up' }
  /** Try again later. `losesSlot`: the server is overloaded, so fewer parts at once. */
  | { readonly kind: 'wait'; readonly cause: WaitCause; readonly losesSlot: boolean }
  /** Read one byte of the slice: if that works, the file is fine and the network failed. */
  | { readonly kind: 'check-file' }
  | { readonly kind: 'fresh-url' }
  /** The upload may be over: ask the API for its state. If it is open, try again later. */
  | { readonly kind: 'ask-api'; readonly cause: WaitCause }
  /** The body may be too large for something in between: send smaller pieces. */
  | { readonly kind: 'smaller'; readonly cause: WaitCause }
  /** Send at once again, in another way. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'hash-again' }
  /** The digest failed several times in a row: check that the file is still the chosen one. */
  | { readonly kind: 'verify-file' }

export interface PutHistory {
  /** This URL was issued for this very attempt, after a refusal. */
  readonly isUrlFresh: boolean
  readonly digestFailures: number
}

/** Digest mismatches of one part before the engine checks the file itself. */
const MAX_DIGEST_FAILURES = 3

const DIGEST_CODES: ReadonlySet<string> = new Set([
  'BadDigest',
  'InvalidDigest',
  'XAmzContentSHA256Mismatch',
  'XAmzContentChecksumMismatch',
  'parts/damaged',
])
const TIMEOUT_CODES: ReadonlySet<string> = new Set(['RequestTimeout', 'parts/idle'])
const STARTING_CODE = 'system/starting'
/** How storages say that their disk, or what they may take, is full; with various statuses. */
const FULL_CODES: ReadonlySet<string> = new Set([
  'uploads/no-space',
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
])

/**
 * Maps what happened to a part to the next step. Pure. No answer ends an upload: the storage's own
 * refusals are checked with the API, and everything else comes from a machine in between and
 * passes.
 */
export function decidePut(outcome: PutOutcome, history: PutHistory): PutDecision {
  if (outcome.kind === 'silence')
    return outcome.didStall ? wait(because('network')) : { kind: 'check-file' }
  const { status } = outcome
  if (isFull(outcome)) return wait(because('no-space', outcome.retryAfterMs))
  if (status === 413) return { kind: 'smaller', cause: refusal(outcome) }
  if (status === 403 && !history.isUrlFresh) return { kind: 'fresh-url' }
  if (!outcome.isOwn) return onForeign(outcome)
  if (status >= 200 && status < 300) return onSuccess(outcome)
  if (status === 409 && outcome.heldBytes !== null)
    return { kind: 'held', heldBytes: outcome.heldBytes }
  if (status === 400) return onBadRequest(outcome, history)
  if (status === 429 || status >= 500) return onOverload(outcome)
  return { kind: 'ask-api', cause: refusal(outcome) }
}

/** Whether the answer says that the storage has no room, also where a proxy hides who says it. */
export function isFull({ status, errorCode }: Pick<Answer, 'status' | 'errorCode'>): boolean {
  return isFullStatus(status) || FULL_CODES.has(errorCode ?? '')
}

type Answer = Extract<PutOutcome, { kind: 'answer' }>

function onSuccess({ eTag, heldBytes, errorCode }: Answer): PutDecision {
  // S3 may start with 200 and fail later; the body then carries an error document.
  if (errorCode !== null) return wait(because('server'))
  if (eTag !== null && eTag !== '') return { kind: 'stored', eTag }
  return heldBytes === null ? { kind: 'look-up' } : { kind: 'held', heldBytes }
}

/** A proxy, a balancer or a captive portal answered. */
function onForeign(answer: Answer): PutDecision {
  const { status } = answer
  // A storage elsewhere may hide its ETag from the page; the API knows.
  if (status >= 200 && status < 300) return { kind: 'look-up' }
  if (isGatewayStatus(status)) return wait(because('network'))
  return status === 429 || status === 408 || status >= 500
    ? { ...wait(because('server', answer.retryAfterMs)), losesSlot: true }
    : wait(refusal(answer))
}

function onBadRequest(answer: Answer, history: PutHistory): PutDecision {
  const code = answer.errorCode ?? ''
  if (TIMEOUT_CODES.has(code)) return wait(because('network'))
  if (!DIGEST_CODES.has(code)) return { kind: 'ask-api', cause: refusal(answer) }
  return history.digestFailures + 1 >= MAX_DIGEST_FAILURES
    ? { kind: 'verify-file' }
    : { kind: 'hash-again' }
}

function onOverload({ errorCode, retryAfterMs }: Answer): PutDecision {
  if (errorCode === STARTING_CODE || TIMEOUT_CODES.has(errorCode ?? ''))
    return wait(because('network'))
  return { ...wait(because('server', retryAfterMs)), losesSlot: true }
}

function refusal({ errorCode, status, retryAfterMs }: Answer): WaitCause {
  return { reason: 'refused', code: errorCode ?? `http/${status}`, retryAfterMs }
}

function wait(cause: WaitCause): Extract<PutDecision, { kind: 'wait' }> {
  return { kind: 'wait', cause, losesSlot: false }
}
