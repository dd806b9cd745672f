/** Files in a bucket of an S3-compatible store. Its parts go there straight from the browser. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type MultipartUpload,
  type S3Client,
} from '@aws-sdk/client-s3'
import { createHash } from 'node:crypto'
import type { Copies } from '#server/object-store/copies.ts'
import { PartsMissing } from '#server/object-store/failures.ts'
import { findMissingParts } from '#server/object-store/missing-parts.ts'
import { placeOfPart } from '#server/object-store/part-place.ts'
import type {
  ClaimedPart,
  MultipartPlan,
  ObjectStore,
  StoredPart,
} from '#server/object-store/port.ts'
import { stalled } from '#server/object-store/receive-body.ts'
import { createS3Client, unlessMissing } from './client.ts'
import { createS3Copies, type S3CopiesDeps } from './copies.ts'
import { createObjects } from './objects.ts'
import { watchOutages } from './outages.ts'
import type { PartChecksums } from './part-checksums.ts'
import { DamagedObject } from './partial-copy.ts'
import type { S3Place } from './place.ts'
import { createSigner, type Signer } from './sign-part.ts'

interface S3StoreDeps {
  readonly place: S3Place
  readonly checksums: PartChecksums
  readonly clock: () => Date
  /** Where this process keeps its copies of objects, and how much of unused ones. */
  readonly copies: Pick<S3CopiesDeps, 'folder' | 'keepBytes' | 'onBytes'>
  /** Bytes that edits of this machine may take. */
  readonly roomForEdits: () => Promise<number>
  /** Told of each call how it ended. */
  readonly onCall?: (call: string, outcome: string) => void
  /** Told of the beginning of an outage, with what a call ran into, and of its end. */
  readonly onOutage?: (error: Error | null) => void
}

/** A store whose parts are compared with their SHA-256 by the store itself. */
export interface S3Store extends ObjectStore {
  readonly copies: Copies
  /** Ends the connections, and removes the copies. */
  close(): Promise<void>
}

export function createS3Store(deps: S3StoreDeps): S3Store {
  const client = createS3Client(deps.place, deps.onCall)
  const { bucket } = deps.place
  const { isAway } = watchOutages(client, { bucket, onChange: deps.onOutage ?? (() => undefined) })
  const on = { ...deps, client }
  const objects = { ...createObjects(client, bucket), isAway }
  const signer = createSigner(deps.place, deps.clock)
  const copies = createS3Copies({ ...deps.copies, store: objects, checksums: deps.checksums })
  return {
    resumesParts: false,
    urlsNeedChecksums: true,
    spareBytes: async () => null,
    usedShare: async () => null,
    roomForEdits: deps.roomForEdits,
    heldParts: async () => ({ parts: [], lastAt: null }),
    ...objects,
    publicUrl: async (objectKey, shown, expiresInS) =>
      await signer.file({ objectKey, ...shown }, expiresInS),
    ...partMethods(on, signer),
    ...uploadMethods(on),
    copies,
    // What reads an object next, reads it from the same copy.
    damagedParts: async (plan, signal) =>
      await copies
        .use(plan, signal, async () => [])
        .catch((error: unknown) => {
          if (error instanceof DamagedObject) return error.partNumbers
          throw error
        }),
    async close() {
      client.destroy()
      await copies.close()
    },
  }
}

/** What the calls about unfinished uploads share. */
interface Bucket extends S3StoreDeps {
  readonly client: S3Client
}

/** What is done with parts. */
function partMethods(
  on: Bucket,
  signer: Signer,
): Pick<ObjectStore, 'createMultipart' | 'signPart' | 'writePart' | 'listParts'> {
  const { client, place, checksums } = on
  return {
    createMultipart: async (plan) => ({ storeUploadId: await openUpload(on, plan) }),

    async signPart(plan, storeUploadId, { partNumber, checksumSha256 }, expiresInS) {
      if (checksumSha256 === null) throw new Error('S3 takes no part without its checksum')
      await checksums.add(plan.uploadId, partNumber, checksumSha256)
      const { sizeBytes } = placeOfPart(plan, partNumber)
      const part = { partNumber, sizeBytes, checksumSha256, objectKey: plan.objectKey }
      return await signer.part({ ...part, storeUploadId: needed(storeUploadId) }, expiresInS)
    },

    async writePart(plan, storeUploadId, partNumber, bytes) {
      const { sizeBytes } = placeOfPart(plan, partNumber)
      const chunks: Buffer[] = []
      for await (const chunk of bytes.from(0)) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      if (body.length !== sizeBytes) throw stalled()
      const checksumSha256 = createHash('sha256').update(body).digest('base64')
      await checksums.add(plan.uploadId, partNumber, checksumSha256)
      await client.send(
        new UploadPartCommand({
          ...uploadOf(on, plan, storeUploadId),
          PartNumber: partNumber,
          Body: body,
          ...(place.checksums === 'checksum' ? { ChecksumSHA256: checksumSha256 } : {}),
        }),
      )
    },

    // Each call about the next parts of a long video would else read what the store has of all.
    async listParts(plan, storeUploadId, asked) {
      if (storeUploadId === null) return []
      const unseen = asked === undefined ? 1 : await checksums.firstUnseen(plan.uploadId)
      const from = Math.min(unseen, ...(asked ?? []))
      const parts = await listParts(on, plan, storeUploadId, from)
      if (parts !== null) await checksums.seen(plan.uploadId, parts)
      return parts ?? []
    },
  }
}

/** What is done with whole uploads. */
function uploadMethods(
  on: Bucket,
): Pick<ObjectStore, 'completeMultipart' | 'reopenMultipart' | 'abortMultipart' | 'removeOrphans'> {
  const { client } = on
  return {
    completeMultipart: async (plan, storeUploadId, claimed) =>
      await complete(on, { plan, storeUploadId: needed(storeUploadId), claimed }),

    async reopenMultipart(plan, _storeUploadId, damaged) {
      const storeUploadId = await openUpload(on, plan)
      for (let partNumber = 1; partNumber <= plan.partCount; partNumber += 1) {
        if (damaged.includes(partNumber)) continue
        const { offset, sizeBytes } = placeOfPart(plan, partNumber)
        await client.send(
          new UploadPartCopyCommand({
            ...uploadOf(on, plan, storeUploadId),
            PartNumber: partNumber,
            CopySource: `${on.place.bucket}/${plan.objectKey}`,
            CopySourceRange: `bytes=${offset}-${offset + sizeBytes - 1}`,
          }),
        )
      }
      return { storeUploadId }
    },

    async abortMultipart(plan, storeUploadId) {
      if (storeUploadId === null) return
      const upload = uploadOf(on, plan, storeUploadId)
      await unlessMissing(client.send(new AbortMultipartUploadCommand(upload)))
    },

    async removeOrphans(before, isOpen) {
      const Bucket = on.place.bucket
      const longBefore = new Date(before.getTime() - LONGEST_WRITE_MS)
      let removed = 0
      for await (const { Key = '', UploadId, Initiated } of listUploads(client, Bucket)) {
        if (removed === MOST_REMOVED) break
        if (Initiated === undefined || Initiated >= before) continue
        const isLeft = Key.startsWith(UPLOADS)
          ? !(await isOpen(Key.slice(UPLOADS.length)))
          : OWN_FILES.test(Key) && Initiated < longBefore
        if (!isLeft) continue
        const upload = { Bucket, Key, UploadId }
        await unlessMissing(client.send(new AbortMultipartUploadCommand(upload)))
        removed += 1
      }
      return removed
    },
  }
}

/** Begins a multipart upload whose parts the store compares, and returns the store's id of it. */
export async function openUpload(
  { client, place }: Pick<Bucket, 'client' | 'place'>,
  { objectKey }: Pick<MultipartPlan, 'objectKey'>,
): Promise<string> {
  const composed =
    place.checksums === 'checksum'
      ? ({ ChecksumAlgorithm: 'SHA256', ChecksumType: 'COMPOSITE' } as const)
      : {}
  const object = { Bucket: place.bucket, Key: objectKey }
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...object, ...composed }),
  )
  return needed(UploadId)
}

function uploadOf({ place }: Bucket, { objectKey }: MultipartPlan, storeUploadId: string | null) {
  return { Bucket: place.bucket, Key: objectKey, UploadId: needed(storeUploadId) }
}

interface Completion {
  readonly plan: MultipartPlan
  readonly storeUploadId: string
  readonly claimed: readonly ClaimedPart[]
}

async function complete(
  on: Bucket,
  { plan, storeUploadId, claimed }: Completion,
): Promise<readonly StoredPart[]> {
  const { client, place, checksums } = on
  const { head } = createObjects(client, place.bucket)
  const isWhole = async (): Promise<boolean> =>
    (await head(plan.objectKey))?.sizeBytes === plan.sizeBytes
  const stored = await listParts(on, plan, storeUploadId)
  // An earlier call made the object and its answer was lost.
  if (stored === null && (await isWhole()))
    return knownParts(plan, claimed, await checksums.list(plan.uploadId))
  const missing = findMissingParts(plan, stored ?? [], claimed)
  if (stored === null || missing.length > 0) throw new PartsMissing(missing)
  await checksums.seen(plan.uploadId, stored)
  const Parts = stored.map(({ partNumber, eTag, checksumSha256 }) => ({
    PartNumber: partNumber,
    ETag: `"${eTag}"`,
    ...(place.checksums === 'checksum' && checksumSha256 !== null
      ? { ChecksumSHA256: checksumSha256 }
      : {}),
  }))
  const upload = { ...uploadOf(on, plan, storeUploadId), MultipartUpload: { Parts } }
  const made = await unlessMissing(client.send(new CompleteMultipartUploadCommand(upload)))
  // Another call was first, or it is gone.
  if (made === null && !(await isWhole()))
    throw new PartsMissing(stored.map(({ partNumber }) => partNumber))
  return stored
}

/**
 * The parts that the store has from this one on, by number; null when it does not know the upload.
 */
async function listParts(
  on: Bucket,
  plan: MultipartPlan,
  storeUploadId: string,
  from = 1,
): Promise<StoredPart[] | null> {
  const signed = await on.checksums.list(plan.uploadId, from)
  const upload = uploadOf(on, plan, storeUploadId)
  const read = async (): Promise<StoredPart[]> => {
    const parts: StoredPart[] = []
    let isMore = true
    // Ceph names a next page behind the last one too, where the client's own paginator never ends.
    for (let PartNumberMarker = from > 1 ? String(from - 1) : undefined; isMore;) {
      const page = await on.client.send(new ListPartsCommand({ ...upload, PartNumberMarker }))
      isMore = page.IsTruncated === true
      PartNumberMarker = page.NextPartNumberMarker
      for (const { PartNumber = 0, ETag = '', Size = 0, ChecksumSHA256 } of page.Parts ?? [])
        parts.push({
          partNumber: PartNumber,
          eTag: ETag.replaceAll('"', ''),
          sizeBytes: Size,
          checksumSha256: ChecksumSHA256 ?? onlyOf(signed.get(PartNumber)),
        })
    }
    return parts
  }
  return await unlessMissing(read())
}

const UPLOADS = 'uploads/'
/** What servers write themselves, in pieces where it is large. Other files are of others. */
const OWN_FILES = /^(?:outputs|segments|faces|samples|moments|previews)\//
/**
 * No process writes one file for that time: an outage ends the write, which begins again from its
 * first piece. So what is older was left by a process that was killed.
 */
const LONGEST_WRITE_MS = 6 * 24 * 60 * 60 * 1000
/** In one go; what is left goes in the next one. */
const MOST_REMOVED = 1000

/** Multipart uploads that are not completed. */
async function* listUploads(client: S3Client, Bucket: string): AsyncGenerator<MultipartUpload> {
  let isMore = true
  for (let from: { KeyMarker?: string; UploadIdMarker?: string } = {}; isMore;) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket, ...from }))
    yield* page.Uploads ?? []
    isMore = page.IsTruncated === true
    from = {
      ...(page.NextKeyMarker === undefined ? {} : { KeyMarker: page.NextKeyMarker }),
      ...(page.NextUploadIdMarker === undefined ? {} : { UploadIdMarker: page.NextUploadIdMarker }),
    }
  }
}

/** Of two that were signed, the store does not say which it has. */
function onlyOf(signed: readonly string[] | undefined): string | null {
  return signed?.length === 1 ? (signed[0] ?? null) : null
}

/** The parts of an object that was made before, of which the store has no list any more. */
function knownParts(
  plan: MultipartPlan,
  claimed: readonly ClaimedPart[],
  signed: ReadonlyMap<number, readonly string[]>,
): readonly StoredPart[] {
  const eTags = new Map(claimed.map(({ partNumber, eTag }) => [partNumber, eTag]))
  return Array.from({ length: plan.partCount }, (_, index) => ({
    partNumber: index + 1,
    eTag: eTags.get(index + 1) ?? '',
    sizeBytes: placeOfPart(plan, index + 1).sizeBytes,
    checksumSha256: onlyOf(signed.get(index + 1)),
  }))
}

function needed(storeUploadId: string | null | undefined): string {
  if (storeUploadId == null) throw new Error('A multipart upload of S3 has an id')
  return storeUploadId
}
