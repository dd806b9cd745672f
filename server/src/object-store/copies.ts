import { open } from 'node:fs/promises'
import type { MultipartPlan } from './port.ts'

/** Bytes of an object: `end` is behind the last one. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** An object of which any bytes can be read, each compared with what was sent. */
export interface LentRanges {
  /** How many bytes have to be fetched first, to read these. */
  missingBytes(ranges: readonly ByteRange[]): number
  /** Rejects where the object has no such bytes, and with the reason of the signal. */
  read(range: ByteRange): Promise<Buffer>
}

/**
 * Lends stored files to programs that read them from a path. A store on this machine lends the file
 * itself; one elsewhere has to make a copy first.
 */
export interface Copies {
  /** Whether files are lent as they are: to lend one elsewhere, all of it has to be fetched. */
  readonly isHere: boolean
  /** Uploads of which bytes are here that others would have to fetch. */
  held(): readonly string[]
  /**
   * Calls `work` with a path of the whole object, which holds until `work` ends, and returns what
   * it returns. The file is only read. Rejects with the reason of `signal`.
   */
  use<T>(plan: MultipartPlan, signal: AbortSignal, work: (path: string) => Promise<T>): Promise<T>
  /** As `use`, for work that needs only some bytes of the object: no others are fetched for it. */
  useRanges<T>(
    plan: MultipartPlan,
    signal: AbortSignal,
    work: (ranges: LentRanges) => Promise<T>,
  ): Promise<T>
  /**
   * A path of an unfinished upload, with holes where parts are missing, or null where unfinished
   * bytes cannot be read. Only the parts that `listParts` of the store names are valid.
   */
  unfinishedPath(plan: MultipartPlan): string | null
}

/** Bytes of a file, all of which must be there. */
export async function readRange(path: string, { start, end }: ByteRange): Promise<Buffer> {
  await using file = await open(path, 'r')
  const length = end - start
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
  if (bytesRead < length) throw new Error(`${bytesRead} of ${length} bytes at ${start} are there`)
  return buffer
}

/** Lends several objects at once, in the order given. */
export async function lendAll<T>(
  copies: Pick<Copies, 'use'>,
  plans: readonly MultipartPlan[],
  signal: AbortSignal,
  work: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  const [first, ...rest] = plans
  if (first === undefined) return await work([])
  return await copies.use(
    first,
    signal,
    async (path) =>
      await lendAll(copies, rest, signal, async (paths) => await work([path, ...paths])),
  )
}
