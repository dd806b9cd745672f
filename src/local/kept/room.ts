import type { Keeping } from '#src/local/db/facts.ts'
import type { KeptFileRow } from '#src/local/db/rows.ts'

/** Left free on the device, for uploads and for everything else of the browser. */
const LEFT_FREE_BYTES = 500_000_000
const DEFAULT_LIMIT_BYTES = 2_000_000_000
/** Of what the browser would give the app at most. */
const LARGEST_SHARE = 0.5

/** What the browser says of its storage; absent numbers are not known. */
export type Estimate = Pick<StorageEstimate, 'quota' | 'usage'>

/** The most that a limit may be; null where the browser does not say how much there is. */
export function largestLimit({ quota }: Estimate): number | null {
  return quota === undefined ? null : Math.floor(quota * LARGEST_SHARE)
}

/** What kept files may take, as it was chosen. */
export function limitOf(keeping: Pick<Keeping, 'limitBytes'> | null, estimate: Estimate): number {
  const chosen = keeping?.limitBytes ?? DEFAULT_LIMIT_BYTES
  return Math.min(chosen, largestLimit(estimate) ?? chosen)
}

/** What kept files take, those included that are still to come. */
export function takenBytes(files: readonly KeptFileRow[]): number {
  return files.reduce((sum, file) => sum + (file.state === 'failed' ? 0 : file.sizeBytes), 0)
}

/** Whether there is room for a file, and what has to go first where there is none. */
export type RoomFor =
  | { readonly kind: 'fits' }
  /** The files that were not opened for the longest time, as few as make room. */
  | { readonly kind: 'remove'; readonly files: readonly KeptFileRow[] }
  | { readonly kind: 'over-limit'; readonly limitBytes: number }
  | { readonly kind: 'device-full' }

export interface Room {
  /** All kept files, without the one in question. */
  readonly files: readonly KeptFileRow[]
  readonly limitBytes: number
  readonly estimate: Estimate
}

/**
 * Whether a file fits below the limit and into what is free on the device.
 * @param gotBytes of it that are here already
 */
export function roomFor(
  { files, limitBytes, estimate }: Room,
  sizeBytes: number,
  gotBytes = 0,
): RoomFor {
  const overLimit = takenBytes(files) + sizeBytes - limitBytes
  const overDevice = sizeBytes - gotBytes - freeBytes(files, estimate)
  const missing = Math.max(overLimit, overDevice)
  if (missing <= 0) return { kind: 'fits' }
  const going = oldestOf(files, missing)
  if (going !== null) return { kind: 'remove', files: going }
  return overLimit > 0 ? { kind: 'over-limit', limitBytes } : { kind: 'device-full' }
}

/**
 * Whether what is missing of a file fits into what is free on the device twice: the browser writes
 * it into a place of its own, from which it is copied.
 */
export function fitsTwice(
  { files, estimate }: Omit<Room, 'limitBytes'>,
  missingBytes: number,
): boolean {
  return 2 * missingBytes <= freeBytes(files, estimate)
}

/** What is free on the device beside what is still to come of these files. */
function freeBytes(
  files: readonly KeptFileRow[],
  { quota = Infinity, usage = 0 }: Estimate,
): number {
  const coming = files.reduce((sum, file) => sum + comingBytes(file), 0)
  return quota - usage - LEFT_FREE_BYTES - coming
}

function comingBytes({ state, sizeBytes, gotBytes, handed }: KeptFileRow): number {
  if (state !== 'queued' && state !== 'getting') return 0
  const copied = handed === undefined ? 0 : sizeBytes - handed.fromBytes
  return sizeBytes - gotBytes + copied
}

/** What has to go so that the kept files keep to a limit; null where they do. */
export function goingFor(
  files: readonly KeptFileRow[],
  limitBytes: number,
): readonly KeptFileRow[] | null {
  const over = takenBytes(files) - limitBytes
  return over <= 0 ? null : oldestOf(files, over)
}

/** The files that were not opened for the longest time and are so large together; null: too few. */
function oldestOf(files: readonly KeptFileRow[], bytes: number): readonly KeptFileRow[] | null {
  const kept = files
    .filter(({ state }) => state === 'kept')
    .toSorted((one, other) => one.lastOpenedAtEpochMs - other.lastOpenedAtEpochMs)
  let sum = 0
  const count = kept.findIndex(({ sizeBytes }) => (sum += sizeBytes) >= bytes) + 1
  return count === 0 ? null : kept.slice(0, count)
}
