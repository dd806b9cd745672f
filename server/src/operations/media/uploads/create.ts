import { and, count, eq, sql } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import {
  inTransaction,
  type ReadCtx,
  type TxCtx,
  type UserCtx,
  type WithUser,
} from '#server/context.ts'
import { UPLOADS_PER_HOUR } from '#server/budgets.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { NoSpace } from '#server/object-store/failures.ts'
import { Problem, unavailable } from '#server/problems.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { refuseBeyondAssetRoom } from '#server/operations/media/storage/asset-room.ts'
import { noSpace, refuseBeyondStorage } from '#server/operations/media/storage/limit.ts'
import { lockUpload, planOf } from './find.ts'
import { refuseHeld } from './refuse-held.ts'
import { refuseBeyondProcessorTime } from './processor-time.ts'
import { forgetOpening } from './store-calls.ts'
import { MAX_OPEN_UPLOADS, planParts } from './plan.ts'

/** What an upload is made from, checked. `bodyHash` recognises a repeated request. */
export type NewUpload = Pick<
  UploadRow,
  'purpose' | 'provider' | 'clientFilename' | 'sizeBytes' | 'bodyHash' | 'idempotencyKey'
> & { readonly excerpt?: NewExcerpt; readonly trim?: FileTrim }

type NewExcerpt = components['schemas']['NewExcerpt']
type FileTrim = components['schemas']['FileTrim']

/** An upload that begins. */
interface Beginning {
  readonly wanted: NewUpload
  /** Refuses, in the transaction of a new row, what only this kind of upload must not be. */
  readonly refuse?: (ctx: TxCtx & WithUser) => Promise<void>
  /** Stores what belongs to it when the store has opened it. */
  readonly store?: (ctx: TxCtx, upload: UploadRow) => Promise<void>
}

/** An upload, and whether this call began it: a key begins one. */
export interface BegunUpload {
  readonly upload: UploadRow
  readonly isNew: boolean
}

/**
 * Begins an upload, or returns the one that this key began (`isNew` false). Refuses:
 * `uploads/too-many-open`, `uploads/account-full`, `uploads/no-space`, `uploads/held`,
 * `request/idempotency-conflict`, `request/too-many`; an asset also with `media-assets/too-many`,
 * `media-assets/account-full`, `auth/permission-missing`; and what `refuse` does.
 */
export async function beginUpload(
  ctx: UserCtx,
  { wanted, refuse, store }: Beginning,
): Promise<BegunUpload> {
  const begun = await inTransaction(ctx, async (ctx) => {
    // One at a time for a user, so that the limits hold and a repeated key makes one row.
    await ctx.db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${ctx.user.id}`}, 0))`,
    )
    const existing = await findBegun(ctx, wanted)
    if (existing !== undefined) return { upload: existing, isNew: false }
    await refuse?.(ctx)
    await refuseTooMany(ctx)
    await countOrRefuse(ctx, {
      key: `uploads-begun:${ctx.user.id}`,
      limit: UPLOADS_PER_HOUR,
      what: 'uploads were started',
    })
    await refuseBeyondProcessorTime(ctx)
    if (wanted.purpose === 'media-asset') await refuseBeyondAssetRoom(ctx, wanted)
    // An excerpt is bounded by a video that counts.
    if (wanted.purpose !== 'excerpt')
      await refuseBeyondStorage(ctx, { sizeBytes: wanted.sizeBytes })
    return { upload: await insertUpload(ctx, wanted), isNew: true }
  })
  if (begun.upload.storeCall !== 'opening') return begun
  return { ...begun, upload: await openInStore(ctx, { upload: begun.upload, store }) }
}

/** The upload that a key has begun. Refuses: `request/idempotency-conflict`, `uploads/held`. */
export async function findBegun(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
  wanted: Pick<NewUpload, 'idempotencyKey' | 'bodyHash'>,
): Promise<UploadRow | undefined> {
  const [existing] = await ctx.db
    .select()
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.userId, ctx.user.id),
        eq(uploadRequests.idempotencyKey, wanted.idempotencyKey),
      ),
    )
  if (existing !== undefined && existing.bodyHash !== wanted.bodyHash)
    throw new Problem(
      'request/idempotency-conflict',
      'This upload was started with another file. Please choose the file again.',
    )
  if (existing !== undefined) refuseHeld(existing)
  return existing
}

async function insertUpload(
  ctx: TxCtx & WithUser,
  { excerpt, trim, ...wanted }: NewUpload,
): Promise<UploadRow> {
  const id = ctx.newId()
  return onlyRow(
    await ctx.db
      .insert(uploadRequests)
      .values({
        ...wanted,
        ...(excerpt === undefined
          ? {}
          : { excerptOf: excerpt.uploadRequestId, excerptStretches: excerpt.stretches }),
        trimFromMs: trim?.fromMs ?? null,
        trimToMs: trim?.toMs ?? null,
        trimOfBytes: trim?.wholeFileSize ?? null,
        id,
        userId: ctx.user.id,
        ...planParts(wanted.provider, wanted.sizeBytes, ctx.settings.partSizeBytes),
        state: 'open',
        storeCall: 'opening',
        storeCallAt: ctx.clock(),
        objectKey: `uploads/${id}`,
        createdAt: ctx.clock(),
      })
      .returning(),
  )
}

/**
 * Opens the upload in the store, which refuses what its disk cannot take, and stores what begins
 * with it. Of two calls by one key, the first that comes back counts.
 */
async function openInStore(
  ctx: UserCtx,
  { upload, store }: { readonly upload: UploadRow; readonly store: Beginning['store'] },
): Promise<UploadRow> {
  const plan = planOf(upload)
  const { storeUploadId } = await ctx.store.createMultipart(plan).catch(async (error: unknown) => {
    if (!(error instanceof NoSpace)) throw error
    await forgetOpening(ctx, { upload })
    throw noSpace()
  })
  const opened = await inTransaction(ctx, async (ctx) => {
    const locked = await lockUpload(ctx, upload.id)
    if (locked?.storeCall !== 'opening' || locked.state !== 'open') return locked
    const change = { storeUploadId, storeCall: null, storeCallAt: null }
    await ctx.db.update(uploadRequests).set(change).where(eq(uploadRequests.id, upload.id))
    await store?.(ctx, upload)
    return { ...locked, ...change }
  })
  const isOurs = opened?.state === 'open' && opened.storeUploadId === storeUploadId
  if (!isOurs) await ctx.store.abortMultipart(plan, storeUploadId)
  // It took longer than any call should, so that it was given up: the next try begins at nothing.
  if (opened === undefined) throw unavailable()
  return opened
}

async function refuseTooMany(ctx: TxCtx & WithUser): Promise<void> {
  const [open] = await ctx.db
    .select({ n: count() })
    .from(uploadRequests)
    .where(and(eq(uploadRequests.userId, ctx.user.id), eq(uploadRequests.state, 'open')))
  if ((open?.n ?? 0) >= MAX_OPEN_UPLOADS)
    throw new Problem(
      'uploads/too-many-open',
      `You have ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or discard one of them first.`,
    )
}
