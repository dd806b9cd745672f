import { isLostConnection } from '#server/db/lost-connection.ts'
import type { Log } from '#server/log.ts'
import { refusalIn, unavailable, type Problem, type ProblemCode } from '#server/problems.ts'

/** How a code goes over the wire: its status and, where the code itself differs, its wire code. */
interface WireForm {
  readonly status: number
  readonly wireCode?: string
}

/** Every refusal of the server. The type checker demands a line for each code. */
const WIRE_FORMS: Readonly<Record<ProblemCode, WireForm>> = {
  'auth/account-locked': { status: 403 },
  'auth/code-invalid': { status: 422 },
  'auth/code-wrong': { status: 422 },
  'auth/other-user': { status: 401 },
  'auth/passkey-refused': { status: 422 },
  'auth/permission-missing': { status: 403 },
  'auth/redirect-not-allowed': { status: 400 },
  'auth/session-not-found': { status: 404 },
  'auth/signed-out': { status: 401 },
  'auth/xsrf': { status: 403 },
  'external-auths/away': { status: 503 },
  'external-auths/not-found': { status: 404 },
  'external-auths/permission-missing': { status: 422 },
  'external-auths/refresh-expired': { status: 422 },
  'external-auths/save-permission-missing': { status: 422 },
  'face-reviews/changed': { status: 409 },
  'face-reviews/file-not-found': { status: 404 },
  'face-reviews/finished': { status: 409 },
  'face-reviews/not-found': { status: 404 },
  'face-reviews/searching': { status: 409 },
  'human/not-verified': { status: 422 },
  'human/other-provider': { status: 404 },
  'media-assets/account-full': { status: 422 },
  'media-assets/file-not-found': { status: 404 },
  'media-assets/in-use': { status: 409 },
  'media-assets/not-found': { status: 404 },
  'media-assets/too-long': { status: 422 },
  'media-assets/too-many': { status: 422 },
  'media-assets/wrong-kind': { status: 422 },
  'media-job-tasks/already-retried': { status: 409 },
  'media-job-tasks/not-delivered': { status: 409 },
  'media-job-tasks/redo-late': { status: 409 },
  'media-job-tasks/redo-used': { status: 409 },
  'media-job-tasks/not-failed': { status: 409 },
  'media-job-tasks/not-found': { status: 404 },
  'media-jobs/not-found': { status: 404 },
  'media-jobs/thumbnail-not-found': { status: 404 },
  'music-tracks/not-found': { status: 404 },
  'orders/already-paid': { status: 409 },
  'orders/amount-too-high': { status: 422 },
  'orders/changed': { status: 409 },
  'orders/attestation-missing': { status: 422 },
  'orders/canceled': { status: 409 },
  'orders/metadata-pending': { status: 409 },
  'orders/not-found': { status: 404 },
  'orders/not-paid': { status: 409 },
  'orders/work-started': { status: 409 },
  'outputs/not-found': { status: 404 },
  // Clients of part URLs know the two conditions by their names in S3 (Amazon S3 API, "Error
  // responses", read 2026-11-22).
  'parts/busy': { status: 503 },
  'parts/damaged': { status: 400, wireCode: 'BadDigest' },
  'parts/idle': { status: 503 },
  'parts/length-required': { status: 411 },
  'parts/not-stored': { status: 503 },
  'parts/offset-differs': { status: 409 },
  'parts/signature-invalid': { status: 403 },
  'parts/superseded': { status: 503 },
  'parts/upload-ended': { status: 404, wireCode: 'NoSuchUpload' },
  'parts/wrong-size': { status: 400 },
  'edit-sets/not-found': { status: 404 },
  'edit-sets/too-many': { status: 422 },
  'passkeys/not-found': { status: 404 },
  'passkeys/too-many': { status: 422 },
  'push/not-allowed': { status: 422 },
  'payments/amount-out-of-range': { status: 422 },
  'payments/disputed': { status: 409 },
  'payments/insufficient-tokens': { status: 402 },
  'payments/no-portal': { status: 409 },
  'payments/not-found': { status: 404 },
  'payments/not-withdrawable': { status: 409 },
  'payments/off': { status: 409 },
  'payments/provider-away': { status: 503 },
  'payments/session-not-found': { status: 404 },
  'payments/signature-invalid': { status: 400 },
  'presets/doubled': { status: 422 },
  'presets/needs-sound': { status: 422 },
  'presets/unfit-options': { status: 422 },
  'presets/not-offered': { status: 422 },
  'referrals/already-redeemed': { status: 409 },
  'referrals/code-not-allowed': { status: 422 },
  'referrals/code-taken': { status: 409 },
  'referrals/age-not-confirmed': { status: 422 },
  'referrals/limit-reached': { status: 409 },
  'referrals/not-found': { status: 404 },
  'referrals/not-new': { status: 422 },
  'referrals/own-code': { status: 422 },
  'request/idempotency-conflict': { status: 409 },
  'request/in-progress': { status: 409 },
  'request/invalid': { status: 422 },
  'request/malformed-json': { status: 400 },
  'request/method-not-allowed': { status: 405 },
  'request/not-found': { status: 404 },
  'request/range-not-satisfiable': { status: 416 },
  'request/too-large': { status: 413 },
  'request/too-many': { status: 429 },
  'request/too-slow': { status: 408 },
  'request/unsupported-media-type': { status: 415 },
  'request/wrong-host': { status: 421 },
  'samples/not-found': { status: 404 },
  'subscriptions/already-active': { status: 409 },
  'subscriptions/not-cancelable': { status: 409 },
  'subscriptions/not-found': { status: 404 },
  'subscriptions/not-resumable': { status: 409 },
  'subscriptions/plan-not-offered': { status: 422 },
  'system/not-built': { status: 501 },
  'system/unavailable': { status: 503 },
  'uploads/aborted': { status: 409 },
  'uploads/account-full': { status: 422 },
  'uploads/excerpt-refused': { status: 409 },
  'uploads/failed': { status: 409 },
  'uploads/held': { status: 451 },
  'uploads/host-not-allowed': { status: 422 },
  'uploads/in-use': { status: 409 },
  'uploads/link-away': { status: 503 },
  'uploads/link-expired': { status: 422 },
  'uploads/link-refused': { status: 422 },
  'uploads/no-space': { status: 507 },
  'uploads/no-such-sound': { status: 422 },
  'uploads/not-complete': { status: 409 },
  'uploads/not-found': { status: 404 },
  'uploads/not-open': { status: 409 },
  'uploads/other-purpose': { status: 409 },
  'uploads/parts-missing': { status: 409 },
  'uploads/provider-not-offered': { status: 422 },
  'uploads/too-large': { status: 422 },
  'uploads/too-many-open': { status: 422 },
  'users/not-found': { status: 404 },
  'wallets/not-found': { status: 404 },
}

/** A refusal as it is sent: status, the contract's error body, and headers in lower case. */
interface WireProblem {
  readonly status: number
  readonly body: {
    readonly error: {
      readonly message: string
      readonly code: string
      readonly fields?: Readonly<Record<string, string>>
      readonly missingPartNumbers?: readonly number[]
    }
  }
  readonly headers: Readonly<Record<string, string>>
}

/** Longer than any message of ours; what people typed and a message repeats may have any length. */
const LONGEST_MESSAGE = 1_000

/** Turns a refusal into what the contract says about errors. */
export function problemToWire(problem: Problem): WireProblem {
  const { status, wireCode } = WIRE_FORMS[problem.code]
  const { fields, missingPartNumbers, retryAfterS } = problem
  return {
    status,
    body: {
      error: {
        message: shortened(problem.message),
        code: wireCode ?? problem.code,
        ...(fields === undefined ? {} : { fields }),
        ...(missingPartNumbers === undefined ? {} : { missingPartNumbers }),
      },
    },
    headers:
      retryAfterS === undefined
        ? {}
        : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) },
  }
}

function shortened(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message
  return `${message.slice(0, LONGEST_MESSAGE - 1).toWellFormed()}…`
}

/**
 * The answer to something thrown: a `Problem` as its code says, a connection that broke in the
 * middle of a call as one that could not be had, anything else a plain 500; these two are logged
 * with the request's id.
 */
export function problemAnswer(thrown: unknown, requestId: string, log: Log): Response {
  const isBroken = refusalIn(thrown) === null && isLostConnection(thrown)
  if (isBroken) log.warn('request/broken-off', { requestId, error: thrown })
  const refusal = isBroken ? unavailable() : refusalIn(thrown)
  if (refusal !== null) {
    const { status, body, headers } = problemToWire(refusal)
    return Response.json(body, { status, headers })
  }
  log.error('request/unexpected', thrown, { requestId })
  const message = `Something went wrong on our side. Please try again. (${requestId})`
  return Response.json({ error: { message, code: 'system/unexpected' } }, { status: 500 })
}
