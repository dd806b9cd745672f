/**
 * Unfinished and finished files on the server's own disk. It is one file because an upload becomes
 * an object by a rename, so that both must agree on places and on what is synced.
 */
import { copyFile, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readRange, type Copies } from './copies.ts'
import { findDamagedParts } from './damaged-parts.ts'
import { createDiskRoom, type DiskRoom } from './disk-room.ts'
import { NoSpace, PartsMissing } from './failures.ts'
import { freeBytesOf } from './free-bytes.ts'
import { readHeldFile } from './held-parts.ts'
import { findMissingParts } from './missing-parts.ts'
import type { PartLedger } from './part-ledger.ts'
import type { PartLocks } from './part-locks.ts'
import { placeOfPart } from './part-place.ts'
import { createPartTurns } from './part-turns.ts'
import { createPartWriter, type PartWriter } from './part-writer.ts'
import type { Key } from '#server/db/secrets.ts'
import { removePinsOfEnded } from './pins.ts'
import { readPartUrl, signPartUrl, type ReadPartUrl } from './part-url.ts'
import type { MultipartPlan, ObjectStore } from './port.ts'

/** The server's own disk. Parts come to `routes/parts.ts`, which hands them to `parts`. */
export interface DiskStore extends ObjectStore {
  readonly parts: PartWriter
  /** The files themselves. */
  readonly copies: Copies
  /** What a part URL grants now. */
  readGrant(pathAndQuery: string): ReadPartUrl
}

interface DiskStoreDeps {
  /**
   * Folder of its own; made when missing. Everything below is `multipart/<uploadId>`,
   * `held/<uploadId>`, `objects/<key>`, or in `pins` for the time of a backup.
   */
  readonly root: string
  /** Signs part URLs. */
  readonly key: Key
  readonly ledger: PartLedger
  readonly locks: PartLocks
  readonly clock: () => Date
  /** Bytes of the file system that stay free for the database. */
  readonly floorBytes: number
  /** Free bytes of the file system; `statfs` unless a test gives another number. */
  readonly freeBytes?: () => Promise<number>
  readonly idleMs?: number
}

/**
 * One preallocated file for each upload, with parts written at their offset, so completing 25 GB is
 * a rename. Everything is synced before it is reported: what was answered survives a power cut.
 */
export function createDiskStore(deps: DiskStoreDeps): DiskStore {
  const places = placesOf(deps.root)
  const room = createDiskRoom({
    multipartDir: places.multipartDir,
    freeBytes: deps.freeBytes ?? (async () => await freeBytesOf(deps.root)),
    floorBytes: deps.floorBytes,
    clock: deps.clock,
  })
  const parts = createPartWriter({
    room,
    fileOf: places.fileOf,
    heldFileOf: places.heldFileOf,
    ledger: deps.ledger,
    turns: createPartTurns(deps.locks),
    ...(deps.idleMs === undefined ? {} : { idleMs: deps.idleMs }),
  })
  return {
    parts,
    copies: {
      held: () => [],
      isHere: true,
      async use({ objectKey }, signal, work) {
        signal.throwIfAborted()
        return await work(places.objectOf(objectKey))
      },
      async useRanges({ objectKey }, signal, work) {
        signal.throwIfAborted()
        const path = places.objectOf(objectKey)
        return await work({
          missingBytes: () => 0,
          read: async (range) => await readRange(path, range),
        })
      },
      unfinishedPath: ({ uploadId }) => places.fileOf(uploadId),
    },
    async writePart(plan, _storeUploadId, partNumber, bytes) {
      // It is no grant to anybody: it never leaves this process.
      const grant = { ...grantOf(plan, partNumber), expiresAtEpochS: 0 }
      await parts.writeFetched({ grant, bytes })
    },
    readGrant: (pathAndQuery) => readPartUrl(deps.key, pathAndQuery, deps.clock().getTime()),
    spareBytes: async () => await room.spare(),
    usedShare: async () => await usedShareOf(deps.root),
    roomForEdits: async () => await room.aboveFloor(),
    isAway: async () => false,
    ...multipartMethods(deps, places, room),
    ...objectMethods(places),
    damagedParts: async (plan, signal) =>
      await findDamagedParts(
        (await sizeOf(places.objectOf(plan.objectKey))) === null
          ? places.fileOf(plan.uploadId)
          : places.objectOf(plan.objectKey),
        plan,
        await deps.ledger.list(plan.uploadId),
        signal,
      ),
  }
}

/** Where a disk store keeps its files. */
export interface Places {
  readonly multipartDir: string
  readonly heldDir: string
  fileOf(uploadId: string): string
  heldFileOf(uploadId: string): string
  objectOf(objectKey: string): string
}

/** Where the disk store of a root folder keeps what. */
export function placesOf(root: string): Places {
  const multipartDir = join(root, 'multipart')
  const heldDir = join(root, 'held')
  return {
    multipartDir,
    heldDir,
    fileOf: (uploadId) => join(multipartDir, safe(uploadId)),
    heldFileOf: (uploadId) => join(heldDir, safe(uploadId)),
    objectOf: (key) => join(root, 'objects', ...key.split('/').map(safe)),
  }
}

type MultipartMethods = Pick<
  ObjectStore,
  | 'createMultipart'
  | 'signPart'
  | 'resumesParts'
  | 'urlsNeedChecksums'
  | 'listParts'
  | 'heldParts'
  | 'completeMultipart'
  | 'reopenMultipart'
  | 'abortMultipart'
  | 'removeOrphans'
>

/** Unfinished uploads: files below `multipart`, whose parts the ledger knows. */
function multipartMethods(deps: DiskStoreDeps, places: Places, room: DiskRoom): MultipartMethods {
  const { fileOf, heldFileOf, objectOf } = places
  const reserve = createReservations(room, places)
  return {
    resumesParts: true,
    urlsNeedChecksums: false,

    async createMultipart(plan) {
      await reserve(plan)
      return { storeUploadId: null }
    },

    async signPart(plan, _storeUploadId, { partNumber }, expiresInS) {
      const expiresAtEpochS = Math.floor(deps.clock().getTime() / 1000) + expiresInS
      const grant = { ...grantOf(plan, partNumber), expiresAtEpochS }
      return { url: signPartUrl(deps.key, grant), headers: {} }
    },

    listParts: async (plan) => await deps.ledger.list(plan.uploadId),

    heldParts: async (plan) => await readHeldFile(heldFileOf(plan.uploadId)),

    async completeMultipart(plan, _storeUploadId, parts) {
      const stored = await deps.ledger.list(plan.uploadId)
      const missing = findMissingParts(plan, stored, parts)
      if (missing.length > 0) throw new PartsMissing(missing)
      await publish(objectOf(plan.objectKey), fileOf(plan.uploadId), plan.sizeBytes)
      await rm(heldFileOf(plan.uploadId), { force: true })
      return stored
    },

    async reopenMultipart(plan) {
      await withdraw(objectOf(plan.objectKey), fileOf(plan.uploadId), plan.sizeBytes)
      return { storeUploadId: null }
    },

    async abortMultipart(plan) {
      await rm(fileOf(plan.uploadId), { force: true })
      await rm(heldFileOf(plan.uploadId), { force: true })
    },

    async removeOrphans(before, isOpen) {
      await removePinsOfEnded(deps.root)
      return (
        (await removeOld(places.multipartDir, before, isOpen)) +
        (await removeOld(places.heldDir, before, isOpen))
      )
    },
  }
}

/** Which part of which upload, where it begins in the file, and how much of it there is. */
function grantOf(plan: MultipartPlan, partNumber: number) {
  return { uploadId: plan.uploadId, partNumber, ...placeOfPart(plan, partNumber) }
}

/** Removes the files of a folder that are older than `before` and of no open upload. */
async function removeOld(
  folder: string,
  before: Date,
  isOpen: (uploadId: string) => Promise<boolean>,
): Promise<number> {
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const touched = await stat(path).then(
      (facts) => facts.mtimeMs,
      () => Infinity,
    )
    if (touched >= before.getTime() || (await isOpen(name))) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}

/**
 * Makes the file of an upload, sparse: it takes room as its parts come. One at a time: each upload
 * sees what those before it were promised.
 */
function createReservations(
  room: DiskRoom,
  { multipartDir, fileOf }: Places,
): (plan: MultipartPlan) => Promise<void> {
  const reserve = async (plan: MultipartPlan): Promise<void> => {
    await mkdir(multipartDir, { recursive: true })
    if ((await sizeOf(fileOf(plan.uploadId))) === plan.sizeBytes) return
    const available = await room.spare()
    if (plan.sizeBytes > available)
      throw new NoSpace(`${plan.sizeBytes} bytes asked for, ${available} available`)
    await using file = await open(fileOf(plan.uploadId), 'w')
    await file.truncate(plan.sizeBytes)
    await file.sync()
    await syncFolder(multipartDir)
  }
  let last: Promise<unknown> = Promise.resolve()
  return async (plan) => {
    const reserved = last.then(() => reserve(plan))
    last = reserved.catch(() => undefined)
    await reserved
  }
}

async function usedShareOf(folder: string): Promise<number> {
  const { blocks, bavail } = await statfs(folder)
  return 1 - bavail / blocks
}

type ObjectMethods = Pick<
  ObjectStore,
  'putFile' | 'head' | 'read' | 'publicUrl' | 'remove' | 'removeAll'
>

/** Finished files, below `objects`. */
function objectMethods({ objectOf }: Places): ObjectMethods {
  return {
    async putFile(objectKey, localPath) {
      const target = objectOf(objectKey)
      await mkdir(dirname(target), { recursive: true })
      const inPlace = await renameWithinDisk(localPath, target)
      if (!inPlace) {
        await copyFile(localPath, `${target}.copying`)
        await rename(`${target}.copying`, target)
        await rm(localPath, { force: true })
      }
      await using file = await open(target, 'r')
      await file.sync()
      await syncFolder(dirname(target))
      return { sizeBytes: (await file.stat()).size }
    },

    async head(objectKey) {
      const sizeBytes = await sizeOf(objectOf(objectKey))
      return sizeBytes === null ? null : { sizeBytes }
    },

    async read(objectKey, range) {
      const file = await open(objectOf(objectKey), 'r')
      return file.createReadStream(
        range === undefined ? {} : { start: range.start, end: range.end },
      )
    },

    publicUrl: () => Promise.resolve(null),

    async remove(objectKey) {
      await rm(objectOf(objectKey), { force: true })
    },

    async removeAll(prefix) {
      await rm(objectOf(prefix), { recursive: true, force: true })
    },
  }
}

/** Moves an object back to its unfinished file and gives that the planned size. */
async function withdraw(source: string, target: string, sizeBytes: number): Promise<void> {
  // A crash may have come between the rename and the row that says so.
  if ((await sizeOf(source)) !== null) await moveInto(target, source)
  await using file = await open(target, 'r+')
  await file.truncate(sizeBytes)
  await file.sync()
}

/**
 * Moves the file of a complete upload to its object; does nothing when that was done before, or is
 * done by another call meanwhile: two devices may end one upload.
 */
async function publish(target: string, source: string, sizeBytes: number): Promise<void> {
  try {
    await using file = await open(source, 'r+')
    await file.sync()
    await moveInto(target, source)
  } catch (error) {
    // A crash may have come between the rename and the row that says so.
    if (!isMissing(error) || (await sizeOf(target)) !== sizeBytes) throw error
    // Whose rename it was may not have come so far.
    await syncMove(target, source)
  }
}

async function moveInto(target: string, source: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await rename(source, target)
  await syncMove(target, source)
}

async function syncMove(target: string, source: string): Promise<void> {
  await syncFolder(dirname(target))
  await syncFolder(dirname(source))
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function renameWithinDisk(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EXDEV') return false
    throw error
  }
}

async function sizeOf(path: string): Promise<number | null> {
  return await stat(path).then(
    (facts) => facts.size,
    () => null,
  )
}

/** Makes names in a folder durable; without it a power cut may forget a renamed file. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}

/** The server makes the keys; this only keeps a mistake from leaving the folder. */
function safe(segment: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(segment))
    throw new Error('An object key may not hold this segment')
  return segment
}
