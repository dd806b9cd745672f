import { isMidway, type PartInFlight } from '#src/local/uploads/network/parts-in-flight.ts'

/**
 * [Note: concurrency trial] Where all connections share one slow network, fewer slots are each
 * faster: parts are safe earlier, and nothing is lost. Where each connection is slow for its own
 * reasons (packet loss, a long round trip), fewer slots are no faster, and together they carry
 * less. No measurement says beforehand which case it is. So after the scheduler reduces the slots,
 * the rate of one slot is compared with its rate before. If the slots did not gain, the old number
 * comes back.
 */
export interface Concurrency {
  /** The comparison that is running; null when there is none. */
  readonly trial: Trial | null
  /**
   * Rate of one slot when the connections were found not to share the network; null while they are
   * assumed to share it.
   */
  readonly apartBytesPerSecond: number | null
}

/** What the reduced slots are compared with. */
interface Trial {
  readonly fromSlots: number
  readonly slotBytesPerSecond: number
  /**
   * Duration of the part that showed that the network is slow; null when it showed before any part
   * ended.
   */
  readonly tookMs: number | null
  /** Parts in flight at the reduction. Their durations cover both phases, so they prove nothing. */
  readonly between: ReadonlySet<number>
  /** When only the reduced number was in flight; null while not yet or while disturbed. */
  readonly since: BytesSample | null
}

/** The bytes handed over up to a time, by all attempts there ever were. */
interface BytesSample {
  readonly atMs: number
  readonly movedBytes: number
}

/** Connections are assumed to share the network until a trial shows otherwise. */
export const SHARED: Concurrency = { trial: null, apartBytesPerSecond: null }

/**
 * The system's send buffers take about this much of a slot's first bytes, and hardly more than this
 * share of small parts. Those bytes count as sent but say nothing about the network.
 */
const BUFFER_BYTES = 256 * 1_024
const BUFFER_SHARE = 1 / 64
/** How long the reduced slots are watched. */
const JUDGED_AFTER_MS = 12_000
/**
 * A slot that carries less than this share of its earlier rate is on another network. Right after
 * five slots are back, the smoothed rate still shows a fifth.
 */
const OTHER_LINE = 1 / 6

/**
 * Rate of one slot in bytes per second; rather too low than too high. 0 while only buffers were
 * filled.
 *
 * @param bytesPerSecond rate of all parts together, smoothed
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

/** Whether trying fewer slots is worth it. */
export function mayReduce(
  { apartBytesPerSecond }: Concurrency,
  slotBytesPerSecond: number,
): boolean {
  return apartBytesPerSecond === null || slotBytesPerSecond < apartBytesPerSecond * OTHER_LINE
}

/** Starts a trial at the moment of the reduction. */
export function beginTrial(concurrency: Concurrency, now: Omit<Trial, 'since'>): Concurrency {
  if (concurrency.trial !== null)
    return { ...concurrency, trial: { ...concurrency.trial, between: now.between, since: null } }
  return {
    ...concurrency,
    trial: now.slotBytesPerSecond > 0 || now.tookMs !== null ? { ...now, since: null } : null,
  }
}

/**
 * The outcome of a judgement. `slots` is the new number of slots; null leaves the number as it is.
 */
export interface Verdict {
  readonly concurrency: Concurrency
  readonly slots: number | null
}

/** The parts in flight at one time and what they carried. */
export interface SlotSample extends BytesSample {
  readonly parts: readonly PartInFlight[]
  readonly slotBytesPerSecond: number
}

/** Judges by the bytes that moved whether the reduced slots gained. Call now and then. */
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
  // More parts than slots are still in flight. If the network itself became slower, it shows here.
  if (parts.length > limit)
    return goOn({
      since: null,
      slotBytesPerSecond: Math.min(trial.slotBytesPerSecond, slotBytesPerSecond || Infinity),
    })
  // Parts that start or end meanwhile fill and drain buffers, which says nothing about the network.
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
 * Judges by a part that arrived whether the reduced slots gained. Works also where a proxy takes
 * whole parts at once.
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
 * @param gain how many times faster one slot is than before: the factor of the reduction on a
 * shared network, 1 otherwise
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
