import { inArray, max, sql } from 'drizzle-orm'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadParts } from '#server/db/schema.ts'
import type { StoredPart } from '#server/object-store/port.ts'
import { planOf } from './find.ts'
import { PART_URL_LIFE_S } from './plan.ts'

/** An upload and what the store has of it. */
export interface UploadFacts {
  readonly upload: UploadRow
  readonly receivedBytes: number
  /** When the last part was stored; null while none is. */
  readonly lastReceivedAt: Date | null
  /** Whether its part URLs take HEAD and PATCH. */
  readonly isResumable: boolean
}

/** One planned part: what is stored or held of it, and a URL to send it, if asked for. */
export interface PartFacts {
  readonly partNumber: number
  readonly sizeBytes: number
  readonly stored: StoredPart | null
  /** Bytes that the store holds of a part that is not stored. */
  readonly heldBytes: number
  readonly presignedUrl: string | null
}

/** Parts in order of their number; `urlsExpireAt` is null when none has a URL. */
export interface PartsWithUrls {
  readonly parts: readonly PartFacts[]
  readonly urlsExpireAt: Date | null
}

/** An upload with its parts. */
export type UploadWithParts = UploadFacts & PartsWithUrls

/** Reads what lists show of uploads, in the order given. */
export async function readUploads(
  ctx: Pick<ReadCtx, 'db' | 'store'>,
  { uploads }: { readonly uploads: readonly UploadRow[] },
): Promise<UploadFacts[]> {
  if (uploads.length === 0) return []
  const sums = await ctx.db
    .select({
      id: uploadParts.uploadRequestId,
      bytes: sql<string>`sum(${uploadParts.sizeBytes})`,
      lastAt: max(uploadParts.storedAt),
    })
    .from(uploadParts)
    .where(
      inArray(
        uploadParts.uploadRequestId,
        uploads.map((upload) => upload.id),
      ),
    )
    .groupBy(uploadParts.uploadRequestId)
  const sumById = new Map(sums.map((row) => [row.id, row]))
  return uploads.map((upload) => ({
    upload,
    receivedBytes: Number(sumById.get(upload.id)?.bytes ?? 0),
    lastReceivedAt: sumById.get(upload.id)?.lastAt ?? null,
    isResumable: ctx.store.resumesParts,
  }))
}

/** Reads one upload with all its parts. */
export async function readUploadWithParts(
  ctx: Ctx,
  { upload }: { readonly upload: UploadRow },
): Promise<UploadWithParts> {
  const partNumbers = Array.from({ length: upload.partCount }, (_, index) => index + 1)
  return {
    ...onlyRow(await readUploads(ctx, { uploads: [upload] })),
    ...(await readParts(ctx, {
      upload,
      partNumbers,
      urlLifeS: PART_URL_LIFE_S,
      urlsFor: 'missing-parts',
    })),
  }
}

/**
 * Reads these parts of an upload, in the order given. While the upload takes parts, `urlsFor` says
 * which of them get a URL, good for `urlLifeS` seconds.
 */
export async function readParts(
  ctx: Ctx,
  {
    upload,
    partNumbers,
    urlLifeS,
    urlsFor,
  }: {
    readonly upload: UploadRow
    readonly partNumbers: readonly number[]
    readonly urlLifeS: number
    readonly urlsFor: 'missing-parts' | 'all'
  },
): Promise<PartsWithUrls> {
  const plan = planOf(upload)
  const expiresAt = new Date(ctx.clock().getTime() + urlLifeS * 1000)
  const isOpen = upload.state === 'open'
  const stored =
    upload.state === 'aborted' ? [] : await ctx.store.listParts(plan, upload.storeUploadId)
  const storedByNumber = new Map(stored.map((part) => [part.partNumber, part]))
  const held = isOpen ? await ctx.store.heldParts(plan, upload.storeUploadId) : []
  const heldByNumber = new Map(held.map((part) => [part.partNumber, part.heldBytes]))
  const parts: PartFacts[] = []
  for (const partNumber of partNumbers) {
    const part = storedByNumber.get(partNumber) ?? null
    parts.push({
      partNumber,
      sizeBytes: Math.min(
        plan.partSizeBytes,
        plan.sizeBytes - (partNumber - 1) * plan.partSizeBytes,
      ),
      stored: part,
      heldBytes: part === null ? (heldByNumber.get(partNumber) ?? 0) : 0,
      presignedUrl:
        isOpen && (part === null || urlsFor === 'all')
          ? await ctx.store.signPart(plan, upload.storeUploadId, partNumber, urlLifeS)
          : null,
    })
  }
  return {
    parts,
    urlsExpireAt: parts.some((part) => part.presignedUrl !== null) ? expiresAt : null,
  }
}
