import { isMidway, type PartInFlight } from './parts-in-flight.ts'

/**
 * [Note: concurrency trial] Where lanes share the line, fewer of them are each quicker: parts are safe
 * earlier, and nothing is lost. Where each connection is slow by itself, as by loss or a long way,
 * fewer are no quicker, and all of them together carry less. Nobody says which it is. So after a
 * concurrency the rate of one lane is compared with that before, and lanes that did not gain are
 * judgedSchedule again.
 */
export interface Concurrency {
  /** What is to be found out; null: nothing. */
  readonly trial: Trial | null
  /**
   * Rate of one lane when the lanes were found not to share the line; null: they are taken to share
   * it.
   */
  readonly apartBytesPerSecond: number | null
}

/** What fewer lanes are compared with. */
interface Trial {
  readonly fromSlots: number
  readonly slotBytesPerSecond: number
  /**
   * What the part took that showed that the line is slow; null where it showed before any part
   * ended.
   */
  readonly tookMs: number | null
  /** Parts under way when lanes became fewer; they tell of both times. */
  readonly between: ReadonlySet<number>
  /** When only the fewer were under way; null: not yet, or not undisturbed. */
  readonly since: BytesSample | null
}

/** So many bytes were handed over at some time, by all lanes there ever were. */
export interface BytesSample {
  readonly atMs: number
  readonly movedBytes: number
}

/** Lanes share the line until something else is known. */
export const SHARED: Concurrency = { trial: null, apartBytesPerSecond: null }

/**
 * The system's buffers take about so much of a lane's first bytes, and small parts hardly more than
 * this share: they are sent, but tell nothing of the line.
 */
const BUFFER_BYTES = 256 * 1_024
const BUFFER_SHARE = 1 / 64
/** So long the fewer lanes are watched. */
const JUDGED_AFTER_MS = 12_000
/**
 * A lane that carries less than this share of what it did is on another line. Just after lanes
 * became five again the smoothed rate still says a fifth.
 */
const OTHER_LINE = 1 / 6

/**
 * What one lane carries, in bytes per second; rather too little. 0 while only buffers were filled.
 *
 * @param bytesPerSecond of all parts, smoothed
 */
export function slotRate(
  parts: readonly PartInFlight[],
  bytesPerSecond: number,
  nowMs: number,
): number {
  const begun = parts.filter(({ begunAtMs }) => begunAtMs !== null)
  const sinceBegun = begun.map(
    ({ begunAtMs, sentBytes, sizeBytes }) =>
      (Math.max(0, sentBytes - Math.min(BUFFER_BYTES, sizeBytes * BUFFER_SHARE)) * 1_000) /
      Math.max(1, nowMs - (begunAtMs ?? nowMs)),
  )
  return Math.min(bytesPerSecond / Math.max(1, begun.length), Math.max(0, ...sinceBegun))
}

/** Whether fewer lanes are worth a try. */
export function mayReduce(
  { apartBytesPerSecond }: Concurrency,
  slotBytesPerSecond: number,
): boolean {
  return apartBytesPerSecond === null || slotBytesPerSecond < apartBytesPerSecond * OTHER_LINE
}

/** Lanes become fewer now. */
export function beginTrial(concurrency: Concurrency, now: Omit<Trial, 'since'>): Concurrency {
  if (concurrency.trial !== null)
    return { ...concurrency, trial: { ...concurrency.trial, between: now.between, since: null } }
  return {
    ...concurrency,
    trial: now.slotBytesPerSecond > 0 || now.tookMs !== null ? { ...now, since: null } : null,
  }
}

/** What comes of a look; `lanes`: how many there shall be instead, null: as they are. */
export interface Verdict {
  readonly concurrency: Concurrency
  readonly slots: number | null
}

/** What is seen of the lanes at some time. */
export interface SlotSample extends BytesSample {
  readonly parts: readonly PartInFlight[]
  readonly slotBytesPerSecond: number
}

/** Looks at the bytes that move whether the fewer lanes gained. Ask now and then. */
export function judgeBytes(
  concurrency: Concurrency,
  limit: number,
  { atMs, movedBytes, parts, slotBytesPerSecond }: SlotSample,
): Verdict {
  const { trial } = concurrency
  if (trial === null) return { concurrency, slots: null }
  if (limit >= trial.fromSlots) return { concurrency: { ...concurrency, trial: null }, slots: null }
  const goOn = (changes: Partial<typeof trial>): Verdict => ({
    concurrency: { ...concurrency, trial: { ...trial, ...changes } },
    slots: null,
  })
  // Still more of them. Should the line itself have become slower, this is where it shows.
  if (parts.length > limit)
    return goOn({
      since: null,
      slotBytesPerSecond: Math.min(trial.slotBytesPerSecond, slotBytesPerSecond || Infinity),
    })
  // What begins or ends meanwhile fills and drains buffers, which tells nothing of the line.
  const { since } = trial
  if (
    parts.length === 0 ||
    !parts.every((part) => isMidway(part) && (part.begunAtMs ?? atMs) <= (since?.atMs ?? atMs))
  )
    return goOn({ since: null })
  if (since === null) return goOn({ since: { atMs, movedBytes } })
  const watchedMs = atMs - since.atMs
  if (watchedMs < JUDGED_AFTER_MS || trial.slotBytesPerSecond === 0)
    return { concurrency, slots: null }
  const rate = ((movedBytes - since.movedBytes) * 1_000) / watchedMs / parts.length
  return verdictOn(trial, rate / trial.slotBytesPerSecond, limit)
}

/**
 * Looks at a part that arrived, whether the fewer lanes gained: true also where something between
 * takes whole parts at once.
 */
export function judgePart(
  concurrency: Concurrency,
  limit: number,
  partNumber: number,
  tookMs: number,
): Verdict {
  const { trial } = concurrency
  if (
    trial === null ||
    trial.tookMs === null ||
    limit >= trial.fromSlots ||
    trial.between.has(partNumber)
  )
    return { concurrency, slots: null }
  return verdictOn(trial, trial.tookMs / tookMs, limit)
}

/**
 * @param gain times that one lane is quicker than before: as many as they became fewer on a shared
 * line, one on the other kind
 */
function verdictOn(trial: Trial, gain: number, limit: number): Verdict {
  const isShared = gain >= Math.sqrt(trial.fromSlots / limit)
  return isShared
    ? { concurrency: SHARED, slots: null }
    : {
        concurrency: { trial: null, apartBytesPerSecond: trial.slotBytesPerSecond },
        slots: trial.fromSlots,
      }
}
