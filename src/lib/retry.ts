import { backoffMs, type BackoffShape } from './backoff.ts'
import type { Result } from './result.ts'
import type { Clock } from './time.ts'

export interface RetryDeps {
  readonly clock: Clock
  /** 0 <= value < 1 */
  readonly random: () => number
}

/** How often and when; `verdict` says whether trying the same thing again can help. */
export interface RetryPolicy<E> {
  readonly retries: number
  readonly backoff: BackoffShape
  readonly verdict: (
    error: E,
  ) => { readonly retry: false } | { readonly retry: true; readonly retryAfterMs: number | null }
}

/**
 * Runs an idempotent piece of work again while its failure may pass, with full jitter and the
 * server's Retry-After. Only for work that may safely happen twice. Rejects when the signal aborts
 * during a wait.
 */
export async function withRetry<T, E>(
  deps: RetryDeps,
  policy: RetryPolicy<E>,
  work: (attempt: number) => Promise<Result<T, E>>,
  signal?: AbortSignal,
): Promise<Result<T, E>> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await work(attempt)
    if (outcome.ok || attempt > policy.retries) return outcome
    const verdict = policy.verdict(outcome.error)
    if (!verdict.retry) return outcome
    await deps.clock.sleep(
      backoffMs(policy.backoff, attempt, deps.random(), verdict.retryAfterMs),
      signal,
    )
  }
}
