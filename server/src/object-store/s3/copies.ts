import { randomUUID } from 'node:crypto'
import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import {
  readRange,
  type ByteRange,
  type Copies,
  type LentRanges,
} from '#server/object-store/copies.ts'
import { placeOfPart } from '#server/object-store/part-place.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'
import { createPartialCopy, type PartialCopy, type PartialCopyDeps } from './partial-copy.ts'

export interface S3CopiesDeps extends PartialCopyDeps {
  /** Of this process alone; made when missing. */
  readonly folder: string
  /** What copies that are not used may take together. */
  readonly keepBytes: number
}

/** Copies that this process made, and can remove. */
interface S3Copies extends Copies {
  close(): Promise<void>
}

/** Edits of a video come one after the other; behind an hour its next one is another day's. */
const UNUSED_MS = 3_600_000

interface Copy {
  users: number
  /** When its last use ended; 0 before. */
  usedAt: number
  readonly file: PartialCopy
}

interface Lending {
  readonly lend: Lend
  held(): readonly string[]
}

type Lend = <T>(
  plan: MultipartPlan,
  signal: AbortSignal,
  work: (copy: PartialCopy) => Promise<T>,
) => Promise<T>

/** Lends the copy of an object for as long as `work` takes, with whatever is here of it. */
function createLending(deps: S3CopiesDeps): Lending {
  // In the order of their last use.
  const copies = new Map<string, Copy>()
  const drop = async (uploadId: string, { file }: Copy): Promise<void> => {
    copies.delete(uploadId)
    await file.stop()
    await rm(file.path, { force: true })
  }
  const release = async (uploadId: string, copy: Copy): Promise<void> => {
    copy.users -= 1
    if (copy.users > 0 || copies.get(uploadId) !== copy) return
    await copy.file.stop()
    if (copy.users > 0 || copies.get(uploadId) !== copy) return
    for (const [id, unused] of beyond(copies, deps.keepBytes)) await drop(id, unused)
    if (copies.get(uploadId) === copy) dropUnusedLater(uploadId, copy)
  }
  // A video that its owner deletes is not kept by a worker that has nothing else to do.
  const dropUnusedLater = (uploadId: string, copy: Copy): void => {
    const usedAt = (copy.usedAt = performance.now())
    const isUnused = (): boolean =>
      copies.get(uploadId) === copy && copy.users === 0 && copy.usedAt === usedAt
    setTimeout(() => void (isUnused() && drop(uploadId, copy)), UNUSED_MS).unref()
  }
  // The sweep of attempts takes a folder that nothing has touched for two days.
  const forgetHeld = (): void => {
    for (const [id, { file }] of copies) if (file.heldBytes() > 0) copies.delete(id)
  }
  const lend: Lend = async (plan, signal, work) => {
    const { uploadId } = plan
    signal.throwIfAborted()
    if (!(await touch(deps.folder))) forgetHeld()
    const path = join(deps.folder, `${uploadId}.${randomUUID()}`)
    const copy = copies.get(uploadId) ?? {
      users: 0,
      usedAt: 0,
      file: createPartialCopy(deps, plan, path),
    }
    copies.delete(uploadId)
    copies.set(uploadId, copy)
    copy.users += 1
    try {
      return await work(copy.file)
    } finally {
      await release(uploadId, copy)
    }
  }
  const held = (): readonly string[] =>
    Array.from(copies, ([id, { file }]) => (file.heldBytes() > 0 ? [id] : [])).flat()
  return { lend, held }
}

/**
 * Copies of objects on this machine: one for each upload, however many use it. What is wanted of an
 * object is read once. Unused ones stay until others need the room.
 */
export function createS3Copies(deps: S3CopiesDeps): S3Copies {
  const { lend, held } = createLending(deps)
  return {
    held,
    use: async (plan, signal, work) =>
      await lend(plan, signal, async (copy) => {
        deps.onBytes?.('here', copy.heldBytes())
        await copy.bring(partsIn(plan, [{ start: 0, end: plan.sizeBytes }]), signal)
        return await work(copy.path)
      }),
    useRanges: async (plan, signal, work) =>
      await lend(plan, signal, async (copy) => await work(rangesOf(copy, plan, signal, deps))),
    isHere: false,
    unfinishedPath: () => null,
    close: async () => await rm(deps.folder, { recursive: true, force: true }),
  }
}

function rangesOf(
  copy: PartialCopy,
  plan: MultipartPlan,
  signal: AbortSignal,
  { onBytes }: Pick<S3CopiesDeps, 'onBytes'>,
): LentRanges {
  return {
    missingBytes: (ranges) =>
      copy
        .missing(partsIn(plan, ranges))
        .reduce((sum, n) => sum + placeOfPart(plan, n).sizeBytes, 0),
    async read(range) {
      const parts = partsIn(plan, [range])
      if (copy.missing(parts).length === 0) onBytes?.('here', range.end - range.start)
      await copy.bring(parts, signal)
      return await readRange(copy.path, range)
    },
  }
}

/** The parts that have these bytes, each once. */
function partsIn(
  { partSizeBytes, partCount }: MultipartPlan,
  ranges: readonly ByteRange[],
): readonly number[] {
  const parts = new Set<number>()
  for (const { start, end } of ranges) {
    const last = Math.min(partCount, Math.ceil(end / partSizeBytes))
    for (let n = Math.floor(start / partSizeBytes) + 1; n <= last; n += 1) parts.add(n)
  }
  return [...parts]
}

/** Unused copies that have to go, the oldest first, so that those that stay take `keepBytes`. */
function beyond(
  copies: ReadonlyMap<string, Copy>,
  keepBytes: number,
): readonly (readonly [string, Copy])[] {
  const unused = Array.from(copies, ([id, copy]) => ({
    id,
    copy,
    bytes: copy.file.heldBytes(),
  })).filter(({ copy }) => copy.users === 0)
  let bytes = unused.reduce((sum, each) => sum + each.bytes, 0)
  const dropped: (readonly [string, Copy])[] = []
  for (const { id, copy, bytes: held } of unused) {
    if (bytes <= keepBytes) break
    bytes -= held
    dropped.push([id, copy])
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
