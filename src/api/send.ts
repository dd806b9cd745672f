import { httpFailure, isTransient, outageOf, type ApiFailure } from './errors.ts'
import { ForeignAnswer } from './foreign-answer.ts'
import { GENERIC_RETRIES } from '#spec/numbers.ts'
import { isAbort, isTimeout } from '#src/lib/abort.ts'
import { retryAfterToMs } from '#src/lib/backoff.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { withRetry, type RetryDeps, type RetryPolicy } from '#src/lib/retry.ts'

/** What a call of the client resolves with. */
export interface Answer<T> {
  readonly data?: T | undefined
  readonly error?: unknown
  readonly response: Response
}
export interface Answered<T> {
  readonly data: T
  readonly status: number
}

/**
 * Awaits one call of the client and gives its data, or why there is none. Never rejects: an abort
 * by the caller is `api/aborted`, to be dropped silently.
 */
export async function send<T>(call: Promise<Answer<T>>): Promise<Result<T, ApiFailure>> {
  const answered = await sendWithStatus(call)
  return answered.ok ? ok(answered.value.data) : answered
}

/** As `send`, for calls where 200 and 202 mean different things. */
export async function sendWithStatus<T>(
  call: Promise<Answer<T>>,
): Promise<Result<Answered<T>, ApiFailure>> {
  try {
    const { data, error, response } = await call
    if (!response.ok)
      return err(
        httpFailure(
          response.status,
          error,
          retryAfterToMs(response.headers.get('Retry-After'), Date.now()),
        ),
      )
    // 204 has no data and its type says so.
    return ok({ data: data as T, status: response.status })
  } catch (thrown) {
    return err(thrownToFailure(thrown))
  }
}

/** A screen waits no longer than this for a try by itself: what is said is that it was refused. */
const LONGEST_QUIET_WAIT_MS = 10_000

/**
 * The generic retry helper: up to 3 more tries after network errors, foreign answers, 429 and 5xx,
 * unless the server asks to wait long.
 * Only for reads and for writes that carry an `Idempotency-Key`. Does not retry while the browser
 * says offline or a captive portal answers: the next pull or drain does.
 */
export async function sendRetrying<T>(
  deps: RetryDeps,
  call: () => Promise<Result<T, ApiFailure>>,
  signal?: AbortSignal,
): Promise<Result<T, ApiFailure>> {
  try {
    return await withRetry(deps, RETRY_POLICY, call, signal)
  } catch (thrown) {
    return err(thrownToFailure(thrown))
  }
}

const RETRY_POLICY: RetryPolicy<ApiFailure> = {
  retries: GENERIC_RETRIES,
  // A screen is right again within 2 s of the end of an outage.
  backoff: { firstDelayMs: 1000, maxDelayMs: 2000 },
  verdict: (failure) => {
    const retryAfterMs = failure.code === 'api/http' ? failure.retryAfterMs : null
    return isTransient(failure) &&
      failure.code !== 'api/offline' &&
      outageOf(failure) !== 'portal' &&
      (retryAfterMs ?? 0) <= LONGEST_QUIET_WAIT_MS
      ? { retry: true, retryAfterMs }
      : { retry: false }
  },
}

/**
 * What a rejected call means. `fetch` rejects with a TypeError for every kind of network trouble.
 */
export function thrownToFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ForeignAnswer) return thrown.failure
  if (isTimeout(thrown)) return { code: 'api/timeout' }
  if (isAbort(thrown)) return { code: 'api/aborted' }
  if (thrown instanceof TypeError) return { code: isOffline() ? 'api/offline' : 'api/no-response' }
  return { code: 'api/unexpected' }
}

/**
 * Only asked after a failure: `onLine` lies both ways, so it never stops a call from being tried.
 */
function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false
}
