import { partSize } from './plan.ts'
import type { PartPlan } from '#src/local/db/rows.ts'
import type { Clock } from '#src/lib/time.ts'

/** One part under network. */
export interface PartInFlight {
  readonly partNumber: number
  readonly sizeBytes: number
  /** Handed to the network in this attempt; a part of it may still be in the system's buffers. */
  readonly sentBytes: number
  /** When its sending began; null while it is still read and hashed. */
  readonly begunAtMs: number | null
  /** What `begunAtMs` was on a clock that runs the slower the more lanes are sent at once. */
  readonly begunAtAloneMs: number
  /** When a byte of it moved last; before the first, when its sending began. */
  readonly lastActivityAtMs: number
}

/** What is known of the parts under network. */
export interface PartsInFlight {
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
  all(): readonly PartInFlight[]
}

/** An empty book for the parts of one plan. */
export function createPartsInFlight(clock: Pick<Clock, 'now'>, plan: PartPlan): PartsInFlight {
  const parts = new Map<number, PartInFlight>()
  let aloneMs = 0
  let movedBytes = 0
  let readAtMs = clock.now()
  /** To be read before lanes begin and end. */
  const readAlone = (): number => {
    const nowMs = clock.now()
    const begun = Array.from(parts.values()).filter(({ begunAtMs }) => begunAtMs !== null).length
    aloneMs += Math.max(0, nowMs - readAtMs) / Math.max(1, begun)
    readAtMs = nowMs
    return aloneMs
  }
  return {
    opened: (partNumber) =>
      void parts.set(partNumber, {
        partNumber,
        sizeBytes: partSize(plan, partNumber),
        sentBytes: 0,
        begunAtMs: null,
        begunAtAloneMs: 0,
        lastActivityAtMs: clock.now(),
      }),
    sent: (partNumber, sentBytes) => {
      const part = parts.get(partNumber)
      if (part === undefined || (part.begunAtMs !== null && sentBytes <= part.sentBytes)) return
      movedBytes += sentBytes - part.sentBytes
      const begins =
        part.begunAtMs === null ? { begunAtMs: clock.now(), begunAtAloneMs: readAlone() } : {}
      parts.set(partNumber, { ...part, ...begins, sentBytes, lastActivityAtMs: clock.now() })
    },
    closed: (partNumber) => {
      readAlone()
      parts.delete(partNumber)
    },
    aloneMs: (partNumber) => {
      const part = parts.get(partNumber)
      return part === undefined || part.begunAtMs === null ? 0 : readAlone() - part.begunAtAloneMs
    },
    movedBytes: () => movedBytes,
    all: () => Array.from(parts.values()),
  }
}

/** Bytes of it are on their way, and more are to come. */
export function isMidway(part: PartInFlight): boolean {
  return part.begunAtMs !== null && part.sentBytes < part.sizeBytes
}

/** The one whose loss costs least; undefined when there is none. */
export function leastSent(parts: readonly PartInFlight[]): PartInFlight | undefined {
  return parts.toSorted((a, b) => a.sentBytes - b.sentBytes)[0]
}
