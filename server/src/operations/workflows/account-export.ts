/**
 * The copy of everything that is stored about a person. It is one file so that what is left out
 * shows beside what is there.
 */
import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm'
import { inTransaction, type UserCtx } from '#server/context.ts'
import type {
  AttestationRow,
  EditSetRow,
  FaceFindingRow,
  FaceReviewRow,
  MailRow,
  PasskeyRow,
  PaymentMethodRow,
  PaymentRow,
  PushSubscriptionRow,
  ReferralCodeRow,
  SessionRow,
  SubscriptionRow,
  TransactionRow,
} from '#server/db/rows.ts'
import {
  attestations,
  driveSaves,
  faceFindings,
  faceReviews,
  mails,
  mediaAssets,
  mediaJobs,
  mediaJobTasks,
  orders,
  payments,
  pushSubscriptions,
  referralCodes,
  sessions,
  storedPaymentMethods,
  uploadRequests,
  walletSubscriptions,
  walletTransactions,
} from '#server/db/schema.ts'
import {
  listExternalAuths,
  type ExternalAuthFacts,
} from '#server/operations/accounts/external-auths/list.ts'
import { listPasskeys } from '#server/operations/accounts/passkeys/manage.ts'
import { getCurrentUser, type UserFacts } from '#server/operations/accounts/users/profile.ts'
import { readOrders, type OrderFacts } from '#server/operations/commerce/orders/facts.ts'
import {
  findOwnRedemption,
  type RedemptionFacts,
} from '#server/operations/commerce/referrals/redemptions.ts'
import { listWallets, type WalletFacts } from '#server/operations/core/ledger/wallets.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { listEditSets } from '#server/operations/media/edit-sets/edit-sets.ts'
import type { AssetFacts } from '#server/operations/media/media-assets/list.ts'
import { readJobs, type JobFacts } from '#server/operations/media/media-jobs/facts.ts'
import { readUploads, type UploadFacts } from '#server/operations/media/uploads/facts.ts'
import { isNotHeld } from '#server/operations/processing/drive-saves/enqueue.ts'
import {
  readSavesById,
  type DriveSaveFacts,
} from '#server/operations/processing/drive-saves/facts.ts'

/** A list of any length, read a batch at a time, and no sooner than it is asked for. */
type Batches<T> = AsyncIterable<readonly T[]>

/** Everything that is stored about a person. Lists that grow without a bound come in batches. */
export interface AccountFacts {
  readonly me: UserFacts
  readonly sessions: readonly SessionRow[]
  readonly passkeys: readonly PasskeyRow[]
  readonly pushSubscriptions: readonly PushSubscriptionRow[]
  readonly externalAuths: readonly ExternalAuthFacts[]
  readonly editSets: readonly EditSetRow[]
  readonly wallets: readonly WalletFacts[]
  readonly subscriptions: readonly SubscriptionRow[]
  readonly paymentMethods: readonly PaymentMethodRow[]
  readonly referralCodes: readonly ReferralCodeRow[]
  readonly redemption: RedemptionFacts | null
  readonly transactions: Batches<TransactionRow>
  readonly payments: Batches<PaymentRow>
  readonly orders: Batches<OrderFacts>
  readonly uploads: Batches<UploadFacts>
  readonly jobs: Batches<JobFacts>
  readonly assets: Batches<AssetFacts>
  readonly driveSaves: Batches<DriveSaveFacts>
  readonly attestations: Batches<AttestationRow>
  readonly faceFindings: Batches<FaceFindingRow>
  readonly faceReviews: Batches<FaceReviewRow>
  readonly mails: Batches<Pick<MailRow, 'subject' | 'createdAt' | 'sentAt'>>
}

/** An export reads everything of an account. */
const EXPORTS_PER_HOUR = 5
const BATCH = 200
/** What was found in one video may take some megabytes. */
const FACES_BATCH = 5

/**
 * Everything that is stored about the user. Reads the short lists now and the long ones when they
 * are asked for, without a transaction around them, because a download may take long. Refuses:
 * `request/too-many`.
 */
export async function exportAccount(ctx: UserCtx): Promise<AccountFacts> {
  await inTransaction(ctx, async (ctx) => {
    await countOrRefuse(ctx, {
      key: `export:${ctx.user.id}`,
      limit: EXPORTS_PER_HOUR,
      what: 'copies were requested',
    })
  })
  const { db, user } = ctx
  const wallets = await listWallets(ctx)
  return {
    me: await getCurrentUser(ctx),
    sessions: await db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, user.id))
      .orderBy(asc(sessions.createdAt)),
    passkeys: await listPasskeys(ctx),
    pushSubscriptions: await db
      .select()
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, user.id))
      .orderBy(asc(pushSubscriptions.createdAt)),
    externalAuths: await listExternalAuths(ctx),
    editSets: await listEditSets(ctx),
    wallets,
    subscriptions: await db
      .select()
      .from(walletSubscriptions)
      .where(eq(walletSubscriptions.userId, user.id))
      .orderBy(asc(walletSubscriptions.createdAt)),
    paymentMethods: await db
      .select()
      .from(storedPaymentMethods)
      .where(eq(storedPaymentMethods.userId, user.id))
      .orderBy(asc(storedPaymentMethods.createdAt)),
    referralCodes: await db
      .select()
      .from(referralCodes)
      .where(eq(referralCodes.userId, user.id))
      .orderBy(asc(referralCodes.createdAt)),
    redemption: await findOwnRedemption(ctx),
    ...moneyOf(
      ctx,
      wallets.map(({ wallet }) => wallet.id),
    ),
    ...workOf(ctx),
    driveSaves: driveSavesOf(ctx),
    attestations: attestationsOf(ctx),
    ...facesOf(ctx),
  }
}

function moneyOf(
  ctx: UserCtx,
  walletIds: readonly string[],
): Pick<AccountFacts, 'transactions' | 'payments' | 'orders'> {
  const { db, user } = ctx
  return {
    transactions: inBatches(
      () =>
        db
          .select({ id: walletTransactions.id })
          .from(walletTransactions)
          .where(inArray(walletTransactions.walletId, [...walletIds]))
          .orderBy(asc(walletTransactions.createdAt)),
      (ids) => db.select().from(walletTransactions).where(inArray(walletTransactions.id, ids)),
    ),
    payments: inBatches(
      () =>
        db
          .select({ id: payments.id })
          .from(payments)
          .where(eq(payments.userId, user.id))
          .orderBy(asc(payments.paidAt)),
      (ids) => db.select().from(payments).where(inArray(payments.id, ids)),
    ),
    orders: inBatches(
      () =>
        db
          .select({ id: orders.id })
          .from(orders)
          .where(eq(orders.userId, user.id))
          .orderBy(asc(orders.createdAt)),
      async (ids) =>
        await readOrders(ctx, {
          rows: await db.select().from(orders).where(inArray(orders.id, ids)),
        }),
    ),
  }
}

function workOf(ctx: UserCtx): Pick<AccountFacts, 'uploads' | 'jobs' | 'assets' | 'mails'> {
  const { db, user } = ctx
  return {
    uploads: inBatches(
      () =>
        db
          .select({ id: uploadRequests.id })
          .from(uploadRequests)
          .where(and(eq(uploadRequests.userId, user.id), ne(uploadRequests.purpose, 'excerpt')))
          .orderBy(asc(uploadRequests.createdAt)),
      async (ids) =>
        await readUploads(ctx, {
          uploads: await db.select().from(uploadRequests).where(inArray(uploadRequests.id, ids)),
        }),
    ),
    jobs: inBatches(
      () =>
        db
          .select({ id: mediaJobs.id })
          .from(mediaJobs)
          .where(eq(mediaJobs.userId, user.id))
          .orderBy(asc(mediaJobs.createdAt)),
      async (ids) =>
        await readJobs(ctx, {
          jobs: await db.select().from(mediaJobs).where(inArray(mediaJobs.id, ids)),
        }),
    ),
    assets: inBatches(
      () =>
        db
          .select({ id: mediaAssets.id })
          .from(mediaAssets)
          .where(and(eq(mediaAssets.userId, user.id), isNull(mediaAssets.deletedAt)))
          .orderBy(asc(mediaAssets.createdAt)),
      (ids) =>
        db
          .select({ asset: mediaAssets, upload: uploadRequests })
          .from(mediaAssets)
          .innerJoin(uploadRequests, eq(uploadRequests.id, mediaAssets.uploadRequestId))
          .where(inArray(mediaAssets.id, ids)),
    ),
    // Their text holds links that sign in.
    mails: inBatches(
      () =>
        db
          .select({ id: mails.id })
          .from(mails)
          .where(eq(mails.recipient, user.email))
          .orderBy(asc(mails.createdAt)),
      (ids) =>
        db
          .select({ subject: mails.subject, createdAt: mails.createdAt, sentAt: mails.sentAt })
          .from(mails)
          .where(inArray(mails.id, ids)),
    ),
  }
}

function driveSavesOf(ctx: UserCtx): Batches<DriveSaveFacts> {
  const { db, user } = ctx
  return inBatches(
    () =>
      db
        .select({ id: driveSaves.id })
        .from(driveSaves)
        .where(and(eq(driveSaves.userId, user.id), isNotHeld(ctx)))
        .orderBy(asc(driveSaves.createdAt)),
    (ids) => readSavesById(ctx, { ids }),
  )
}

function attestationsOf({ db, user }: UserCtx): Batches<AttestationRow> {
  return inBatches(
    () =>
      db
        .select({ id: attestations.uploadRequestId })
        .from(attestations)
        .where(eq(attestations.userId, user.id))
        .orderBy(asc(attestations.attestedAt)),
    (ids) => db.select().from(attestations).where(inArray(attestations.uploadRequestId, ids)),
  )
}

/** Where faces were found in the user's videos, and what the user decided of them. */
function facesOf({ db, user }: UserCtx): Pick<AccountFacts, 'faceFindings' | 'faceReviews'> {
  return {
    faceFindings: inBatches(
      () =>
        db
          .select({ id: faceFindings.uploadRequestId })
          .from(faceFindings)
          .innerJoin(uploadRequests, eq(uploadRequests.id, faceFindings.uploadRequestId))
          .where(eq(uploadRequests.userId, user.id))
          .orderBy(asc(faceFindings.foundAt)),
      (ids) => db.select().from(faceFindings).where(inArray(faceFindings.uploadRequestId, ids)),
      FACES_BATCH,
    ),
    faceReviews: inBatches(
      () =>
        db
          .select({ id: faceReviews.taskId })
          .from(faceReviews)
          .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, faceReviews.taskId))
          .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
          .where(eq(mediaJobs.userId, user.id))
          .orderBy(asc(faceReviews.savedAt)),
      (ids) => db.select().from(faceReviews).where(inArray(faceReviews.taskId, ids)),
      FACES_BATCH,
    ),
  }
}

/**
 * Reads the ids once and the rows by and by, so that rows which come meanwhile shift nothing. May
 * be read more than once.
 */
function inBatches<T>(
  readIds: () => PromiseLike<readonly { readonly id: string }[]>,
  read: (ids: string[]) => PromiseLike<readonly T[]>,
  batch = BATCH,
): Batches<T> {
  return {
    async *[Symbol.asyncIterator]() {
      const ids = (await readIds()).map(({ id }) => id)
      for (let from = 0; from < ids.length; from += batch)
        yield await read(ids.slice(from, from + batch))
    },
  }
}
