import { createHash } from 'node:crypto'
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
import { refuseBeyondAssetRoom } from '#server/operations/storage/asset-room.ts'
import { noSpace, refuseBeyondStorage } from '#server/operations/storage/limit.ts'
import { baseName, refuseName } from './file-name.ts'
import {
  lookAtImport,
  readChosenFile,
  type WantedImport,
} from '#server/operations/imports/create.ts'
import {
  readNewExcerpt,
  refuseExcerpt,
  type NewExcerpt,
} from '#server/operations/excerpts/create.ts'
import { lockUpload, planOf } from './find.ts'
import { refuseHeld } from './refuse-held.ts'
import { refuseBeyondProcessorTime } from './processor-time.ts'
import { forgetOpening } from './store-calls.ts'
import { CLOUD_FILE_MAX_BYTES, LOCAL_FILE_MAX_BYTES } from '#spec/numbers.ts'
import { MAX_OPEN_UPLOADS, MAX_SINGLE_PART_BYTES, planParts } from './plan.ts'

type Body = components['schemas']['CreateUploadRequestBody']['uploadRequest']

/** What an upload is made from, checked. `bodyHash` recognises a repeated request. */
export type NewUpload = Pick<
  UploadRow,
  'purpose' | 'provider' | 'clientFilename' | 'sizeBytes' | 'bodyHash' | 'idempotencyKey'
> & { readonly excerpt?: NewExcerpt; readonly trim?: FileTrim }

type FileTrim = components['schemas']['FileTrim']

/** An upload that begins, and what is stored with it. */
interface Beginning {
  readonly wanted: NewUpload
  readonly store?: (ctx: TxCtx, upload: UploadRow) => Promise<void>
}

/**
 * Begins an upload, or returns the one that this key began (`isNew` false). Only the extension of
 * the name is looked at here; the content decides after completion. Of an import, its host is asked
 * first. Refuses: `uploads/too-large`, `uploads/too-many-open`, `uploads/account-full`,
 * `uploads/provider-not-offered`, `uploads/no-space`, `uploads/held`, `request/invalid`,
 * `request/idempotency-conflict`, `request/too-many`; of an asset also `media-assets/too-many`,
 * `media-assets/account-full`, `auth/permission-missing`; of an excerpt also `uploads/not-found`
 * and `uploads/excerpt-refused`; of a link also `uploads/host-not-allowed`, `uploads/link-refused`,
 * `uploads/link-expired` and `uploads/link-away`.
 */
export async function createUploadRequest(
  ctx: UserCtx,
  body: Body,
): Promise<{ upload: UploadRow; isNew: boolean }> {
  const { purpose = 'media-job', idempotencyKey, upload } = body
  const excerpt = readNewExcerpt(body)
  if (isSent(upload))
    return await begin(ctx, { wanted: readSent({ purpose, idempotencyKey, upload, excerpt }) })
  const chosen = readChosenFile(ctx, { upload, purpose, idempotencyKey })
  const existing = await findByKey(ctx, chosen)
  if (existing !== undefined && existing.storeCall !== 'opening')
    return { upload: existing, isNew: false }
  return await begin(ctx, await readImport(ctx, chosen))
}

async function begin(
  ctx: UserCtx,
  { wanted, store }: Beginning,
): Promise<{ upload: UploadRow; isNew: boolean }> {
  const begun = await inTransaction(ctx, async (ctx) => {
    // One at a time for a user, so that the limits hold and a repeated key makes one row.
    await ctx.db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${ctx.user.id}`}, 0))`,
    )
    const existing = await findByKey(ctx, wanted)
    if (existing !== undefined) return { upload: existing, isNew: false }
    if (wanted.excerpt !== undefined)
      await refuseExcerpt(ctx, { excerpt: wanted.excerpt, sizeBytes: wanted.sizeBytes })
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

/** Name and size are the host's own, so that they are checked like those of a device. */
async function readImport(ctx: UserCtx, chosen: WantedImport): Promise<Beginning> {
  const { upload, store } = await lookAtImport(ctx, chosen)
  const clientFilename = baseName(upload.clientFilename)
  refuseSize(upload.provider, upload.sizeBytes)
  refuseName(clientFilename, upload)
  return { wanted: { ...upload, clientFilename }, store }
}

function isSent(upload: Body['upload']): upload is SentFile['upload'] {
  return upload.provider === 's3-multipart' || upload.provider === 's3-singlepart'
}

/** A file that a device sends. */
interface SentFile extends Pick<NewUpload, 'purpose' | 'idempotencyKey'> {
  readonly upload: components['schemas']['NewDeviceUpload']
  readonly excerpt: NewExcerpt | undefined
}

function readSent({ purpose, idempotencyKey, upload, excerpt }: SentFile): NewUpload {
  const { provider } = upload
  const clientFilename = baseName(upload.metadata.clientFilename)
  const sizeBytes = upload.metadata.clientFileSize
  refuseSize(provider, sizeBytes)
  refuseName(clientFilename, { purpose, provider })
  const { trim } = upload
  if (trim !== undefined && trim.toMs <= trim.fromMs)
    throw new Problem('request/invalid', 'A trim ends after it begins.')
  const bodyHash = createHash('sha256')
    .update(
      JSON.stringify([
        purpose,
        provider,
        clientFilename,
        sizeBytes,
        ...(excerpt === undefined ? [] : [excerpt.uploadRequestId, excerpt.stretches]),
        ...(trim === undefined ? [] : [trim.fromMs, trim.toMs, trim.wholeFileSize]),
      ]),
    )
    .digest('hex')
  return {
    purpose,
    provider,
    clientFilename,
    sizeBytes,
    bodyHash,
    idempotencyKey,
    ...(excerpt === undefined ? {} : { excerpt }),
    ...(trim === undefined ? {} : { trim }),
  }
}

async function findByKey(
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

const SENT_LIMITS: Readonly<Partial<Record<NewUpload['provider'], number>>> = {
  's3-multipart': LOCAL_FILE_MAX_BYTES,
  's3-singlepart': MAX_SINGLE_PART_BYTES,
}

function refuseSize(provider: NewUpload['provider'], sizeBytes: number): void {
  const sentLimit = SENT_LIMITS[provider]
  const limit = sentLimit ?? CLOUD_FILE_MAX_BYTES
  if (sizeBytes === 0)
    throw sizeProblem('request/invalid', 'This file is empty. Please choose another one.')
  if (sizeBytes > limit)
    throw sizeProblem(
      'uploads/too-large',
      `This file is too large. ${sentLimit === undefined ? 'You can import' : 'You can upload'} files of up to ${limit / 1024 ** 3} GB.`,
    )
}

function sizeProblem(code: 'request/invalid' | 'uploads/too-large', message: string): Problem {
  return new Problem(code, message, {
    fields: { 'uploadRequest.upload.metadata.clientFileSize': message },
  })
}
