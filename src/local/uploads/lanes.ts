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
  /** What `begunAtMs` was on a clock that runs the slower the more lanes are sent at once. */
  readonly begunAtAloneMs: number
  /** When a byte of it moved last; before the first, when its sending began. */
  readonly newsAtMs: number
}

/** What is known of the parts under way. */
export interface LaneBook {
  opened(partNumber: number): void
  /** 0 bytes: the sending begins. */
  sent(partNumber: number, sentBytes: number): void
  closed(partNumber: number): void
  /**
   * So long the sending of this part would have taken alone on a line that all lanes share; 0 for
   * one that has not begun.
   */
  aloneMs(partNumber: number): number
  /** Handed over by all parts there ever were, also what was given up. */
  movedBytes(): number
  all(): readonly Lane[]
}

/** An empty book for the parts of one plan. */
export function createLaneBook(clock: Pick<Clock, 'now'>, plan: PartPlan): LaneBook {
  const lanes = new Map<number, Lane>()
  let aloneMs = 0
  let movedBytes = 0
  let readAtMs = clock.now()
  /** To be read before lanes begin and end. */
  const readAlone = (): number => {
    const nowMs = clock.now()
    const begun = Array.from(lanes.values()).filter(({ begunAtMs }) => begunAtMs !== null).length
    aloneMs += Math.max(0, nowMs - readAtMs) / Math.max(1, begun)
    readAtMs = nowMs
    return aloneMs
  }
  return {
    opened: (partNumber) =>
      void lanes.set(partNumber, {
        partNumber,
        sizeBytes: partSize(plan, partNumber),
        sentBytes: 0,
        begunAtMs: null,
        begunAtAloneMs: 0,
        newsAtMs: clock.now(),
      }),
    sent: (partNumber, sentBytes) => {
      const lane = lanes.get(partNumber)
      if (lane === undefined || (lane.begunAtMs !== null && sentBytes <= lane.sentBytes)) return
      movedBytes += sentBytes - lane.sentBytes
      const begins =
        lane.begunAtMs === null ? { begunAtMs: clock.now(), begunAtAloneMs: readAlone() } : {}
      lanes.set(partNumber, { ...lane, ...begins, sentBytes, newsAtMs: clock.now() })
    },
    closed: (partNumber) => {
      readAlone()
      lanes.delete(partNumber)
    },
    aloneMs: (partNumber) => {
      const lane = lanes.get(partNumber)
      return lane === undefined || lane.begunAtMs === null ? 0 : readAlone() - lane.begunAtAloneMs
    },
    movedBytes: () => movedBytes,
    all: () => Array.from(lanes.values()),
  }
}

/** Bytes of it are on their way, and more are to come. */
export function isMidway(lane: Lane): boolean {
  return lane.begunAtMs !== null && lane.sentBytes < lane.sizeBytes
}

/** The one whose loss costs least; undefined when there is none. */
export function leastSent(lanes: readonly Lane[]): Lane | undefined {
  return lanes.toSorted((a, b) => a.sentBytes - b.sentBytes)[0]
}
