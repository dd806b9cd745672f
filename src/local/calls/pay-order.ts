import type { ApiClient } from '#src/api/client.ts'
import { codeOf, isTransient, type ApiFailure } from '#src/api/errors.ts'
import { send, sendRetrying } from '#src/api/send.ts'
import { IDEMPOTENCY_HEADER } from '#src/config/paths.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import type { PaymentIntentRow } from '#src/local/db/rows.ts'
import { orderToRow } from '#src/local/db/to-rows.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'

export interface PayDeps {
  readonly api: ApiClient
  readonly db: AccountDb
  readonly clock: Clock
  readonly random: () => number
}

/**
 * What the creator agreed to. `coinAmount` = min(remaining, spendable) of the chosen wallet, at
 * least 1.
 */
export interface WalletPayment {
  readonly orderId: string
  readonly walletId: string
  readonly remainingPayableCoinAmount: number
  readonly coinAmount: number
}
export type PayFailure =
  | ApiFailure
  /**
   * Another payment of this order was sent and not answered; it is settled first (`settlePayment`).
   */
  | { readonly code: 'payment/unsettled'; readonly intent: PaymentIntentRow }

/**
 * Pays an order, or a part of it, with tokens. The intent and its key are saved on this device
 * before anything is sent and stay until the server answered, so that a press, a reload or a crash
 * spends once. Never optimistic: rows change by the server's answer only. After an outage
 * (`outageOf`) it is not known whether it was paid: call `settlePayment`.
 */
export async function payOrder(
  deps: PayDeps,
  payment: WalletPayment,
  signal?: AbortSignal,
): Promise<Result<null, PayFailure>> {
  const { db } = deps
  const intent = await db.transaction('rw', db.paymentIntents, async () => {
    const open = await db.paymentIntents.get(payment.orderId)
    if (open !== undefined) return open
    const made = newIntent(payment, deps.clock.now())
    await db.paymentIntents.add(made)
    return made
  })
  if (!isSamePayment(intent, payment)) return err({ code: 'payment/unsettled', intent })
  return sendPayment(deps, intent, signal)
}

/**
 * Sends a payment that was not answered again, under its key: pays it, or learns that it was paid,
 * or that its order has changed since, which spends nothing. Ok when there is none.
 */
export async function settlePayment(
  deps: PayDeps,
  orderId: string,
  signal?: AbortSignal,
): Promise<Result<null, ApiFailure>> {
  const intent = await deps.db.paymentIntents.get(orderId)
  return intent === undefined ? ok(null) : sendPayment(deps, intent, signal)
}

async function sendPayment(
  deps: PayDeps,
  intent: PaymentIntentRow,
  signal: AbortSignal | undefined,
): Promise<Result<null, ApiFailure>> {
  const { db } = deps
  const { orderId, walletId, coinAmount, remainingPayableCoinAmount, idempotencyKey } = intent
  const answer = await sendRetrying(
    deps,
    () =>
      send(
        deps.api.POST('/v1/payments/orders/{orderId}/wallet-coin-transactions', {
          params: { path: { orderId }, header: { [IDEMPOTENCY_HEADER]: idempotencyKey } },
          body: {
            walletCoinTransaction: { walletId, coinAmount, remainingPayableCoinAmount },
            idempotencyKey,
          },
          ...(signal === undefined ? {} : { signal }),
        }),
      ),
    signal,
  )
  if (!answer.ok) {
    // A refusal is an answer: nothing was spent, and a later payment is a new intent.
    if (isRefusal(answer.error)) await db.paymentIntents.delete(orderId)
    return answer
  }
  const answeredAtEpochMs = deps.clock.now()
  await db.transaction('rw', db.orders, db.wallets, db.paymentIntents, async () => {
    await putUnlessNewer(db.orders, [orderToRow(answer.value.order, answeredAtEpochMs)])
    await putUnlessNewer(db.wallets, [wallets.toRow(answer.value.wallet, answeredAtEpochMs)])
    await db.paymentIntents.delete(orderId)
  })
  return ok(null)
}

/**
 * Nothing was paid. Only the server's own answer says so: a proxy's 403 leaves open whether the
 * payment was made.
 */
export function isRefusal(failure: ApiFailure): boolean {
  return (
    failure.code === 'api/http' &&
    !isTransient(failure) &&
    failure.status !== 401 &&
    codeOf(failure) !== 'auth/xsrf'
  )
}

function isSamePayment(intent: PaymentIntentRow, payment: WalletPayment): boolean {
  return intent.walletId === payment.walletId && intent.coinAmount === payment.coinAmount
}

/**
 * The key is built as specified from order, wallet, remaining and amount, and also carries the
 * attempt: after a refund the same four can occur again and then mean another payment. The attempt
 * is the time it was made.
 */
function newIntent(payment: WalletPayment, attempt: number): PaymentIntentRow {
  const { orderId, walletId, remainingPayableCoinAmount, coinAmount } = payment
  return {
    orderId,
    walletId,
    coinAmount,
    remainingPayableCoinAmount,
    attempt,
    idempotencyKey: `${orderId}:${walletId}:${remainingPayableCoinAmount}:${coinAmount}:${attempt}`,
    createdAtEpochMs: attempt,
  }
}
