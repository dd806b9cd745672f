import Stripe from 'stripe'
import type { Log } from '#server/log.ts'
import { notFound, Problem, type ProblemCode } from '#server/problems.ts'

/** The version of Stripe's API that this adapter is written for; its fields move between them. */
export const API_VERSION = '2026-10-28.endive'

/** Another address and other time limits than Stripe's own, for tests. */
export type Transport = Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol' | 'timeout'>

/**
 * A client for one account. Three tries of 8 s stay below the 30 s after which the app gives a
 * write up; every try of a write carries the same idempotency key.
 */
export function createStripeClient(secretKey: string, transport: Transport = {}): Stripe {
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: 2,
    timeout: 8_000,
    telemetry: false,
    ...transport,
  })
}

/** Runs one call of an adapter; what Stripe refuses becomes a `Problem`, by `problemOf`. */
export type Ask = <Answer>(call: () => Promise<Answer>, unknown?: NotFoundCode) => Promise<Answer>

type NotFoundCode = Extract<
  ProblemCode,
  'payments/not-found' | 'payments/session-not-found' | 'subscriptions/not-found'
>

/** Makes the calls of an adapter speak of `Problem`s. */
export function createAsk(log: Log): Ask {
  return async (call, unknown) => {
    try {
      return await call()
    } catch (error) {
      throw problemOf(error, unknown ?? null, log)
    }
  }
}

/** True when Stripe refused what was asked for, so that asking the same again is refused again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

function problemOf(error: unknown, unknown: NotFoundCode | null, log: Log): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  if (unknown !== null && error.code === 'resource_missing') return notFound(unknown)
  if (isRefusal(error)) return error
  // 409: the first call with this key still runs.
  if (error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode !== 409)
    return new Problem(
      'request/idempotency-conflict',
      'This key was already used for another payment. Start again with a new key.',
    )
  const { type, code, statusCode, requestId } = error
  // A key that Stripe refuses is for the operator to mend; the person can only wait.
  log.warn('stripe/away', { type, code, statusCode, requestId })
  return new Problem(
    'payments/provider-away',
    'The payment provider cannot be reached. Please try again in a moment.',
    { retryAfterS: 5 },
  )
}
