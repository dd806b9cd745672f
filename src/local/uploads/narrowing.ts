import { isMidway, type Lane } from './lanes.ts'

/**
 * [Note: narrowing] Where lanes share the line, fewer of them are each quicker: parts are safe
 * earlier, and nothing is lost. Where each connection is slow by itself, as by loss or a long way,
 * fewer are no quicker, and all of them together carry less. Nobody says which it is. So after a
 * narrowing the rate of one lane is compared with that before, and lanes that did not gain are
 * widened again.
 */
export interface Narrowing {
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
  readonly fromLanes: number
  readonly laneBytesPerSecond: number
  /**
   * What the part took that showed that the line is slow; null where it showed before any part
   * ended.
   */
  readonly tookMs: number | null
  /** Parts under way when lanes became fewer; they tell of both times. */
  readonly between: ReadonlySet<number>
  /** When only the fewer were under way; null: not yet, or not undisturbed. */
  readonly since: Moment | null
}

/** So many bytes were handed over at some time, by all lanes there ever were. */
export interface Moment {
  readonly atMs: number
  readonly movedBytes: number
}

/** Lanes share the line until something else is known. */
export const SHARED: Narrowing = { trial: null, apartBytesPerSecond: null }

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
 * @param bytesPerSecond of all lanes, smoothed
 */
export function laneRate(lanes: readonly Lane[], bytesPerSecond: number, nowMs: number): number {
  const begun = lanes.filter(({ begunAtMs }) => begunAtMs !== null)
  const sinceBegun = begun.map(
    ({ begunAtMs, sentBytes, sizeBytes }) =>
      (Math.max(0, sentBytes - Math.min(BUFFER_BYTES, sizeBytes * BUFFER_SHARE)) * 1_000) /
      Math.max(1, nowMs - (begunAtMs ?? nowMs)),
  )
  return Math.min(bytesPerSecond / Math.max(1, begun.length), Math.max(0, ...sinceBegun))
}

/** Whether fewer lanes are worth a try. */
export function mayNarrow({ apartBytesPerSecond }: Narrowing, laneBytesPerSecond: number): boolean {
  return apartBytesPerSecond === null || laneBytesPerSecond < apartBytesPerSecond * OTHER_LINE
}

/** Lanes become fewer now. */
export function beginNarrowing(narrowing: Narrowing, now: Omit<Trial, 'since'>): Narrowing {
  if (narrowing.trial !== null)
    return { ...narrowing, trial: { ...narrowing.trial, between: now.between, since: null } }
  return {
    ...narrowing,
    trial: now.laneBytesPerSecond > 0 || now.tookMs !== null ? { ...now, since: null } : null,
  }
}

/** What comes of a look; `lanes`: how many there shall be instead, null: as they are. */
export interface Judgement {
  readonly narrowing: Narrowing
  readonly lanes: number | null
}

/** What is seen of the lanes at some time. */
export interface LaneSight extends Moment {
  readonly lanes: readonly Lane[]
  readonly laneBytesPerSecond: number
}

/** Looks at the bytes that move whether the fewer lanes gained. Ask now and then. */
export function judgeBytes(
  narrowing: Narrowing,
  limit: number,
  { atMs, movedBytes, lanes, laneBytesPerSecond }: LaneSight,
): Judgement {
  const { trial } = narrowing
  if (trial === null) return { narrowing, lanes: null }
  if (limit >= trial.fromLanes) return { narrowing: { ...narrowing, trial: null }, lanes: null }
  const goOn = (changes: Partial<typeof trial>): Judgement => ({
    narrowing: { ...narrowing, trial: { ...trial, ...changes } },
    lanes: null,
  })
  // Still more of them. Should the line itself have become slower, this is where it shows.
  if (lanes.length > limit)
    return goOn({
      since: null,
      laneBytesPerSecond: Math.min(trial.laneBytesPerSecond, laneBytesPerSecond || Infinity),
    })
  // What begins or ends meanwhile fills and drains buffers, which tells nothing of the line.
  const { since } = trial
  if (
    lanes.length === 0 ||
    !lanes.every((lane) => isMidway(lane) && (lane.begunAtMs ?? atMs) <= (since?.atMs ?? atMs))
  )
    return goOn({ since: null })
  if (since === null) return goOn({ since: { atMs, movedBytes } })
  const watchedMs = atMs - since.atMs
  if (watchedMs < JUDGED_AFTER_MS || trial.laneBytesPerSecond === 0)
    return { narrowing, lanes: null }
  const rate = ((movedBytes - since.movedBytes) * 1_000) / watchedMs / lanes.length
  return judged(trial, rate / trial.laneBytesPerSecond, limit)
}

/**
 * Looks at a part that arrived, whether the fewer lanes gained: true also where something between
 * takes whole parts at once.
 */
export function judgePart(
  narrowing: Narrowing,
  limit: number,
  partNumber: number,
  tookMs: number,
): Judgement {
  const { trial } = narrowing
  if (
    trial === null ||
    trial.tookMs === null ||
    limit >= trial.fromLanes ||
    trial.between.has(partNumber)
  )
    return { narrowing, lanes: null }
  return judged(trial, trial.tookMs / tookMs, limit)
}

/**
 * @param gain times that one lane is quicker than before: as many as they became fewer on a shared
 * line, one on the other kind
 */
function judged(trial: Trial, gain: number, limit: number): Judgement {
  const isShared = gain >= Math.sqrt(trial.fromLanes / limit)
  return isShared
    ? { narrowing: SHARED, lanes: null }
    : {
        narrowing: { trial: null, apartBytesPerSecond: trial.laneBytesPerSecond },
        lanes: trial.fromLanes,
      }
}
