/**
 * The end of accounts whose time to come back is over.
 *
 * [Note: erasing] What stays is the ledger with wallets, orders, checkout sessions, payments,
 * subscriptions and redemptions, which the law wants kept, and the log of deletions. They hang on
 * the user's row, which names no person any more. All else goes, in steps that may be cut off at
 * any place and are repeated from the first one, each minute, until `erased_at` says that they are
 * done: `closeAccount` is the point of no return, then the customer at the payment provider, then
 * files, then rows, so that a file is never without a row that names it.
 */
import { and, asc, eq, inArray, isNotNull, isNull, lte, notExists, sql } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { UserRow } from '#server/db/rows.ts'
import {
  checkoutSessions,
  deletionLog,
  idempotentAnswers,
  magicLinks,
  mails,
  mailboxOf,
  mediaAssets,
  mediaJobs,
  mediaJobTasks,
  notices,
  orderLineItems,
  orders,
  editSets,
  passkeys,
  referralCodes,
  referralRedemptions,
  securityEvents,
  sessions,
  storedPaymentMethods,
  uploadRequests,
  users,
  walletTransactions,
} from '#server/db/schema.ts'
import { hashMailbox } from '#server/operations/accounts/auth/mailbox.ts'
import { forgetDrives } from '#server/operations/accounts/external-auths/disconnect.ts'
import { DAYS_TO_COME_BACK } from '#server/operations/accounts/users/keep-account.ts'
import { isLeased } from '#server/operations/core/lease.ts'
import { logAccountFiles } from '#server/operations/media/deletions/log-account.ts'
import { outputsOf, segmentsOf } from '#server/operations/media/storage/keys.ts'
import { removeBytes } from '#server/operations/media/uploads/abort.ts'
import { endBilling } from './end-billing.ts'

/** Accounts that are erased in one minute; the rest comes next. */
const AT_ONCE = 100

/**
 * Erases the accounts that are due. Harmless to repeat; what fails goes to the end of the queue, so
 * that accounts that always fail do not keep the others waiting.
 */
export async function eraseAccounts(ctx: Ctx): Promise<void> {
  const due = await ctx.db
    .select({ userId: users.id })
    .from(users)
    .where(
      and(
        lte(users.deletionRequestedAt, lastRequestDue(ctx)),
        isNotNull(users.deletionRequestedAt),
        isNull(users.erasedAt),
        notExists(heldOf(ctx)),
      ),
    )
    .orderBy(sql`${users.eraseBegunAt} asc nulls first`, asc(users.deletionRequestedAt))
    .limit(AT_ONCE)
  for (const { userId } of due)
    try {
      await eraseAccount(ctx, userId)
    } catch (error) {
      ctx.log.warn('account/not-erased', { userId, error })
    }
}

/** What is held after a report stays until it is decided; its owner cannot make it go away. */
function heldOf({ db }: Pick<Ctx, 'db'>) {
  return db
    .select({ one: sql`1` })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.userId, users.id),
        isNotNull(uploadRequests.heldAt),
        isNull(uploadRequests.sourceRemovedAt),
      ),
    )
}

async function eraseAccount(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.update(users).set({ eraseBegunAt: ctx.clock() }).where(eq(users.id, userId))
  // A subscription may have been paid after the request, by a page that was still open.
  await endBilling(ctx, { userId })
  const isClosed = await inTransaction(ctx, async (ctx) => await closeAccount(ctx, userId))
  // An edit that is just being made stores its files before it learns that it is cancelled.
  if (!isClosed || (await isWorkedFor(ctx, userId))) return
  await ctx.payments.forget(userId)
  await forgetDrives(ctx, { userId })
  await inTransaction(ctx, async (ctx) => await logAccountFiles(ctx, { userId }))
  await removeFiles(ctx, userId)
  await inTransaction(ctx, async (ctx) => await removeRows(ctx, userId))
  ctx.log.info('account/erased', { userId })
}

function lastRequestDue({ clock }: Pick<Ctx, 'clock'>): Date {
  return new Date(clock().getTime() - DAYS_TO_COME_BACK * 86_400_000)
}

/**
 * Takes person and mailbox off the account, and stops its work. False when the person has signed in
 * meanwhile.
 */
async function closeAccount(ctx: TxCtx, userId: string): Promise<boolean> {
  const [found] = await ctx.db
    .select({ user: users, mailbox: mailboxOf(users.email) })
    .from(users)
    .where(eq(users.id, userId))
    .for('update')
  if (found === undefined || !isDue(ctx, found.user)) return false
  const { email, deletedAt } = found.user
  if (deletedAt !== null) return true
  const now = ctx.clock()
  await ctx.db.delete(mails).where(eq(mails.recipient, email))
  await ctx.db.delete(magicLinks).where(eq(magicLinks.email, email))
  await ctx.db.delete(sessions).where(eq(sessions.userId, userId))
  await ctx.db.delete(passkeys).where(eq(passkeys.userId, userId))
  await ctx.db.delete(editSets).where(eq(editSets.userId, userId))
  await ctx.db.delete(notices).where(eq(notices.userId, userId))
  await ctx.db
    .update(mediaJobTasks)
    .set({ status: 'canceled' })
    .where(
      and(
        inArray(mediaJobTasks.mediaJobId, jobsOf(ctx, userId)),
        inArray(mediaJobTasks.status, ['created', 'started']),
      ),
    )
  await ctx.db
    .update(uploadRequests)
    .set({ state: 'aborted' })
    .where(
      and(eq(uploadRequests.userId, userId), inArray(uploadRequests.state, ['open', 'completed'])),
    )
  await ctx.db
    .update(users)
    .set({
      email: `deleted-${userId}@invalid`,
      profession: null,
      noticesOff: [],
      pushesOff: [],
      mailsNameVideos: false,
      discreet: false,
      deleteSourcesAfterDays: null,
      sourceRuleSetAt: null,
      deletedAt: now,
      mailboxHash: hashMailbox(ctx, found.mailbox),
    })
    .where(eq(users.id, userId))
  return true
}

function isDue(ctx: Pick<Ctx, 'clock'>, { deletionRequestedAt }: UserRow): boolean {
  return deletionRequestedAt !== null && deletionRequestedAt <= lastRequestDue(ctx)
}

function jobsOf(ctx: Pick<TxCtx, 'db'>, userId: string) {
  return ctx.db.select({ id: mediaJobs.id }).from(mediaJobs).where(eq(mediaJobs.userId, userId))
}

/** Whether a worker is making one of the edits that `closeAccount` has cancelled. */
async function isWorkedFor(ctx: Ctx, userId: string): Promise<boolean> {
  const begun = await ctx.db
    .select({ taskId: mediaJobTasks.id })
    .from(mediaJobTasks)
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(
      and(
        eq(mediaJobs.userId, userId),
        eq(mediaJobTasks.status, 'canceled'),
        isNotNull(mediaJobTasks.startedAt),
        isNull(mediaJobTasks.endedAt),
      ),
    )
  for (const task of begun) if (await isLeased(ctx, task)) return true
  return false
}

async function removeFiles(ctx: Ctx, userId: string): Promise<void> {
  const tasks = await ctx.db
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(eq(mediaJobs.userId, userId))
  for (const { id } of tasks) {
    await ctx.store.removeAll(outputsOf(id))
    await ctx.store.removeAll(segmentsOf(id))
  }
  const uploads = await ctx.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.userId, userId))
  for (const upload of uploads) await removeBytes(ctx, { upload })
}

async function removeRows(ctx: TxCtx, userId: string): Promise<void> {
  const ordersOfUser = ctx.db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.userId, userId))
  // Otherwise they went with their tasks, and the receipt of the order would be empty.
  await ctx.db
    .update(orderLineItems)
    .set({ taskId: null })
    .where(inArray(orderLineItems.orderId, ordersOfUser))
  await ctx.db.delete(mediaAssets).where(eq(mediaAssets.userId, userId))
  await ctx.db.delete(mediaJobs).where(eq(mediaJobs.userId, userId))
  await ctx.db.delete(uploadRequests).where(eq(uploadRequests.userId, userId))
  await removeUnpaidOrders(ctx, userId)
  await removeUnusedCodes(ctx, userId)
  await ctx.db.delete(storedPaymentMethods).where(eq(storedPaymentMethods.userId, userId))
  await ctx.db.delete(securityEvents).where(eq(securityEvents.userId, userId))
  await ctx.db.delete(idempotentAnswers).where(eq(idempotentAnswers.userId, userId))
  await ctx.db
    .update(deletionLog)
    .set({ doneAt: ctx.clock() })
    .where(and(eq(deletionLog.userId, userId), isNull(deletionLog.doneAt)))
  await ctx.db.update(users).set({ erasedAt: ctx.clock() }).where(eq(users.id, userId))
}

/** Orders for which nothing was paid and no payment began are no part of the books. */
async function removeUnpaidOrders(ctx: TxCtx, userId: string): Promise<void> {
  const booked = ctx.db
    .select({ one: sql`1` })
    .from(walletTransactions)
    .where(eq(walletTransactions.orderId, orders.id))
  const begun = ctx.db
    .select({ one: sql`1` })
    .from(checkoutSessions)
    .where(eq(checkoutSessions.orderId, orders.id))
  await ctx.db
    .delete(orders)
    .where(
      and(
        eq(orders.userId, userId),
        isNull(orders.receiptNumber),
        notExists(booked),
        notExists(begun),
      ),
    )
}

/** A code that was redeemed stays with the redemption; it cannot be redeemed any more. */
async function removeUnusedCodes(ctx: TxCtx, userId: string): Promise<void> {
  const redeemed = ctx.db
    .select({ one: sql`1` })
    .from(referralRedemptions)
    .where(eq(referralRedemptions.codeId, referralCodes.id))
  await ctx.db
    .delete(referralCodes)
    .where(and(eq(referralCodes.userId, userId), notExists(redeemed)))
}
