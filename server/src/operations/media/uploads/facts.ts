import { and, inArray, max, sql } from 'drizzle-orm'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadParts } from '#server/db/schema.ts'
import { readImports, type ImportFacts } from './import-facts.ts'
import { isImport } from './provider.ts'
import type { HeldBytes, HeldPart, SignedPart, StoredPart } from '#server/object-store/port.ts'
import { placeOfPart } from '#server/object-store/part-place.ts'
import { planOf } from './find.ts'
import { MAX_LISTED_MISSING_PARTS, PART_URL_LIFE_S } from './plan.ts'

/** An upload and what the store has of it. */
export interface UploadFacts {
  readonly upload: UploadRow
  /** Of stored parts, and of those that broke off: a device with the file goes on behind both. */
  readonly receivedBytes: number
  /** When the last of them came; null while there are none. */
  readonly lastReceivedAt: Date | null
  /** Whether its part URLs take HEAD and PATCH. */
  readonly isResumable: boolean
  /** Whether a part gets its URL only with its checksum. */
  readonly urlsNeedChecksums: boolean
  /** How the server fetches it; null when a device sends it, or all of it is here. */
  readonly fetching: ImportFacts | null
}

/** One planned part: what is stored or held of it, and how to send it, if asked for. */
export interface PartFacts {
  readonly partNumber: number
  readonly sizeBytes: number
  readonly stored: StoredPart | null
  /** Bytes that the store holds of a part that is not stored. */
  readonly heldBytes: number
  readonly signed: SignedPart | null
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
  ctx: Pick<ReadCtx, 'db' | 'store' | 'clock'>,
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
  const imports = await readImports(ctx, { uploads })
  const heldById = await readHeld(ctx, uploads)
  return uploads.map((upload) => {
    const fetching = imports.get(upload.id) ?? null
    const sum = sumById.get(upload.id)
    const held = heldById.get(upload.id)
    const parts = Number(sum?.bytes ?? 0) + (held?.bytes ?? 0)
    return {
      upload,
      receivedBytes: Math.min(upload.sizeBytes, parts + (fetching?.partialBytes ?? 0)),
      lastReceivedAt: later(sum?.lastAt ?? null, held?.lastAt ?? null),
      isResumable: ctx.store.resumesParts,
      urlsNeedChecksums: ctx.store.urlsNeedChecksums,
      fetching,
    }
  })
}

/** Bytes of parts that broke off, of the uploads that have such parts. */
async function readHeld(
  ctx: Pick<ReadCtx, 'db' | 'store'>,
  uploads: readonly UploadRow[],
): Promise<ReadonlyMap<string, { readonly bytes: number; readonly lastAt: Date | null }>> {
  const found = new Map<string, HeldBytes>()
  for (const upload of uploads) {
    // What the server fetches itself is counted by its import.
    if (isImport(upload)) continue
    const held = await readHeldBytes(ctx, upload)
    if (held.parts.length > 0) found.set(upload.id, held)
  }
  if (found.size === 0) return new Map()
  const stored = await ctx.db
    .select({ id: uploadParts.uploadRequestId, partNumber: uploadParts.partNumber })
    .from(uploadParts)
    .where(
      and(
        inArray(uploadParts.uploadRequestId, [...found.keys()]),
        inArray(
          uploadParts.partNumber,
          [...found.values()].flatMap(({ parts }) => parts.map(({ partNumber }) => partNumber)),
        ),
      ),
    )
  const isStored = new Set(stored.map(({ id, partNumber }) => `${id} ${partNumber}`))
  return new Map(
    Array.from(found, ([id, { parts, lastAt }]) => {
      const open = parts.filter(({ partNumber }) => !isStored.has(`${id} ${partNumber}`))
      const bytes = open.reduce((sum, { heldBytes }) => sum + heldBytes, 0)
      return [id, { bytes, lastAt: bytes === 0 ? null : lastAt }]
    }),
  )
}

function later(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one
}

/** Reads what lists show of one upload: no matter how large it is, the answer is small. */
export async function readUpload(
  ctx: Pick<ReadCtx, 'db' | 'store' | 'clock'>,
  { upload }: { readonly upload: UploadRow },
): Promise<UploadFacts> {
  return onlyRow(await readUploads(ctx, { uploads: [upload] }))
}

/**
 * Reads one upload with the parts that a client needs to go on. While the upload takes parts, those
 * that are not stored have a URL, good for an hour.
 */
export async function readUploadWithParts(
  ctx: Ctx,
  { upload }: { readonly upload: UploadRow },
): Promise<UploadWithParts> {
  // Only the server itself writes parts of what it fetches.
  if (isImport(upload))
    return { ...(await readUpload(ctx, { upload })), parts: [], urlsExpireAt: null }
  const holdings = await readHoldings(ctx, { upload })
  return {
    ...(await readUpload(ctx, { upload })),
    ...(await describeParts(ctx, {
      upload,
      holdings,
      partNumbers: listedParts(upload.partCount, holdings),
      urlLifeS: PART_URL_LIFE_S,
      hasUrl: (partNumber) =>
        upload.state === 'open' &&
        upload.storeCall !== 'opening' &&
        !holdings.stored.has(partNumber),
    })),
  }
}

/** Which parts of an open upload to read, in which order, and how long their URLs are good. */
interface PartsQuery {
  readonly upload: UploadRow
  readonly partNumbers: readonly number[]
  /** In base64 by part number, as far as the sender said them. */
  readonly checksums?: ReadonlyMap<number, string>
  readonly urlLifeS: number
}

/** Reads these parts of an upload that takes parts, each with a URL. */
export async function readParts(ctx: Ctx, query: PartsQuery): Promise<PartsWithUrls> {
  const { upload, partNumbers } = query
  const holdings = await readHoldings(ctx, { upload, asked: partNumbers })
  return await describeParts(ctx, { ...query, holdings, hasUrl: () => true })
}

/** What a store has of an upload, by part number. */
interface Holdings {
  readonly stored: ReadonlyMap<number, StoredPart>
  /** Bytes of parts that are held in part. */
  readonly heldBytes: ReadonlyMap<number, number>
}

/** What is held of parts that are not stored; none when the upload takes no parts. */
export async function readHeldParts(ctx: Ctx, upload: UploadRow): Promise<readonly HeldPart[]> {
  return (await readHeldBytes(ctx, upload)).parts
}

async function readHeldBytes(ctx: Pick<ReadCtx, 'store'>, upload: UploadRow): Promise<HeldBytes> {
  return upload.state === 'open'
    ? await ctx.store.heldParts(planOf(upload), upload.storeUploadId)
    : { parts: [], lastAt: null }
}

async function readHoldings(
  ctx: Ctx,
  { upload, asked }: { readonly upload: UploadRow; readonly asked?: readonly number[] },
): Promise<Holdings> {
  const plan = planOf(upload)
  const stored =
    upload.state === 'aborted' ? [] : await ctx.store.listParts(plan, upload.storeUploadId, asked)
  const held = await readHeldParts(ctx, upload)
  return {
    stored: new Map(stored.map((part) => [part.partNumber, part])),
    heldBytes: new Map(held.map((part) => [part.partNumber, part.heldBytes])),
  }
}

/**
 * The numbers of the parts that an answer lists: all that are stored or held in part and, of the
 * missing ones, the first and the last. 1,600 URLs would be 360 KB; `createPartUrls` gives the
 * others when their turn comes.
 */
function listedParts(partCount: number, { stored, heldBytes }: Holdings): number[] {
  const numbers = Array.from({ length: partCount }, (_, index) => index + 1)
  const missing = numbers.filter((number) => !stored.has(number) && !heldBytes.has(number))
  const left = new Set(missing.slice(MAX_LISTED_MISSING_PARTS - 1, -1))
  return numbers.filter((number) => !left.has(number))
}

async function describeParts(
  ctx: Ctx,
  {
    upload,
    holdings,
    partNumbers,
    checksums,
    urlLifeS,
    hasUrl,
  }: PartsQuery & {
    readonly holdings: Holdings
    readonly hasUrl: (partNumber: number) => boolean
  },
): Promise<PartsWithUrls> {
  const plan = planOf(upload)
  const expiresAt = new Date(ctx.clock().getTime() + urlLifeS * 1000)
  const describe = async (partNumber: number): Promise<PartFacts> => {
    const stored = holdings.stored.get(partNumber) ?? null
    const checksumSha256 = checksums?.get(partNumber) ?? null
    const part = { partNumber, checksumSha256 }
    const isSigned = hasUrl(partNumber) && (checksumSha256 !== null || !ctx.store.urlsNeedChecksums)
    return {
      partNumber,
      sizeBytes: placeOfPart(plan, partNumber).sizeBytes,
      stored,
      heldBytes: stored === null ? (holdings.heldBytes.get(partNumber) ?? 0) : 0,
      signed: isSigned
        ? await ctx.store.signPart(plan, upload.storeUploadId, part, urlLifeS)
        : null,
    }
  }
  const parts = await Promise.all(partNumbers.map(describe))
  return {
    parts,
    urlsExpireAt: parts.some((part) => part.signed !== null) ? expiresAt : null,
  }
}
