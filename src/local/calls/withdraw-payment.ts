import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { IDEMPOTENCY_HEADER } from '#src/config/paths.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import { payments, type Payment } from '#src/local/nouns/payments.ts'
import { ok, type Result } from '#src/lib/result.ts'

/**
 * Gives the unused tokens of a payment back and stores the payment as it is then. Needs the
 * network. A payment is withdrawn once, so repeating is harmless, also after a reload. 409
 * `payments/not-withdrawable` when it is too late or no token is left.
 */
export async function withdrawPayment(
  { api, db, clock, ids }: CallDeps,
  paymentId: string,
): Promise<Result<Payment, ApiFailure>> {
  const params = { path: { id: paymentId }, header: { [IDEMPOTENCY_HEADER]: ids.uuid() } }
  const answer = await send(api.POST('/v1/payments/{id}/withdraw', { params }))
  if (!answer.ok) return answer
  const { payment } = answer.value
  await db.transaction('rw', db.payments, () =>
    putUnlessNewer(db.payments, [payments.toRow(payment, clock.now())]),
  )
  return ok(payment)
}
