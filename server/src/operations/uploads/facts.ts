import { inArray, sql } from 'drizzle-orm'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadParts } from '#server/db/schema.ts'
import type { StoredPart } from '#server/object-store/port.ts'
import { planOf } from './find.ts'
import { PART_URL_LIFE_S } from './plan.ts'

/** An upload and what the store has of it. */
export interface UploadFacts {
  readonly upload: UploadRow
  readonly receivedBytes: number
}

/** One planned part: what is stored of it, and a URL where it may still be sent. */
export interface PartFacts {
  readonly partNumber: number
  readonly sizeBytes: number
  readonly stored: StoredPart | null
  readonly presignedUrl: string | null
}

/** An upload with all its parts; `urlsExpireAt` is null when no part has a URL. */
export interface UploadWithParts extends UploadFacts {
  readonly parts: readonly PartFacts[]
  readonly urlsExpireAt: Date | null
}

/** Reads what lists show of uploads, in the order given. */
export async function readUploads(
  ctx: Pick<ReadCtx, 'db'>,
  { uploads }: { readonly uploads: readonly UploadRow[] },
): Promise<UploadFacts[]> {
  if (uploads.length === 0) return []
  const sums = await ctx.db
    .select({
      id: uploadParts.uploadRequestId,
      bytes: sql<string>`sum(${uploadParts.sizeBytes})`,
    })
    .from(uploadParts)
    .where(
      inArray(
        uploadParts.uploadRequestId,
        uploads.map((upload) => upload.id),
      ),
    )
    .groupBy(uploadParts.uploadRequestId)
  const bytesById = new Map(sums.map((row) => [row.id, Number(row.bytes)]))
  return uploads.map((upload) => ({ upload, receivedBytes: bytesById.get(upload.id) ?? 0 }))
}

/**
 * Reads one upload with its parts. Parts that are not stored get a URL while the upload takes
 * parts.
 */
export async function readUploadWithParts(
  ctx: Ctx,
  { upload }: { readonly upload: UploadRow },
): Promise<UploadWithParts> {
  const [facts] = await readUploads(ctx, { uploads: [upload] })
  const expiresAt = new Date(ctx.clock().getTime() + PART_URL_LIFE_S * 1000)
  const plan = planOf(upload)
  const stored =
    upload.state === 'aborted' ? [] : await ctx.store.listParts(plan, upload.storeUploadId)
  const storedByNumber = new Map(stored.map((part) => [part.partNumber, part]))
  const parts: PartFacts[] = []
  for (let partNumber = 1; partNumber <= upload.partCount; partNumber += 1) {
    const part = storedByNumber.get(partNumber) ?? null
    const isWanted = upload.state === 'open' && part === null
    parts.push({
      partNumber,
      sizeBytes: Math.min(
        upload.partSizeBytes,
        upload.sizeBytes - (partNumber - 1) * upload.partSizeBytes,
      ),
      stored: part,
      presignedUrl: isWanted
        ? await ctx.store.signPart(plan, upload.storeUploadId, partNumber, PART_URL_LIFE_S)
        : null,
    })
  }
  return {
    upload,
    receivedBytes: facts?.receivedBytes ?? 0,
    parts,
    urlsExpireAt: parts.some((part) => part.presignedUrl !== null) ? expiresAt : null,
  }
}
