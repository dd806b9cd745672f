import { createHash } from 'node:crypto'
import { and, count, eq, sql } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { uploadRequests } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { Problem } from '#server/problems.ts'
import { MAX_OPEN_UPLOADS, MAX_SINGLE_PART_BYTES, MAX_UPLOAD_BYTES, planParts } from './plan.ts'
import { planOf, type UploadRow } from './find.ts'

type Body = components['schemas']['CreateUploadRequestBody']['uploadRequest']

/**
 * Begins an upload, or gives the one that this key began (`isNew` false). The type is only looked
 * at by the name's extension here; what counts is the content, after completion. Refuses: 422
 * `uploads/too-large`, `uploads/too-many-open`, `uploads/account-full`,
 * `uploads/provider-not-offered`, `request/invalid`; 409 `request/idempotency-conflict`; 507
 * `uploads/no-space`.
 */
export async function createUploadRequest(
  deps: Deps,
  user: CurrentUser,
  body: Body,
): Promise<{ upload: UploadRow; isNew: boolean }> {
  const { provider } = body.upload
  if (provider !== 's3-multipart' && provider !== 's3-singlepart') {
    throw new Problem(
      'uploads/provider-not-offered',
      'This server cannot fetch files from there. Please upload the file from this device.',
    )
  }
  const purpose = body.purpose ?? 'media-job'
  const clientFilename = baseName(body.upload.metadata.clientFilename)
  const sizeBytes = body.upload.metadata.clientFileSize
  refuseSize(provider, sizeBytes)
  refuseName(clientFilename, purpose)
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([purpose, provider, clientFilename, sizeBytes]))
    .digest('hex')

  return await deps.db.transaction(async (tx) => {
    // One at a time for a user, so that the limit holds and the same key twice makes one row.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${user.id}`}, 0))`,
    )
    const [existing] = await tx
      .select()
      .from(uploadRequests)
      .where(
        and(
          eq(uploadRequests.userId, user.id),
          eq(uploadRequests.idempotencyKey, body.idempotencyKey),
        ),
      )
    if (existing !== undefined) {
      if (existing.bodyHash !== bodyHash)
        throw new Problem(
          'request/idempotency-conflict',
          'This upload was started with another file. Please choose the file again.',
        )
      return { upload: existing, isNew: false }
    }
    await refuseTooMuch(tx, user.id, sizeBytes, deps.settings.accountUploadBytes)
    const id = deps.newId()
    const [row] = await tx
      .insert(uploadRequests)
      .values({
        id,
        userId: user.id,
        idempotencyKey: body.idempotencyKey,
        bodyHash,
        purpose,
        provider,
        clientFilename,
        sizeBytes,
        ...planParts(provider, sizeBytes, deps.settings.partSizeBytes),
        state: 'open',
        objectKey: `uploads/${id}`,
        createdAt: deps.clock(),
      })
      .returning()
    const upload = row! // an insert without `on conflict` returns its row or throws
    const { storeUploadId } = await deps.store
      .createMultipart(planOf(upload))
      .catch((error: unknown) => {
        if (isNoSpace(error))
          throw new Problem(
            'uploads/no-space',
            'The server does not have enough space for this file right now. Please try again later.',
          )
        throw error
      })
    if (storeUploadId === null) return { upload, isNew: true }
    await tx.update(uploadRequests).set({ storeUploadId }).where(eq(uploadRequests.id, id))
    return { upload: { ...upload, storeUploadId }, isNew: true }
  })
}

/**
 * Every open upload reserves its whole size on the disk, so one account must not reserve it all.
 */
async function refuseTooMuch(
  tx: Tx,
  userId: string,
  sizeBytes: number,
  limitBytes: number,
): Promise<void> {
  const [open] = await tx
    .select({ n: count(), bytes: sql<string>`coalesce(sum(${uploadRequests.sizeBytes}), 0)` })
    .from(uploadRequests)
    .where(and(eq(uploadRequests.userId, userId), eq(uploadRequests.state, 'open')))
  if ((open?.n ?? 0) >= MAX_OPEN_UPLOADS)
    throw new Problem(
      'uploads/too-many-open',
      `You have ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or discard one of them first.`,
    )
  if (Number(open?.bytes ?? 0) + sizeBytes > limitBytes) {
    throw new Problem(
      'uploads/account-full',
      `Your unfinished uploads may use up to ${limitBytes / 1024 ** 3} GB in total, and this file would exceed that. Finish or discard one of them first.`,
    )
  }
}

function refuseSize(provider: 's3-multipart' | 's3-singlepart', sizeBytes: number): void {
  if (sizeBytes === 0) {
    const message = 'This file is empty. Please choose another one.'
    throw new Problem('request/invalid', message, {
      fields: { 'uploadRequest.upload.metadata.clientFileSize': message },
    })
  }
  const limit = provider === 's3-singlepart' ? MAX_SINGLE_PART_BYTES : MAX_UPLOAD_BYTES
  if (sizeBytes > limit) {
    const message = `This file is too large. You can upload files of up to ${limit / 1024 ** 3} GB.`
    throw new Problem('uploads/too-large', message, {
      fields: { 'uploadRequest.upload.metadata.clientFileSize': message },
    })
  }
}

/**
 * Files that are certainly nothing to edit. Unknown and missing extensions pass: the content
 * decides.
 */
const NEVER_MEDIA: ReadonlySet<string> = new Set([
  'txt',
  'md',
  'pdf',
  'doc',
  'docx',
  'xls',
  'xlsx',
  'ppt',
  'pptx',
  'csv',
  'json',
  'xml',
  'html',
  'htm',
  'svg',
  'zip',
  'rar',
  '7z',
  'gz',
  'exe',
  'dmg',
  'apk',
  'js',
  'm3u',
  'm3u8',
  'mpd',
  'srt',
  'vtt',
  'psd',
])
const NOT_VIDEO: ReadonlySet<string> = new Set([
  'jpg',
  'jpeg',
  'png',
  'webp',
  'heic',
  'bmp',
  'tif',
  'tiff',
  'mp3',
  'wav',
  'aac',
  'flac',
  'm4a',
  'aiff',
  'wma',
])

function refuseName(name: string, purpose: 'media-job' | 'media-asset'): void {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!NEVER_MEDIA.has(extension) && (purpose === 'media-asset' || !NOT_VIDEO.has(extension)))
    return
  const message =
    purpose === 'media-job'
      ? 'Only video files are accepted'
      : 'Only video, image, and audio files are accepted'
  throw new Problem('request/invalid', message, {
    fields: { 'uploadRequest.upload.metadata.clientFilename': message },
  })
}

/** The last part of a path of any system, without control characters. */
function baseName(name: string): string {
  const last = (name.split(/[\\/]/).findLast((segment) => segment.trim() !== '') ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim()
  return last === '' ? 'video' : last.slice(0, 255)
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'object-store/no-space'
}
