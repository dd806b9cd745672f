import { and, eq } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { CheckoutRow, SubscriptionRow } from '#server/db/rows.ts'
import { storedPaymentMethods, users, wallets, walletSubscriptions } from '#server/db/schema.ts'
import {
  monthPaidMail,
  paymentProblemMail,
  subscriptionCancelledMail,
  subscriptionEndedMail,
  subscriptionResumedMail,
  type MailTo,
} from '#server/mail/payment-mails.ts'
import { grant } from '#server/operations/core/ledger/book.ts'
import type { OutgoingMail } from '#server/mail/port.ts'
import { tellOfPaymentProblem } from '#server/operations/accounts/notices/payment-problem.ts'
import { settleReferral } from '#server/operations/commerce/referrals/reward.ts'
import { IS_BILLED, type InvoiceFacts, type SubscriptionFacts } from '#server/payments/port.ts'
import { usableUntil } from '#server/policies/permissions.ts'
import { grantsTokens, STANDARD_PLAN } from './amounts.ts'
import { hashCard } from './card-hash.ts'
import { lockCheckout } from '#server/operations/commerce/orders/lock-checkout.ts'
import { mailOwner } from './mail.ts'
import { storePaidThrough, TOKENS_OUTLIVE_MS } from './paid-through.ts'
import { storePayment } from './store-payment.ts'

/** Also finds what was changed at the provider and not told. */
const READ_AT_LEAST_EVERY_MS = 24 * 60 * 60 * 1000
const UNPAID_READ_AGAIN_MS = 10 * 60 * 1000

/**
 * Reads a subscription from the provider and books what came of it: each paid month once, until
 * when it is paid, and how it stands. Harmless to repeat. A subscription that is not ours, or has
 * not begun, is ignored.
 */
export async function settleSubscription(
  ctx: Ctx,
  { subscriptionId }: { readonly subscriptionId: string },
): Promise<void> {
  const readAt = ctx.clock()
  const facts = await ctx.payments.readSubscription(subscriptionId)
  await inTransaction(ctx, async (ctx) => {
    const checkout = await lockCheckout(ctx, { id: facts.reference })
    if (checkout === undefined) {
      ctx.log.warn('payments/subscription-not-ours', { subscriptionId })
      return
    }
    const row = await findOrStore(ctx, checkout, facts, readAt)
    if (row === undefined) return
    const months = facts.invoices.filter(grantsTokens)
    const card = facts.method?.card ?? null
    const cardHash = card === null ? null : hashCard(ctx, card)
    const paidAt = months.find((month) => month.paid !== null)?.paid?.paidAt ?? null
    await settleReferral(ctx, { ...row, paidAt, cardHash })
    for (const month of months) await bookMonth(ctx, checkout, row, month)
    const paidThrough = await storePaidThrough(ctx, row)
    // Bookings only ever add; how it stands is shown by the latest reading.
    const isLatest = row.readAt <= readAt
    if (!isLatest) return
    const standing = standingOf(facts, readAt)
    await storeMethod(ctx, checkout, facts, cardHash)
    await ctx.db.update(walletSubscriptions).set(standing).where(eq(walletSubscriptions.id, row.id))
    // A first month that never came needs no mail.
    if (months.length > 0 || row.paidThrough !== null)
      await mailChange(ctx, row, { ...row, paidThrough, ...standing })
  })
}

/** A mail for a change that its owner has to know of. */
async function mailChange(
  ctx: TxCtx,
  before: SubscriptionRow,
  after: SubscriptionRow,
): Promise<void> {
  const { id, status } = after
  if (status === before.status) return
  const paidThrough = after.paidThrough ?? after.periodEndsAt
  const until = usableUntil(after)
  const isUsable = until !== null && until > ctx.clock()
  const write: Record<SubscriptionRow['status'], ((to: MailTo) => OutgoingMail) | null> = {
    'payment-problem': (to) => paymentProblemMail(to, { id, usableUntil: isUsable ? until : null }),
    canceling: (to) =>
      subscriptionCancelledMail(to, { id, endsAt: after.cancelsAt ?? paidThrough }),
    // After a problem, the mail of the paid month says it.
    active:
      before.status === 'canceling'
        ? (to) => subscriptionResumedMail(to, { id, renewsAt: paidThrough })
        : null,
    expired: subscriptionEndedMail,
  }
  const written = write[status]
  if (written !== null) await mailOwner(ctx, after, written)
  if (status === 'payment-problem') await tellOfPaymentProblem(ctx, after)
}

/** Undefined of a subscription that has not begun: who was declined has not subscribed. */
async function findOrStore(
  ctx: TxCtx,
  checkout: CheckoutRow,
  facts: SubscriptionFacts,
  readAt: Date,
): Promise<SubscriptionRow | undefined> {
  if (facts.state !== 'not-begun') await store(ctx, checkout, facts, readAt)
  const [row] = await ctx.db
    .select()
    .from(walletSubscriptions)
    .where(eq(walletSubscriptions.providerSubscriptionId, facts.subscriptionId))
    .for('update')
  return row
}

async function store(
  ctx: TxCtx,
  { userId, walletId, planSlug }: CheckoutRow,
  facts: SubscriptionFacts,
  readAt: Date,
): Promise<void> {
  await ctx.db
    .insert(walletSubscriptions)
    .values({
      id: ctx.newId(),
      userId,
      walletId,
      planSlug: planSlug ?? STANDARD_PLAN.slug,
      provider: ctx.payments.name,
      providerSubscriptionId: facts.subscriptionId,
      topUpCoinAmount: STANDARD_PLAN.coins,
      createdAt: facts.startedAt,
      ...standingOf(facts, readAt),
    })
    .onConflictDoNothing({ target: walletSubscriptions.providerSubscriptionId })
}

async function bookMonth(
  ctx: TxCtx,
  checkout: CheckoutRow,
  { id, userId, walletId, topUpCoinAmount }: SubscriptionRow,
  { invoiceId, reason, periodEndsAt, paid }: InvoiceFacts,
): Promise<void> {
  const { id: walletTransactionId } = await grant(ctx, {
    walletId,
    kind: 'subscription-grant',
    subscriptionId: id,
    coinAmount: topUpCoinAmount,
    description: 'Monthly tokens',
    cause: `invoice:${invoiceId}`,
    expiresAt: new Date(periodEndsAt.getTime() + TOKENS_OUTLIVE_MS),
  })
  await ctx.db
    .update(wallets)
    .set({ kind: 'standard' })
    .where(and(eq(wallets.id, walletId), eq(wallets.kind, 'trial')))
  if (paid === null) return
  const payment = {
    ...paid,
    userId,
    checkoutSessionId: checkout.id,
    walletSubscriptionId: id,
    walletTransactionId,
    coinAmount: topUpCoinAmount,
  }
  const month = { isFirst: reason === 'first-month', renewsAt: periodEndsAt }
  await storePayment(ctx, payment, (to, words) => monthPaidMail(to, { ...words, ...month }))
}

async function storeMethod(
  ctx: TxCtx,
  { userId }: CheckoutRow,
  { method, state }: SubscriptionFacts,
  cardHash: string | null,
): Promise<void> {
  // What is billed is no longer kept of a deleted account, whose last month may still run.
  if (method === null || (await isDeleted(ctx, userId))) return
  const isActive = IS_BILLED[state]
  await ctx.db
    .insert(storedPaymentMethods)
    .values({
      id: ctx.newId(),
      userId,
      provider: ctx.payments.name,
      providerMethodId: method.methodId,
      isActive,
      cardHash,
      createdAt: method.storedAt,
    })
    .onConflictDoUpdate({
      target: storedPaymentMethods.providerMethodId,
      set: { isActive, cardHash },
    })
}

async function isDeleted(ctx: TxCtx, userId: string): Promise<boolean> {
  const owner = await ctx.db
    .select({ deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
  return onlyRow(owner).deletedAt !== null
}

type Standing = Pick<
  SubscriptionRow,
  'status' | 'periodEndsAt' | 'cancelsAt' | 'endedAt' | 'readAt' | 'readDueAt'
>

function standingOf(facts: SubscriptionFacts, readAt: Date): Standing {
  const { periodEndsAt, cancelsAt, endedAt } = facts
  const readDueAt = nextReading(facts, readAt)
  return { status: statusOf(facts), periodEndsAt, cancelsAt, endedAt, readAt, readDueAt }
}

/** Soon while a month is not paid, else at the end of the month, and at least once a day. */
function nextReading(
  { state, invoices, periodEndsAt }: SubscriptionFacts,
  readAt: Date,
): Date | null {
  if (!IS_BILLED[state]) return null
  const soon = readAt.getTime() + UNPAID_READ_AGAIN_MS
  if (invoices.at(-1)?.isPaid !== true) return new Date(soon)
  const daily = readAt.getTime() + READ_AT_LEAST_EVERY_MS
  return new Date(Math.max(soon, Math.min(daily, periodEndsAt.getTime())))
}

function statusOf({ state, cancelsAt }: SubscriptionFacts): SubscriptionRow['status'] {
  switch (state) {
    // A row of one that has not begun is older than this rule.
    case 'not-begun':
    case 'ended':
      return 'expired'
    case 'past-due':
      return 'payment-problem'
    case 'active':
      return cancelsAt === null ? 'active' : 'canceling'
  }
}
