import { createLaneBook, type LaneBook } from './lanes.ts'
import { laneRate } from './narrowing.ts'
import type { UploadDeps } from './ports.ts'
import type { ProgressMeter } from './progress-meter.ts'
import { easeOff, widenAgain, type PartTimes, type Schedule } from './scheduler.ts'
import { createSilentStore, type SilentStore, type SilentStoreInput } from './silent-store.ts'
import type { PartPlan } from '#src/local/db/rows.ts'

/**
 * A line is watched so long before parts are given up because it is slow: what fills buffers in the
 * beginning tells nothing of it.
 */
const EASE_AFTER_MS = 15_000

/** All that one transfer hears of its parts under way, and what it makes of it. */
export interface LaneWatch {
  readonly book: LaneBook
  readonly store: SilentStore
  /** When a byte moved last, an answer came or a part began. */
  readonly lastNewsAtMs: () => number
  /** As it was while bytes moved: a silent line is not a slow one. Null before. */
  readonly bytesPerSecond: () => number | null
  /** Something happened to a part. */
  readonly hear: () => void
  /** Bytes of a part were handed over; 0: its sending begins. */
  readonly sent: (partNumber: number, sentBytes: number) => void
  /** How a part was sent that is under way still. */
  readonly times: (partNumber: number, tookMs: number) => PartTimes
  /** As many lanes as suit the line; `waiting` parts are better given up. */
  readonly fit: (schedule: Schedule) => ReturnType<typeof easeOff>
}

export type LaneWatchInput = Pick<SilentStoreInput, 'hasRoom' | 'drop' | 'tell'> & {
  readonly deps: Pick<UploadDeps, 'clock' | 'transport'>
  readonly plan: PartPlan
  readonly meter: ProgressMeter
}

/** Watches nothing yet. */
export function createLaneWatch({ deps, plan, meter, ...input }: LaneWatchInput): LaneWatch {
  const { clock, transport } = deps
  let lastNewsAtMs = clock.now()
  let movingBytesPerSecond: number | null = null
  const book = createLaneBook(clock, plan)
  const store = createSilentStore({
    ...input,
    clock,
    book,
    isHeard: transport.reportsProgress,
    bytesPerSecond: () => movingBytesPerSecond,
  })
  const hear = (): void => {
    lastNewsAtMs = clock.now()
  }
  const laneBytesPerSecond = (): number =>
    laneRate(book.all(), movingBytesPerSecond ?? 0, clock.now())
  return {
    book,
    store,
    hear,
    lastNewsAtMs: () => lastNewsAtMs,
    bytesPerSecond: () => movingBytesPerSecond,
    sent: (partNumber, sentBytes) => {
      hear()
      book.sent(partNumber, sentBytes)
      // It begins, but no byte has moved.
      if (sentBytes === 0) return
      meter.sent(partNumber, sentBytes)
      if (!store.isSilent()) movingBytesPerSecond = meter.bytesPerSecond()
      store.moved(partNumber)
    },
    times: (partNumber, tookMs) => ({
      tookMs,
      aloneMs: book.aloneMs(partNumber),
      laneBytesPerSecond: laneBytesPerSecond(),
    }),
    fit: (schedule) => {
      // Nothing is known of lanes whose bytes nobody hears of, or whose store takes none.
      if (!transport.reportsProgress || store.isSilent() || movingBytesPerSecond === null)
        return { schedule, waiting: [] }
      const lanes = book.all()
      const eachBytesPerSecond = laneBytesPerSecond()
      const widened = widenAgain(schedule, {
        atMs: clock.now(),
        movedBytes: book.movedBytes(),
        lanes,
        laneBytesPerSecond: eachBytesPerSecond,
      })
      const watchedMs = clock.now() - Math.min(...lanes.map((lane) => lane.begunAtMs ?? Infinity))
      return watchedMs < EASE_AFTER_MS
        ? { schedule: widened, waiting: [] }
        : easeOff(widened, lanes, movingBytesPerSecond, eachBytesPerSecond)
    },
  }
}
