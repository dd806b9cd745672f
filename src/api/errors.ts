/**
 * Why a call gave nothing, as cloneable data. Codes are stable; words live with the screens and in
 * `apiFailureMessage`.
 */
export type ApiFailure =
  /** The server refused, in its own coded JSON. */
  | {
      readonly code: 'api/http'
      readonly status: number
      readonly serverCode: string
      readonly serverMessage: string | null
      readonly fields: Readonly<Record<string, string>> | null
      readonly retryAfterMs: number | null
    }
  /**
   * An answer that does not count as the server's: of a proxy, a balancer or a captive portal, or a
   * 401 that the server did not confirm when it was asked again. Says nothing of the session or of
   * what was asked for, and passes with time. The status is 0 for a redirect, which browsers hide.
   */
  | { readonly code: 'api/foreign'; readonly status: number; readonly looksLikePortal: boolean }
  /**
   * The browser says there is no network and the call failed. Trying again helps once there is one.
   */
  | { readonly code: 'api/offline' }
  /** No answer although there seems to be a network. May help to try again. */
  | { readonly code: 'api/no-response' }
  /**
   * No answer within 15 s (reads) or 30 s (writes). A write may have happened: repeat only with its
   * idempotency key.
   */
  | { readonly code: 'api/timeout' }
  /** The caller stopped it; not an error to show. */
  | { readonly code: 'api/aborted' }
  /** The call could not be made, or its answer could not be read. Does not pass on its own. */
  | { readonly code: 'api/unexpected' }

/** The specification's sentences, plus those of docs/product-decisions.md#call-time-limits. */
export const API_MESSAGES = {
  portal: 'This network wants you to sign in first.',
  requestFailed: 'Request failed',
  noResponse: 'No response received from the server',
  sendingFailed: 'Error occurred while sending the request',
  offline: 'You are offline. Please try again when you are connected.',
  timeout: 'The server took too long to respond. Please try again.',
} as const

/**
 * Exactly one sentence for any failure: the server's own, else 'Request failed' for an answer, else
 * 'No response received from the server', else 'Error occurred while sending the request'. A
 * captive portal has a sentence of its own.
 */
export function apiFailureMessage(failure: ApiFailure): string {
  switch (failure.code) {
    case 'api/http':
      return failure.serverMessage ?? API_MESSAGES.requestFailed
    case 'api/foreign':
      return failure.looksLikePortal ? API_MESSAGES.portal : API_MESSAGES.requestFailed
    case 'api/offline':
      return API_MESSAGES.offline
    case 'api/timeout':
      return API_MESSAGES.timeout
    case 'api/no-response':
      return API_MESSAGES.noResponse
    case 'api/aborted':
    case 'api/unexpected':
      return API_MESSAGES.sendingFailed
  }
}

/** What is between this device and the server when a call does not reach it. */
export type Outage = 'no-answer' | 'foreign-answer' | 'portal'

/**
 * What kept a call from the server; null for the server's own answers, for stops and for bugs. An
 * outage says nothing of what was asked for and ends by itself.
 */
export function outageOf(failure: ApiFailure): Outage | null {
  switch (failure.code) {
    case 'api/offline':
    case 'api/no-response':
    case 'api/timeout':
      return 'no-answer'
    case 'api/foreign':
      return failure.looksLikePortal ? 'portal' : 'foreign-answer'
    case 'api/http':
    case 'api/aborted':
    case 'api/unexpected':
      return null
  }
}

/** Whether the same idempotent request can succeed later on its own. */
export function isTransient(failure: ApiFailure): boolean {
  return failure.code === 'api/http'
    ? isTransientStatus(failure.status) || failure.serverCode === 'request/in-progress'
    : outageOf(failure) !== null
}

/**
 * 501 is "not built": it does not pass on its own. 507 is a full disk: waiting may help, retrying
 * at once does not.
 */
function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 507)
}

/** For how long the server refuses a call that came too often; null for all other failures. */
export function refusedForMs(failure: ApiFailure): number | null {
  return failure.code === 'api/http' && failure.serverCode === 'request/too-many'
    ? failure.retryAfterMs
    : null
}

/**
 * Whether what was asked for may have happened although it failed. A call that came too often was
 * refused before anything was done.
 */
export function mayHaveHappened(failure: ApiFailure): boolean {
  return isTransient(failure) && codeOf(failure) !== 'request/too-many'
}

/** The status when the server itself answered, else null. */
export function statusOf(failure: ApiFailure): number | null {
  return failure.code === 'api/http' ? failure.status : null
}

/** The server's stable code (`orders/not-found`), else ours (`api/timeout`). */
export function codeOf(failure: ApiFailure): string {
  return failure.code === 'api/http' ? failure.serverCode : failure.code
}

/**
 * `area/what-happened`, as every error code of the calls. The two codes in S3's words belong to
 * part URLs, which this client does not call; other programs give such codes too.
 */
const OWN_CODE = /^[a-z][a-z0-9-]*\/[a-z0-9-]+$/

/**
 * Reads an error answer: the server's refusal where the body is its coded JSON
 * (`{ error: { code, message } }`), else `api/foreign`. Never a throw.
 */
export function httpFailure(
  status: number,
  body: unknown,
  retryAfterMs: number | null,
): ApiFailure {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {}
  const { code, message } = error
  if (typeof code !== 'string' || !OWN_CODE.test(code) || typeof message !== 'string')
    // 511 is a captive portal's own status (RFC 6585 section 6).
    return { code: 'api/foreign', status, looksLikePortal: status === 511 }
  return {
    code: 'api/http',
    status,
    serverCode: code,
    serverMessage: message.trim() === '' ? null : message,
    fields: textFields(error['fields']),
    retryAfterMs,
  }
}

function textFields(fields: unknown): Readonly<Record<string, string>> | null {
  if (!isRecord(fields)) return null
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
