import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import { isTransient, statusOf, type ApiFailure } from '#src/api/errors.ts'
import { send, sendRetrying } from '#src/api/send.ts'
import { IDEMPOTENCY_HEADER } from '#src/config/paths.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { CheckoutRow } from '#src/local/db/rows.ts'
import type { Ids } from '#src/lib/ids.ts'
import { ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'

export type CheckoutSession = components['schemas']['StripeCheckoutSession']
/** What a checkout session sells. */
export type CheckoutKind = 'tokens' | 'subscription'

interface LookDeps {
  readonly api: ApiClient
  readonly db: AccountDb
}

interface BeginDeps extends LookDeps {
  readonly clock: Clock
  readonly ids: Ids
  /** 0 <= value < 1 */
  readonly random: () => number
}

/** Tokens to buy by card: 2,000 to 100,000, or 1 to 100,000 for an order. */
export interface TokenCheckout {
  readonly walletId: string
  readonly orderId: string | null
  readonly coinAmount: number
  /** Tokens of the wallet that pay the order too, when the card has paid; none of later use. */
  readonly walletCoinAmount?: number
}

const PATHS = {
  tokens: '/v1/payments/wallet-coin-transactions/stripe/checkout-sessions/{id}',
  subscription: '/v1/payments/wallet-subscriptions/stripe/checkout-sessions/{id}',
} as const

/**
 * One of the user's checkout sessions, asked for once. The server reads the provider before it
 * answers, and books what was paid. 404 `payments/session-not-found`.
 */
export async function readCheckout(
  { api }: Pick<LookDeps, 'api'>,
  kind: CheckoutKind,
  id: string,
  signal?: AbortSignal,
): Promise<Result<CheckoutSession, ApiFailure>> {
  const init = { params: { path: { id } }, ...(signal === undefined ? {} : { signal }) }
  const answer = await send(api.GET(PATHS[kind], init))
  return answer.ok ? ok(answer.value.stripeCheckoutSession) : answer
}

/** The same, and this device forgets a payment that has ended or that the server does not know. */
export async function lookAtCheckout(
  deps: LookDeps,
  kind: CheckoutKind,
  id: string,
  signal?: AbortSignal,
): Promise<Result<CheckoutSession, ApiFailure>> {
  const answer = await readCheckout(deps, kind, id, signal)
  const isOver = answer.ok ? isSettled(answer.value) : statusOf(answer.error) === 404
  if (isOver) await forget(deps.db, answer.ok ? answer.value._id : id)
  return answer
}

/** Nothing more will happen to it. */
export function isSettled({ status, payment }: CheckoutSession): boolean {
  return payment === 'paid' || isUnfinished({ status, payment })
}

/** It ended without money. */
function isUnfinished({ status, payment }: Pick<CheckoutSession, 'status' | 'payment'>): boolean {
  return payment === 'failed' || (status === 'expired' && payment === 'unpaid')
}

/**
 * Begins a card payment for tokens, or goes on with the one that this device began for the same
 * wallet, order and amount and whose end it has not seen: a reload, a second tab or a lost answer
 * begins none. Needs create:fundSourceWalletCoinTransactions. Fails with what the server refuses:
 * `payments/off`, `payments/amount-out-of-range`, `wallets/not-found`, `orders/not-found`,
 * `payments/provider-away`, `request/too-many`.
 */
export async function beginTokenCheckout(
  deps: BeginDeps,
  ask: TokenCheckout,
): Promise<Result<CheckoutSession, ApiFailure>> {
  const row = await intentOf(deps, ask)
  if (row.sessionId === null) return openSession(deps, row)
  const known = await lookAtCheckout(deps, 'tokens', row.sessionId)
  const isGone = known.ok ? isUnfinished(known.value) : statusOf(known.error) === 404
  return isGone ? openSession(deps, await intentOf(deps, ask)) : known
}

/** The intent of this purpose, as kept on this device or made now. */
function intentOf({ db, clock, ids }: BeginDeps, ask: TokenCheckout): Promise<CheckoutRow> {
  const { walletId, orderId, coinAmount, walletCoinAmount = 0 } = ask
  const key = `${walletId}:${orderId ?? ''}:${coinAmount}:${walletCoinAmount}`
  return db.transaction('rw', db.checkouts, async () => {
    const open = await db.checkouts.get(key)
    if (open !== undefined) return open
    const made: CheckoutRow = {
      key,
      walletId,
      orderId,
      coinAmount,
      walletCoinAmount,
      idempotencyKey: ids.uuid(),
      sessionId: null,
      createdAtEpochMs: clock.now(),
    }
    await db.checkouts.add(made)
    return made
  })
}

async function openSession(
  deps: BeginDeps,
  row: CheckoutRow,
): Promise<Result<CheckoutSession, ApiFailure>> {
  const { walletId, orderId, coinAmount, walletCoinAmount = 0, idempotencyKey } = row
  const answer = await sendRetrying(deps, () =>
    send(
      deps.api.POST('/v1/payments/wallet-coin-transactions/stripe/checkout-sessions', {
        params: { header: { [IDEMPOTENCY_HEADER]: idempotencyKey } },
        body: {
          walletId,
          orderId,
          // Servers from before this field take no body with it.
          stripeCheckoutSession: {
            coinAmount,
            ...(walletCoinAmount > 0 ? { walletCoinAmount } : {}),
          },
        },
      }),
    ),
  )
  if (!answer.ok) {
    // A refusal is an answer: nothing was begun, and a later payment is a new intent.
    if (answer.error.code === 'api/http' && !isTransient(answer.error))
      await deps.db.checkouts.delete(row.key)
    return answer
  }
  const session = answer.value.stripeCheckoutSession
  await deps.db.checkouts.update(row.key, { sessionId: session._id })
  return ok(session)
}

async function forget(db: AccountDb, sessionId: string): Promise<void> {
  await db.checkouts.filter((row) => row.sessionId === sessionId).delete()
}

const STANDARD_PLAN = 'standard'

/**
 * The open checkout session of the standard plan, begun where there is none. The server keeps one
 * for each person, so repeating is harmless, also after a reload. 409
 * `subscriptions/already-active`.
 */
export async function beginSubscription({
  api,
  ids,
}: {
  readonly api: ApiClient
  readonly ids: Ids
}): Promise<Result<CheckoutSession, ApiFailure>> {
  const answer = await send(
    api.POST('/v1/payments/wallet-subscriptions/stripe/checkout-sessions', {
      params: { header: { [IDEMPOTENCY_HEADER]: ids.uuid() } },
      body: { stripeCheckoutSession: { planSlug: STANDARD_PLAN } },
    }),
  )
  return answer.ok ? ok(answer.value.stripeCheckoutSession) : answer
}
