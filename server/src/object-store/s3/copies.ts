import { mkdir, open, rename, rm, utimes, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Copies } from '#server/object-store/copies.ts'
import { outlast } from '#server/object-store/outlast.ts'
import type { MultipartPlan, ObjectStore } from '#server/object-store/port.ts'
import { findDamagedParts } from './damaged-parts.ts'
import type { PartChecksums } from './part-checksums.ts'

interface S3CopiesDeps {
  readonly store: Pick<ObjectStore, 'read' | 'isAway'>
  readonly checksums: Pick<PartChecksums, 'list'>
  /** Of this process alone; made when missing. */
  readonly folder: string
  /** What copies that are not used may take together. */
  readonly keepBytes: number
}

/** An object has parts whose bytes are not those that were sent. */
export class DamagedObject extends Error {
  override readonly name = 'DamagedObject'
  readonly code = 'object-store/damaged'
  /** Ascending. */
  readonly partNumbers: readonly number[]

  constructor(partNumbers: readonly number[]) {
    super(`${partNumbers.length} parts in the store are damaged`)
    this.partNumbers = partNumbers
  }
}

/** Copies that this process made, and can remove. */
interface S3Copies extends Copies {
  close(): Promise<void>
}

/** Edits of a video come one after the other; behind an hour its next one is another day's. */
const UNUSED_MS = 3_600_000

interface Copy {
  users: number
  isMade: boolean
  /** When its last use ended; 0 before. */
  usedAt: number
  readonly sizeBytes: number
  readonly path: Promise<string>
  /** Ends the making of it. */
  readonly controller: AbortController
}

/**
 * Copies of objects on this machine: one for each upload, however many use it. They are read once,
 * and each part is compared with its SHA-256 on the way. Unused ones stay until others need the
 * room.
 */
export function createS3Copies(deps: S3CopiesDeps): S3Copies {
  // In the order of their last use.
  const copies = new Map<string, Copy>()
  const drop = async (uploadId: string): Promise<void> => {
    copies.delete(uploadId)
    await rm(join(deps.folder, uploadId), { force: true })
  }
  const begin = (plan: MultipartPlan): Copy => {
    const controller = new AbortController()
    const path = fill(deps, plan, controller.signal)
    const { sizeBytes } = plan
    const copy: Copy = { users: 0, isMade: false, usedAt: 0, sizeBytes, path, controller }
    path.then(
      () => (copy.isMade = true),
      () => copies.get(plan.uploadId) === copy && copies.delete(plan.uploadId),
    )
    return copy
  }
  const release = async (uploadId: string, copy: Copy): Promise<void> => {
    copy.users -= 1
    if (copy.users > 0 || copies.get(uploadId) !== copy) return
    if (!copy.isMade) {
      copies.delete(uploadId)
      copy.controller.abort(new Error('The copy is not wanted any more'))
      return
    }
    for (const id of beyond(copies, deps.keepBytes)) await drop(id)
    if (copies.get(uploadId) === copy) dropUnusedLater(uploadId, copy)
  }
  // A video that its owner deletes is not kept by a worker that has nothing else to do.
  const dropUnusedLater = (uploadId: string, copy: Copy): void => {
    const usedAt = (copy.usedAt = performance.now())
    const isUnused = (): boolean =>
      copies.get(uploadId) === copy && copy.users === 0 && copy.usedAt === usedAt
    setTimeout(() => void (isUnused() && drop(uploadId)), UNUSED_MS).unref()
  }
  // The sweep of attempts takes a folder that nothing has touched for two days.
  const forgetMade = (): void => {
    for (const [id, { isMade }] of copies) if (isMade) copies.delete(id)
  }
  return {
    async use(plan, signal, work) {
      signal.throwIfAborted()
      if (!(await touch(deps.folder))) forgetMade()
      const copy = copies.get(plan.uploadId) ?? begin(plan)
      copies.delete(plan.uploadId)
      copies.set(plan.uploadId, copy)
      copy.users += 1
      try {
        return await work(await orAborted(copy.path, signal))
      } finally {
        await release(plan.uploadId, copy)
      }
    },
    isHere: false,
    unfinishedPath: () => null,
    close: async () => await rm(deps.folder, { recursive: true, force: true }),
  }
}

/** Unused copies that have to go, the oldest first, so that those that stay take `keepBytes`. */
function beyond(copies: ReadonlyMap<string, Copy>, keepBytes: number): readonly string[] {
  const unused = Array.from(copies).filter(([, { users, isMade }]) => users === 0 && isMade)
  let bytes = unused.reduce((sum, [, { sizeBytes }]) => sum + sizeBytes, 0)
  const dropped: string[] = []
  for (const [id, { sizeBytes }] of unused) {
    if (bytes <= keepBytes) break
    bytes -= sizeBytes
    dropped.push(id)
  }
  return dropped
}

/** False where the folder is not there. */
async function touch(folder: string): Promise<boolean> {
  const now = new Date()
  return await utimes(folder, now, now).then(
    () => true,
    () => false,
  )
}

async function orAborted<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([waiting, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Makes a copy under another name first, so that what a crash left is taken for none. */
async function fill(
  { store, checksums, folder }: S3CopiesDeps,
  plan: MultipartPlan,
  signal: AbortSignal,
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, plan.uploadId)
  const unfinished = `${path}.${crypto.randomUUID()}`
  try {
    await using file = await open(unfinished, 'w')
    const expected = { plan, checksums: await checksums.list(plan.uploadId), signal }
    const damaged = await findDamagedParts(keep(file, readRanges(store, plan, signal)), expected)
    if (damaged.length > 0) throw new DamagedObject(damaged)
    await rename(unfinished, path)
    return path
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function* keep(file: FileHandle, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of chunks) {
    await file.write(chunk, 0, chunk.length, at)
    at += chunk.length
    yield chunk
  }
}

const RANGE_BYTES = 8 * 1024 * 1024
const RANGES_AT_ONCE = 4

/** The bytes of an object in order, by requests some of which are always under way. */
async function* readRanges(
  store: S3CopiesDeps['store'],
  { objectKey, sizeBytes }: MultipartPlan,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const pending: Promise<Buffer>[] = []
  let next = 0
  const ask = (): void => {
    const start = next
    next = Math.min(sizeBytes, start + RANGE_BYTES)
    const range = { start, end: next - 1 }
    // What is here already of a large file stays when the store goes away.
    const read = outlast(
      store,
      signal,
      async () => await buffer(await store.read(objectKey, range)),
    )
    // What reads them in order may have ended by then.
    read.catch(() => undefined)
    pending.push(read)
  }
  while (next < sizeBytes || pending.length > 0) {
    while (next < sizeBytes && pending.length < RANGES_AT_ONCE) ask()
    const chunk = await pending.shift()
    if (chunk !== undefined) yield chunk
  }
}
