import { leastSent, type Lane } from './lanes.ts'
import {
  beginNarrowing,
  judgeBytes,
  judgePart,
  mayNarrow,
  SHARED,
  type Judgement,
  type LaneSight,
  type Narrowing,
} from './narrowing.ts'
import { MULTIPART_CONCURRENT_PARTS } from '#src/config/limits.ts'

/**
 * Which part goes next and how many go at once. Pure: every function returns a new schedule.
 *
 * [Note: upload lease] A part that is being sent is *leased*: it is in `leased` and in nobody
 * else's hands until it is settled: as safe, or for another try.
 */

/** Never more, over all files. */
export const MAX_LEASES = MULTIPART_CONCURRENT_PARTS
/**
 * One part should take this long, so that a fault costs little and headers cost little (decision
 * 4.1).
 */
export const PART_TARGET_MIN_MS = 5_000
export const PART_TARGET_MAX_MS = 20_000
const MEASUREMENTS = 3
/** Where all parts under way would take longer than this, fewer at once are safe earlier. */
const PATIENCE_MS = 2 * 60_000
/** A part of which more was sent is not given up for that. */
const NEARLY_NOTHING = 1 / 16

export interface Schedule {
  readonly limit: number
  readonly pending: readonly number[]
  readonly leased: ReadonlySet<number>
  /** Milliseconds one part would have taken alone on a line that all share, newest last. */
  readonly aloneMs: readonly number[]
  readonly narrowing: Narrowing
}

/** What a transfer learnt of its line, for the next one over the same. */
export type LaneCount = Pick<Schedule, 'limit' | 'narrowing'>

/** How one part was sent. */
export interface PartTimes {
  readonly tookMs: number
  /** As in `Schedule`. */
  readonly aloneMs: number
  /** What each lane carries. */
  readonly laneBytesPerSecond: number
}

/** A schedule for the parts that are still missing, in the order given. */
export function createSchedule(
  missing: readonly number[],
  { limit, narrowing }: LaneCount,
): Schedule {
  return {
    limit: Math.min(MAX_LEASES, Math.max(1, limit)),
    pending: missing,
    leased: new Set(),
    aloneMs: [],
    narrowing,
  }
}

/** Parts at once before anything is known of the line. */
export function firstLanes(limit: number): LaneCount {
  return { limit, narrowing: SHARED }
}

/** Leases the next part; null when none is pending or all slots are taken. */
export function takeLease(
  schedule: Schedule,
): { readonly schedule: Schedule; readonly partNumber: number } | null {
  const [partNumber, ...pending] = schedule.pending
  if (partNumber === undefined || schedule.leased.size >= schedule.limit) return null
  return {
    partNumber,
    schedule: { ...schedule, pending, leased: new Set([...schedule.leased, partNumber]) },
  }
}

/** A leased part is safe; from its times the number of lanes is set anew. */
export function settleSafe(schedule: Schedule, partNumber: number, times: PartTimes): Schedule {
  if (!schedule.leased.has(partNumber)) return schedule
  const aloneMs = [...schedule.aloneMs, Math.max(1, times.aloneMs)].slice(-MEASUREMENTS)
  const settled = widened(
    { ...without(schedule, partNumber), aloneMs },
    judgePart(schedule.narrowing, schedule.limit, partNumber, times.tookMs),
  )
  if (times.tookMs < PART_TARGET_MIN_MS)
    return { ...settled, limit: Math.min(MAX_LEASES, settled.limit + 1) }
  return times.tookMs <= PART_TARGET_MAX_MS
    ? settled
    : narrowed(settled, fitting(median(aloneMs)), times)
}

/**
 * Fewer lanes, as soon as the line is known to be so slow that all parts under way would take
 * minutes. `waiting`: parts of which nearly nothing was sent, which better wait for their turn;
 * give them up.
 */
export function easeOff(
  schedule: Schedule,
  underWay: readonly Lane[],
  bytesPerSecond: number,
  laneBytesPerSecond: number,
): { readonly schedule: Schedule; readonly waiting: readonly number[] } {
  const leftBytes = underWay.reduce((sum, lane) => sum + lane.sizeBytes - lane.sentBytes, 0)
  const sizeBytes = Math.max(0, ...underWay.map((lane) => lane.sizeBytes))
  if (bytesPerSecond <= 0 || (leftBytes * 1_000) / bytesPerSecond <= PATIENCE_MS)
    return { schedule, waiting: [] }
  const eased = narrowed(schedule, fitting((sizeBytes * 1_000) / bytesPerSecond), {
    laneBytesPerSecond,
    tookMs: null,
  })
  const waiting: number[] = []
  while (underWay.length - waiting.length > eased.limit) {
    const least = leastSent(underWay.filter((lane) => !waiting.includes(lane.partNumber)))
    if (least === undefined || least.sentBytes > least.sizeBytes * NEARLY_NOTHING) break
    waiting.push(least.partNumber)
  }
  return { schedule: eased, waiting }
}

/**
 * Widens the lanes again where fewer of them are no quicker; see `narrowing.ts`. Ask now and then
 * while bytes move.
 */
export function widenAgain(schedule: Schedule, sight: LaneSight): Schedule {
  return widened(schedule, judgeBytes(schedule.narrowing, schedule.limit, sight))
}

/**
 * A part turned out to be stored already (the server's list says so): it needs no sending. A
 * running lease is left alone.
 */
export function settleKnown(schedule: Schedule, partNumber: number): Schedule {
  return schedule.leased.has(partNumber)
    ? schedule
    : { ...schedule, pending: schedule.pending.filter((pending) => pending !== partNumber) }
}

/**
 * A leased part must be sent again; it goes first. `losesSlot` when the server is overloaded (429,
 * 503).
 */
export function settleAgain(schedule: Schedule, partNumber: number, losesSlot: boolean): Schedule {
  if (!schedule.leased.has(partNumber)) return schedule
  const limit = losesSlot ? Math.max(1, schedule.limit - 1) : schedule.limit
  return {
    ...without(schedule, partNumber),
    limit,
    pending: inOrder([...schedule.pending, partNumber]),
  }
}

/** True when nothing is pending and nothing is leased. */
export function isDrained(schedule: Schedule): boolean {
  return schedule.pending.length === 0 && schedule.leased.size === 0
}

function widened(schedule: Schedule, { narrowing, lanes }: Judgement): Schedule {
  return { ...schedule, narrowing, limit: lanes ?? schedule.limit }
}

function narrowed(
  schedule: Schedule,
  limit: number,
  {
    laneBytesPerSecond,
    tookMs,
  }: { readonly laneBytesPerSecond: number; readonly tookMs: number | null },
): Schedule {
  if (limit >= schedule.limit || !mayNarrow(schedule.narrowing, laneBytesPerSecond)) return schedule
  return {
    ...schedule,
    limit,
    narrowing: beginNarrowing(schedule.narrowing, {
      fromLanes: schedule.limit,
      laneBytesPerSecond,
      tookMs,
      between: schedule.leased,
    }),
  }
}

/** Where lanes share the line, n of them make a part take about n times as long as alone. */
function fitting(aloneMs: number): number {
  return Math.max(1, Math.floor(PART_TARGET_MAX_MS / aloneMs))
}

function without(schedule: Schedule, partNumber: number): Schedule {
  const leased = new Set(schedule.leased)
  leased.delete(partNumber)
  return { ...schedule, leased }
}

function inOrder(parts: readonly number[]): readonly number[] {
  return parts.toSorted((a, b) => a - b)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
