import { leastSent, type PartInFlight } from '#src/local/uploads/network/parts-in-flight.ts'
import {
  beginTrial,
  judgeBytes,
  judgePart,
  mayReduce,
  SHARED,
  type Verdict,
  type SlotSample,
  type Concurrency,
} from './concurrency-trial.ts'
import { MULTIPART_CONCURRENT_PARTS } from '#src/config/limits.ts'

/**
 * Which part is sent next, and how many at once. Pure: every function returns a new schedule.
 *
 * [Note: part attempt] A part is in `pending` or in `inFlight`, never in both. Each attempt is
 * settled exactly once: the part is safe, or it must be sent again.
 */

/** The most parts at once, over all uploads of the account on this device. */
export const MAX_SLOTS = MULTIPART_CONCURRENT_PARTS
/**
 * One part should take this long: short enough that a fault costs little, long enough that headers
 * cost little (docs/product-decisions.md#part-timeouts).
 */
const PART_TARGET_MIN_MS = 5_000
const PART_TARGET_MAX_MS = 20_000
const MEASUREMENTS = 3
/** If all parts in flight would take longer than this, fewer at once are safe earlier. */
const PATIENCE_MS = 2 * 60_000
/** A part with a larger share sent keeps its slot when the slots are reduced. */
const NEARLY_NOTHING = 1 / 16

export interface Schedule {
  readonly limit: number
  readonly pending: readonly number[]
  readonly inFlight: ReadonlySet<number>
  /** Milliseconds that each part would have taken alone on a shared network, newest last. */
  readonly aloneMs: readonly number[]
  readonly concurrency: Concurrency
}

/** What a transfer learned about its network, for the next transfer over it. */
export type SlotCount = Pick<Schedule, 'limit' | 'concurrency'>

/** How one part was sent. */
export interface PartTimes {
  readonly tookMs: number
  /** As in `Schedule`. */
  readonly aloneMs: number
  /** What each slot carries. */
  readonly slotBytesPerSecond: number
}

/** A schedule for the missing parts, in the given order. */
export function createSchedule(
  missing: readonly number[],
  { limit, concurrency }: SlotCount,
): Schedule {
  return {
    limit: Math.min(MAX_SLOTS, Math.max(1, limit)),
    pending: missing,
    inFlight: new Set(),
    aloneMs: [],
    concurrency,
  }
}

/** The slots before anything is known about the network. */
export function firstSlots(limit: number): SlotCount {
  return { limit, concurrency: SHARED }
}

/** Moves the next part to `inFlight`; null when none is pending or all slots are taken. */
export function takePart(
  schedule: Schedule,
): { readonly schedule: Schedule; readonly partNumber: number } | null {
  const [partNumber, ...pending] = schedule.pending
  if (partNumber === undefined || schedule.inFlight.size >= schedule.limit) return null
  return {
    partNumber,
    schedule: { ...schedule, pending, inFlight: new Set([...schedule.inFlight, partNumber]) },
  }
}

/** A part in flight is safe; its times set the number of slots. */
export function settleSafe(schedule: Schedule, partNumber: number, times: PartTimes): Schedule {
  if (!schedule.inFlight.has(partNumber)) return schedule
  const aloneMs = [...schedule.aloneMs, Math.max(1, times.aloneMs)].slice(-MEASUREMENTS)
  const settled = judgedSchedule(
    { ...without(schedule, partNumber), aloneMs },
    judgePart(schedule.concurrency, schedule.limit, partNumber, times.tookMs),
  )
  if (times.tookMs < PART_TARGET_MIN_MS)
    return { ...settled, limit: Math.min(MAX_SLOTS, settled.limit + 1) }
  return times.tookMs <= PART_TARGET_MAX_MS
    ? settled
    : reduced(settled, fitting(median(aloneMs)), times)
}

/**
 * Reduces the slots as soon as the network is so slow that all parts in flight would take minutes.
 * `waiting`: parts of which almost nothing was sent; drop them, they are sent later.
 */
export function reduceSlots(
  schedule: Schedule,
  underWay: readonly PartInFlight[],
  bytesPerSecond: number,
  slotBytesPerSecond: number,
): { readonly schedule: Schedule; readonly waiting: readonly number[] } {
  const leftBytes = underWay.reduce((sum, part) => sum + part.sizeBytes - part.sentBytes, 0)
  const sizeBytes = Math.max(0, ...underWay.map((part) => part.sizeBytes))
  if (bytesPerSecond <= 0 || (leftBytes * 1_000) / bytesPerSecond <= PATIENCE_MS)
    return { schedule, waiting: [] }
  const reducedSchedule = reduced(schedule, fitting((sizeBytes * 1_000) / bytesPerSecond), {
    slotBytesPerSecond,
    tookMs: null,
  })
  const waiting: number[] = []
  while (underWay.length - waiting.length > reducedSchedule.limit) {
    const least = leastSent(underWay.filter((part) => !waiting.includes(part.partNumber)))
    if (least === undefined || least.sentBytes > least.sizeBytes * NEARLY_NOTHING) break
    waiting.push(least.partNumber)
  }
  return { schedule: reducedSchedule, waiting }
}

/**
 * Restores the slots when fewer of them are no faster; see `concurrency-trial.ts`. Call now and
 * then while bytes move.
 */
export function restoreSlots(schedule: Schedule, sight: SlotSample): Schedule {
  return judgedSchedule(schedule, judgeBytes(schedule.concurrency, schedule.limit, sight))
}

/**
 * The server's list shows that the part is stored, so it is not sent. Leaves a running attempt
 * alone.
 */
export function settleKnown(schedule: Schedule, partNumber: number): Schedule {
  return schedule.inFlight.has(partNumber)
    ? schedule
    : { ...schedule, pending: schedule.pending.filter((pending) => pending !== partNumber) }
}

/**
 * A part in flight must be sent again; it goes first. `losesSlot`: the server is overloaded (429,
 * 503).
 */
export function settleAgain(schedule: Schedule, partNumber: number, losesSlot: boolean): Schedule {
  if (!schedule.inFlight.has(partNumber)) return schedule
  const limit = losesSlot ? Math.max(1, schedule.limit - 1) : schedule.limit
  return {
    ...without(schedule, partNumber),
    limit,
    pending: inOrder([...schedule.pending, partNumber]),
  }
}

/** True when nothing is pending and nothing is in flight. */
export function isDrained(schedule: Schedule): boolean {
  return schedule.pending.length === 0 && schedule.inFlight.size === 0
}

function judgedSchedule(schedule: Schedule, { concurrency, slots }: Verdict): Schedule {
  return { ...schedule, concurrency, limit: slots ?? schedule.limit }
}

function reduced(
  schedule: Schedule,
  limit: number,
  {
    slotBytesPerSecond,
    tookMs,
  }: { readonly slotBytesPerSecond: number; readonly tookMs: number | null },
): Schedule {
  if (limit >= schedule.limit || !mayReduce(schedule.concurrency, slotBytesPerSecond))
    return schedule
  return {
    ...schedule,
    limit,
    concurrency: beginTrial(schedule.concurrency, {
      fromSlots: schedule.limit,
      slotBytesPerSecond,
      tookMs,
      between: schedule.inFlight,
    }),
  }
}

/** On a shared network, n slots make a part take about n times as long as alone. */
function fitting(aloneMs: number): number {
  return Math.max(1, Math.floor(PART_TARGET_MAX_MS / aloneMs))
}

function without(schedule: Schedule, partNumber: number): Schedule {
  const inFlight = new Set(schedule.inFlight)
  inFlight.delete(partNumber)
  return { ...schedule, inFlight }
}

function inOrder(parts: readonly number[]): readonly number[] {
  return parts.toSorted((a, b) => a - b)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
