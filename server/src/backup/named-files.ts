import { and, asc, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'
import type { Db } from '#server/db/client.ts'
import * as schema from '#server/db/schema.ts'
import {
  momentPicturesKeyOf,
  momentVideoKeyOf,
  previewKeyOf,
  reviewCopyKeyOf,
  stripKeyOf,
} from '#server/operations/media/storage/keys.ts'

/** A stored file that a row names. */
export interface NamedFile {
  readonly key: string
  /** Null where no row says it. */
  readonly sizeBytes: number | null
  /** The upload whose whole file it is, which a check may just have opened again; else null. */
  readonly uploadId: string | null
  /** Rows also name it where it could not be made. */
  readonly isOptional: boolean
  /** Of its bytes; null where no row has it. */
  readonly crc32: number | null
  /** SHA-256 of its parts by number, hex, and what each but the last holds; null of other files. */
  readonly parts: { readonly sizeBytes: number; readonly sums: readonly string[] } | null
}

/** An upload that still takes parts, with those that are stored. */
export interface OpenUpload {
  readonly id: string
  readonly objectKey: string
  readonly sizeBytes: number
  readonly partSizeBytes: number
  readonly parts: readonly {
    readonly partNumber: number
    readonly sizeBytes: number
    /** SHA-256 of its bytes, hex. */
    readonly eTag: string
  }[]
}

/**
 * All stored files that rows name. What the server makes again by itself is not among them: short
 * pieces of its music, and parts of a search for faces.
 */
export async function readNamedFiles(client: Client): Promise<readonly NamedFile[]> {
  const db = drizzle(client, { schema })
  const { faceFindings, taskOutputs, uploadRequests } = schema
  const uploads = await db
    .select({
      id: uploadRequests.id,
      state: uploadRequests.state,
      objectKey: uploadRequests.objectKey,
      sizeBytes: uploadRequests.sizeBytes,
      partSizeBytes: uploadRequests.partSizeBytes,
      partCount: uploadRequests.partCount,
      sourceRemovedAt: uploadRequests.sourceRemovedAt,
      thumbnailKey: uploadRequests.thumbnailKey,
      hasPictures: isNotNull(uploadRequests.momentPictures).mapWith(Boolean),
      hasVideo: isNotNull(uploadRequests.momentVideo).mapWith(Boolean),
      videoBytes: uploadRequests.momentVideoBytes,
      assetPreview: uploadRequests.assetPreview,
    })
    .from(uploadRequests)
    .where(ne(uploadRequests.state, 'aborted'))
  const findings = await db
    .select({ id: faceFindings.uploadRequestId, finding: faceFindings.finding })
    .from(faceFindings)
  const outputs = await db
    .select({
      key: taskOutputs.objectKey,
      sizeBytes: taskOutputs.sizeBytes,
      crc32: taskOutputs.crc32,
    })
    .from(taskOutputs)
    .where(isNotNull(taskOutputs.objectKey))
  const sums = await readPartSums(db)
  return [
    ...uploads.flatMap((upload) => filesOf(upload, sums.get(upload.id) ?? [])),
    ...findings.flatMap(({ id, finding }) => [
      named(reviewCopyKeyOf(id)),
      ...tracksOf(finding).map((track) => ({ ...named(stripKeyOf(id, track)), isOptional: true })),
    ]),
    ...outputs.flatMap(({ key, sizeBytes, crc32 }) =>
      key === null ? [] : [{ ...named(key, sizeBytes), crc32 }],
    ),
  ]
}

/** SHA-256 of the parts of stored uploads, by their number. */
async function readPartSums(db: Pick<Db, 'select'>) {
  const { uploadParts, uploadRequests } = schema
  const rows = await db
    .select({ uploadId: uploadParts.uploadRequestId, sum: uploadParts.eTag })
    .from(uploadParts)
    .innerJoin(uploadRequests, eq(uploadRequests.id, uploadParts.uploadRequestId))
    .where(and(ne(uploadRequests.state, 'open'), isNull(uploadRequests.sourceRemovedAt)))
    .orderBy(asc(uploadParts.partNumber))
  const sums = new Map<string, string[]>()
  for (const { uploadId, sum } of rows) {
    const known = sums.get(uploadId)
    if (known === undefined) sums.set(uploadId, [sum])
    else known.push(sum)
  }
  return sums
}

interface FoundUpload {
  readonly id: string
  readonly state: string
  readonly objectKey: string
  readonly sizeBytes: number
  readonly partSizeBytes: number
  readonly partCount: number
  readonly sourceRemovedAt: Date | null
  readonly thumbnailKey: string | null
  readonly hasPictures: boolean
  readonly hasVideo: boolean
  readonly videoBytes: number
  readonly assetPreview: string | null
}

function filesOf(upload: FoundUpload, sums: readonly string[]): NamedFile[] {
  const { id, state, objectKey, sizeBytes, thumbnailKey } = upload
  // A check that finds damage forgets the damaged ones.
  const isKnown = sums.length === upload.partCount
  const parts = isKnown ? { sizeBytes: upload.partSizeBytes, sums } : null
  const isStored = state !== 'open' && upload.sourceRemovedAt === null
  return [
    ...(isStored ? [{ ...named(objectKey, sizeBytes), uploadId: id, parts }] : []),
    ...(thumbnailKey === null ? [] : [named(thumbnailKey)]),
    ...(upload.hasPictures ? [named(momentPicturesKeyOf(id))] : []),
    ...(upload.hasVideo ? [named(momentVideoKeyOf(id), upload.videoBytes)] : []),
    ...(upload.assetPreview === 'ready' ? [named(previewKeyOf(id))] : []),
  ]
}

function named(key: string, sizeBytes: number | null = null): NamedFile {
  return { key, sizeBytes, uploadId: null, isOptional: false, crc32: null, parts: null }
}

function tracksOf(finding: unknown): readonly string[] {
  const tracks = (finding as { readonly tracks?: readonly { readonly id: string }[] }).tracks
  return (tracks ?? []).map(({ id }) => id)
}

/** Uploads that still take parts. */
export async function readOpenUploads(client: Client): Promise<readonly OpenUpload[]> {
  const db = drizzle(client, { schema })
  const { uploadParts, uploadRequests } = schema
  const uploads = await db
    .select({
      id: uploadRequests.id,
      objectKey: uploadRequests.objectKey,
      sizeBytes: uploadRequests.sizeBytes,
      partSizeBytes: uploadRequests.partSizeBytes,
    })
    .from(uploadRequests)
    .where(eq(uploadRequests.state, 'open'))
  const parts = await db
    .select({
      uploadId: uploadParts.uploadRequestId,
      partNumber: uploadParts.partNumber,
      sizeBytes: uploadParts.sizeBytes,
      eTag: uploadParts.eTag,
    })
    .from(uploadParts)
    .innerJoin(uploadRequests, eq(uploadRequests.id, uploadParts.uploadRequestId))
    .where(eq(uploadRequests.state, 'open'))
    .orderBy(asc(uploadParts.partNumber))
  const byUpload = Map.groupBy(parts, ({ uploadId }) => uploadId)
  return uploads.map((upload) => ({ ...upload, parts: byUpload.get(upload.id) ?? [] }))
}
