import { partSize } from '#src/local/uploads/model/plan.ts'
import type { PartPlan } from '#src/local/db/rows.ts'
import type { Clock } from '#src/lib/time.ts'

/** One part in flight. */
export interface PartInFlight {
  readonly partNumber: number
  readonly sizeBytes: number
  /** Bytes handed to the network in this attempt; some may still be in the system's buffers. */
  readonly sentBytes: number
  /** When sending started; null while the part is read and hashed. */
  readonly begunAtMs: number | null
  /** `begunAtMs` on a clock that runs more slowly the more parts are sent at once. */
  readonly begunAtAloneMs: number
  /** When its last byte moved; before the first byte, when the attempt started. */
  readonly lastActivityAtMs: number
}

/** The parts in flight of one transfer. */
export interface PartsInFlight {
  opened(partNumber: number): void
  /** Records progress; 0 bytes means that sending starts. */
  sent(partNumber: number, sentBytes: number): void
  closed(partNumber: number): void
  /**
   * How long sending this part would have taken alone on a network that all connections share; 0
   * before sending starts.
   */
  aloneMs(partNumber: number): number
  /** Bytes handed over by all attempts there ever were, dropped ones included. */
  movedBytes(): number
  all(): readonly PartInFlight[]
}

/** No parts in flight yet, for one plan. */
export function createPartsInFlight(clock: Pick<Clock, 'now'>, plan: PartPlan): PartsInFlight {
  const parts = new Map<number, PartInFlight>()
  let aloneMs = 0
  let movedBytes = 0
  let readAtMs = clock.now()
  /** Call before an attempt starts or ends. */
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

/** Some of its bytes were sent, and more follow. */
export function isMidway(part: PartInFlight): boolean {
  return part.begunAtMs !== null && part.sentBytes < part.sizeBytes
}

/** The part whose loss costs least; undefined when there is none. */
export function leastSent(parts: readonly PartInFlight[]): PartInFlight | undefined {
  return parts.toSorted((a, b) => a.sentBytes - b.sentBytes)[0]
}
