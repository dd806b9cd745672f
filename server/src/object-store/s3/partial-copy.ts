import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ByteRange } from '#server/object-store/copies.ts'
import { orAborted, outlast } from '#server/object-store/outlast.ts'
import { placeOfPart } from '#server/object-store/part-place.ts'
import type { MultipartPlan, ObjectStore } from '#server/object-store/port.ts'
import { hashParts } from './hash-parts.ts'
import type { PartChecksums } from './part-checksums.ts'

export interface PartialCopyDeps {
  readonly store: Pick<ObjectStore, 'read' | 'isAway'>
  readonly checksums: Pick<PartChecksums, 'list'>
  /** Told of bytes that were wanted: they were on this machine, or they were fetched. */
  readonly onBytes?: (how: 'here' | 'fetched', bytes: number) => void
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

/** A copy of an object on this machine, with the parts that were wanted so far. */
export interface PartialCopy {
  /** With holes where parts were not wanted; not there before the first one was. */
  readonly path: string
  /** Bytes of the parts that are here. */
  heldBytes(): number
  /** Those of these parts that are not here. */
  missing(partNumbers: readonly number[]): readonly number[]
  /**
   * Fetches those that are not here, each once, however many want it. Rejects with `DamagedObject`
   * after all others are here, and with the reason of `signal`, which ends only this waiting.
   */
  bring(partNumbers: readonly number[], signal: AbortSignal): Promise<void>
  /** Ends what is being fetched, and resolves when it has ended. What is here stays. */
  stop(): Promise<void>
}

/** What is asked for in one go: others that want parts behind these need not wait for all. */
const RUN_BYTES = 512 * 1024 * 1024

/** Each part is compared with its SHA-256 on the way, and is not here before. */
export function createPartialCopy(
  deps: PartialCopyDeps,
  plan: MultipartPlan,
  path: string,
): PartialCopy {
  const here = new Set<number>()
  const coming = new Map<number, Promise<readonly number[]>>()
  let controller = new AbortController()
  let ended: Promise<unknown> = Promise.resolve()

  const missing = (partNumbers: readonly number[]): number[] =>
    partNumbers.filter((partNumber) => !here.has(partNumber))
  const begin = (parts: PartRun): Promise<readonly number[]> => {
    const { signal } = controller
    const run = fetchRun(deps, { plan, path, signal }, parts, (n) => here.add(n))
    for (const n of numbersOf(parts)) coming.set(n, run)
    const forget = (): void => {
      for (const n of numbersOf(parts)) if (coming.get(n) === run) coming.delete(n)
    }
    run.then(forget, forget)
    return run
  }
  return {
    path,
    heldBytes: () => [...here].reduce((sum, n) => sum + placeOfPart(plan, n).sizeBytes, 0),
    missing,
    async bring(partNumbers, signal) {
      await orAborted(ended, signal)
      const damaged = new Set<number>()
      for (;;) {
        const wanted = missing(partNumbers).filter((n) => !damaged.has(n))
        const [first] = wanted
        if (first === undefined) break
        const run = coming.get(first) ?? begin(runFrom(first, wanted, { plan, coming }))
        for (const n of await orAborted(run, signal)) damaged.add(n)
      }
      const own = partNumbers.filter((n) => damaged.has(n))
      if (own.length === 0) return
      // Those that are sent again become another object, of which nothing is here yet.
      here.clear()
      throw new DamagedObject(own.toSorted((a, b) => a - b))
    },
    async stop() {
      controller.abort(new Error('The copy is not wanted any more'))
      controller = new AbortController()
      ended = Promise.allSettled([ended, ...coming.values()])
      coming.clear()
      await ended
    },
  }
}

/** Parts that lie one behind the other, both included. */
interface PartRun {
  readonly first: number
  readonly last: number
}

function numbersOf({ first, last }: PartRun): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The first wanted part, and those behind it that are wanted too and not being fetched. */
function runFrom(
  first: number,
  wanted: readonly number[],
  { plan, coming }: { readonly plan: MultipartPlan; readonly coming: ReadonlyMap<number, unknown> },
): PartRun {
  const open = new Set(wanted)
  const most = Math.max(1, Math.floor(RUN_BYTES / plan.partSizeBytes))
  let last = first
  while (last - first + 1 < most && open.has(last + 1) && !coming.has(last + 1)) last += 1
  return { first, last }
}

/** Resolves with the numbers of those that are damaged. */
async function fetchRun(
  { store, checksums, onBytes }: PartialCopyDeps,
  {
    plan,
    path,
    signal,
  }: { readonly plan: MultipartPlan; readonly path: string; readonly signal: AbortSignal },
  { first, last }: PartRun,
  onHere: (partNumber: number) => void,
): Promise<readonly number[]> {
  const expected = await checksums.list(plan.uploadId)
  await mkdir(dirname(path), { recursive: true })
  signal.throwIfAborted()
  await using file = await open(path, constants.O_WRONLY | constants.O_CREAT)
  const end = placeOfPart(plan, last)
  const range = { start: placeOfPart(plan, first).offset, end: end.offset + end.sizeBytes }
  const damaged: number[] = []
  const bytes = keep(file, range.start, readRanges(store, plan.objectKey, range, signal))
  for await (const [n, found] of hashParts(bytes, plan, { first, last })) {
    signal.throwIfAborted()
    onBytes?.('fetched', placeOfPart(plan, n).sizeBytes)
    if (expected.get(n)?.includes(found) === true) onHere(n)
    else damaged.push(n)
  }
  return damaged
}

async function* keep(
  file: FileHandle,
  start: number,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let at = start
  for await (const chunk of chunks) {
    await file.write(chunk, 0, chunk.length, at)
    at += chunk.length
    yield chunk
  }
}

const RANGE_BYTES = 8 * 1024 * 1024
const RANGES_AT_ONCE = 4

/** Bytes of an object in order, by requests some of which are always under way. */
async function* readRanges(
  store: PartialCopyDeps['store'],
  objectKey: string,
  { start: first, end: last }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const pending: Promise<Buffer>[] = []
  let next = first
  const ask = (): void => {
    const start = next
    next = Math.min(last, start + RANGE_BYTES)
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
  while (next < last || pending.length > 0) {
    while (next < last && pending.length < RANGES_AT_ONCE) ask()
    const asked = pending.shift()
    if (asked !== undefined) yield await orAborted(asked, signal)
  }
}
