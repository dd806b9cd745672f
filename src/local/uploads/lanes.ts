import { partSize } from './plan.ts'
import type { PartPlan } from '#src/local/db/rows.ts'
import type { Clock } from '#src/lib/time.ts'

/** One part under way. */
export interface Lane {
  readonly partNumber: number
  readonly sizeBytes: number
  /** Handed to the network in this attempt; a part of it may still be in the system's buffers. */
  readonly sentBytes: number
  /** When its sending began; null while it is still read and hashed. */
  readonly begunAtMs: number | null
  /** When a byte of it moved last; before the first, when its sending began. */
  readonly newsAtMs: number
}

/** What is known of the parts under way. */
export interface LaneBook {
  opened(partNumber: number): void
  /** 0 bytes: the sending begins. */
  sent(partNumber: number, sentBytes: number): void
  closed(partNumber: number): void
  all(): readonly Lane[]
}

/** An empty book for the parts of one plan. */
export function createLaneBook(clock: Pick<Clock, 'now'>, plan: PartPlan): LaneBook {
  const lanes = new Map<number, Lane>()
  return {
    opened: (partNumber) => void lanes.set(partNumber, { partNumber, sizeBytes: partSize(plan, partNumber), sentBytes: 0, begunAtMs: null, newsAtMs: clock.now() }),
    sent: (partNumber, sentBytes) => {
      const lane = lanes.get(partNumber)
      if (lane === undefined || (lane.begunAtMs !== null && sentBytes <= lane.sentBytes)) return
      lanes.set(partNumber, { ...lane, sentBytes, begunAtMs: lane.begunAtMs ?? clock.now(), newsAtMs: clock.now() })
    },
    closed: (partNumber) => void lanes.delete(partNumber),
    all: () => Array.from(lanes.values()),
  }
}

/** Buffers take some 50 to 400 kB of a connection at once on the slowest line; a 32nd of the usual 16 MiB is beyond that. */
const BUFFERED_SHARE = 1 / 32

/**
 * How long a whole part takes at the speed that one lane has now, in milliseconds; null while so little was sent that it may be in
 * buffers still. Parts that were handed over whole prove nothing before their answer.
 */
export function partTimeMs(lanes: readonly Lane[], nowMs: number): number | null {
  const midway = lanes.filter(isMidway)
  const sizeBytes = Math.max(0, ...midway.map((lane) => lane.sizeBytes))
  const sentBytes = midway.reduce((sum, lane) => sum + lane.sentBytes, 0)
  if (sentBytes === 0 || sentBytes < midway.length * sizeBytes * BUFFERED_SHARE) return null
  const spentMs = midway.reduce((sum, lane) => sum + nowMs - (lane.begunAtMs ?? nowMs), 0)
  return (Math.max(1, spentMs) * sizeBytes) / sentBytes
}

/** Bytes of it are on their way, and more are to come. */
export function isMidway(lane: Lane): boolean {
  return lane.begunAtMs !== null && lane.sentBytes < lane.sizeBytes
}

/** The one whose loss costs least; undefined when there is none. */
export function leastSent(lanes: readonly Lane[]): Lane | undefined {
  return lanes.toSorted((a, b) => a.sentBytes - b.sentBytes)[0]
}
