import {
  createPartsInFlight,
  type PartsInFlight,
} from '#src/local/uploads/network/parts-in-flight.ts'
import { slotRate } from './concurrency-trial.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'
import type { ProgressMeter } from './progress-meter.ts'
import { reduceSlots, restoreSlots, type PartTimes, type Schedule } from './scheduler.ts'
import {
  createStorageOutage,
  type StorageOutage,
  type StorageOutageInput,
} from '#src/local/uploads/network/storage-outage.ts'
import type { PartPlan } from '#src/local/db/rows.ts'

/**
 * How long the network is watched before parts are dropped because it is slow: the first bytes only
 * fill buffers and say nothing.
 */
const REDUCE_AFTER_MS = 15_000

/** What one transfer observes about its parts in flight, and the number of slots that follows. */
export interface SlotWatch {
  readonly inFlight: PartsInFlight
  readonly storage: StorageOutage
  /** When a byte last moved, an answer came or an attempt started. */
  readonly lastActivityAtMs: () => number
  /**
   * The rate while bytes last moved: a silent network is not a slow one. Null before the first
   * byte.
   */
  readonly bytesPerSecond: () => number | null
  /** Call when anything happened to a part. */
  readonly noteActivity: () => void
  /** Bytes of a part were handed over; 0 means that sending starts. */
  readonly sent: (partNumber: number, sentBytes: number) => void
  /** How a part was sent that is still in flight. */
  readonly times: (partNumber: number, tookMs: number) => PartTimes
  /** The number of slots that suits the network; drop the parts in `waiting`. */
  readonly fit: (schedule: Schedule) => ReturnType<typeof reduceSlots>
}

export type SlotWatchInput = Pick<StorageOutageInput, 'hasRoom' | 'drop' | 'report'> & {
  readonly deps: Pick<UploadDeps, 'clock' | 'transport'>
  readonly plan: PartPlan
  readonly meter: ProgressMeter
}

/** A watch without observations. */
export function createSlotWatch({ deps, plan, meter, ...input }: SlotWatchInput): SlotWatch {
  const { clock, transport } = deps
  let lastActivityAtMs = clock.now()
  let movingBytesPerSecond: number | null = null
  const inFlight = createPartsInFlight(clock, plan)
  const storage = createStorageOutage({
    ...input,
    clock,
    inFlight,
    reportsProgress: transport.reportsProgress,
    bytesPerSecond: () => movingBytesPerSecond,
  })
  const noteActivity = (): void => {
    lastActivityAtMs = clock.now()
  }
  const slotBytesPerSecond = (): number =>
    slotRate(inFlight.all(), movingBytesPerSecond ?? 0, clock.now())
  return {
    inFlight,
    storage,
    noteActivity,
    lastActivityAtMs: () => lastActivityAtMs,
    bytesPerSecond: () => movingBytesPerSecond,
    sent: (partNumber, sentBytes) => {
      noteActivity()
      inFlight.sent(partNumber, sentBytes)
      // Sending starts, but no byte has moved.
      if (sentBytes === 0) return
      meter.sent(partNumber, sentBytes)
      if (!storage.isOngoing()) movingBytesPerSecond = meter.bytesPerSecond()
      storage.moved(partNumber)
    },
    times: (partNumber, tookMs) => ({
      tookMs,
      aloneMs: inFlight.aloneMs(partNumber),
      slotBytesPerSecond: slotBytesPerSecond(),
    }),
    fit: (schedule) => {
      // Without progress events, or during a storage outage, nothing is known about the slots.
      if (!transport.reportsProgress || storage.isOngoing() || movingBytesPerSecond === null)
        return { schedule, waiting: [] }
      const parts = inFlight.all()
      const eachBytesPerSecond = slotBytesPerSecond()
      const judgedSchedule = restoreSlots(schedule, {
        atMs: clock.now(),
        movedBytes: inFlight.movedBytes(),
        parts,
        slotBytesPerSecond: eachBytesPerSecond,
      })
      const watchedMs = clock.now() - Math.min(...parts.map((part) => part.begunAtMs ?? Infinity))
      return watchedMs < REDUCE_AFTER_MS
        ? { schedule: judgedSchedule, waiting: [] }
        : reduceSlots(judgedSchedule, parts, movingBytesPerSecond, eachBytesPerSecond)
    },
  }
}
