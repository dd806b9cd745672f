import { createPartsInFlight, type PartsInFlight } from './parts-in-flight.ts'
import { slotRate } from './concurrency-trial.ts'
import type { UploadDeps } from './ports.ts'
import type { ProgressMeter } from './progress-meter.ts'
import { reduceSlots, restoreSlots, type PartTimes, type Schedule } from './scheduler.ts'
import {
  createStorageOutage,
  type StorageOutage,
  type StorageOutageInput,
} from './storage-outage.ts'
import type { PartPlan } from '#src/local/db/rows.ts'

/**
 * A line is watched so long before parts are given up because it is slow: what fills buffers in the
 * beginning tells nothing of it.
 */
const REDUCE_AFTER_MS = 15_000

/** All that one transfer hears of its parts under way, and what it makes of it. */
export interface SlotWatch {
  readonly inFlight: PartsInFlight
  readonly storage: StorageOutage
  /** When a byte moved last, an answer came or a part began. */
  readonly lastActivityAtMs: () => number
  /** As it was while bytes moved: a silent line is not a slow one. Null before. */
  readonly bytesPerSecond: () => number | null
  /** Something happened to a part. */
  readonly noteActivity: () => void
  /** Bytes of a part were handed over; 0: its sending begins. */
  readonly sent: (partNumber: number, sentBytes: number) => void
  /** How a part was sent that is under way still. */
  readonly times: (partNumber: number, tookMs: number) => PartTimes
  /** As many lanes as suit the line; `waiting` parts are better given up. */
  readonly fit: (schedule: Schedule) => ReturnType<typeof reduceSlots>
}

export type SlotWatchInput = Pick<StorageOutageInput, 'hasRoom' | 'drop' | 'report'> & {
  readonly deps: Pick<UploadDeps, 'clock' | 'transport'>
  readonly plan: PartPlan
  readonly meter: ProgressMeter
}

/** Watches nothing yet. */
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
      // It begins, but no byte has moved.
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
      // Nothing is known of lanes whose bytes nobody hears of, or whose store takes none.
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
