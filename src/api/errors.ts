/**
 * Why a call gave nothing, as cloneable data. Codes are stable; words live with the screens and in
 * `apiFailureMessage`.
 */
export type ApiFailure =
  /**
   * The server answered with an error status. `serverCode` may be null for answers that are not
   * ours (a proxy's page).
   */
  | {
      readonly code: 'api/http'
      readonly status: number
      readonly serverCode: string | null
      readonly serverMessage: string | null
      readonly fields: Readonly<Record<string, string>> | null
      readonly retryAfterMs: number | null
    }
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
  requestFailed: 'Request failed',
  noResponse: 'No response received from the server',
  sendingFailed: 'Error occurred while sending the request',
  offline: 'You are offline. Please try again when you are connected.',
  timeout: 'The server took too long to respond. Please try again.',
} as const

/**
 * Exactly one sentence for any failure: the server's own, else 'Request failed' for an answer, else
 * 'No response received from the server', else 'Error occurred while sending the request'.
 */
export function apiFailureMessage(failure: ApiFailure): string {
  switch (failure.code) {
    case 'api/http':
      return failure.serverMessage ?? API_MESSAGES.requestFailed
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

/** Whether the same idempotent request can succeed later on its own. */
export function isTransient(failure: ApiFailure): boolean {
  switch (failure.code) {
    case 'api/http':
      return isTransientStatus(failure.status) || failure.serverCode === 'request/in-progress'
    case 'api/offline':
    case 'api/no-response':
    case 'api/timeout':
      return true
    case 'api/aborted':
    case 'api/unexpected':
      return false
  }
}

/**
 * 501 is "not built": it does not pass on its own. 507 is a full disk: waiting may help, retrying
 * at once does not.
 */
function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 507)
}

/** The status when the server answered, else null. */
export function statusOf(failure: ApiFailure): number | null {
  return failure.code === 'api/http' ? failure.status : null
}

/** The server's stable code (`orders/not-found`), else ours (`api/timeout`). */
export function codeOf(failure: ApiFailure): string {
  return failure.code === 'api/http'
    ? (failure.serverCode ?? `http/${failure.status}`)
    : failure.code
}

/**
 * Reads an error answer; anything that is not the contract's shape gives null fields, never a
 * throw.
 */
export function httpFailure(
  status: number,
  body: unknown,
  retryAfterMs: number | null,
): ApiFailure {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : null
  const message = error?.['message']
  const code = error?.['code']
  return {
    code: 'api/http',
    status,
    serverCode: typeof code === 'string' ? code : null,
    serverMessage: typeof message === 'string' && message.trim() !== '' ? message : null,
    fields: error === null ? null : textFields(error['fields']),
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
