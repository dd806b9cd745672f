import type { Lane } from './lanes.ts'

/**
 * [Note: narrowing] Where lanes share the line, fewer of them are each quicker: parts are safe earlier, and nothing is lost. Where
 * each connection is slow by itself, as by loss or a long way, fewer are no quicker, and all of them together carry less. Nobody says
 * which it is. So after a narrowing the rate of one lane is compared with that before, and lanes that did not gain are widened again.
 */
export interface Narrowing {
  /** What is to be found out; null: nothing. */
  readonly trial: { readonly fromLanes: number; readonly laneBytesPerSecond: number; readonly since: Moment | null } | null
  /** Rate of one lane when the lanes were found not to share the line; null: they are taken to share it. */
  readonly apartBytesPerSecond: number | null
}

/** So many bytes were handed over at some time, by all lanes there ever were. */
export interface Moment { readonly atMs: number; readonly movedBytes: number }

/** Lanes share the line until something else is known. */
export const SHARED: Narrowing = { trial: null, apartBytesPerSecond: null }

/** The system's buffers take about so much of a lane's first bytes, and small parts hardly more than this share: they are sent, but tell nothing of the line. */
const BUFFER_BYTES = 256 * 1_024
const BUFFER_SHARE = 1 / 64
/** So long the fewer lanes are watched. */
const JUDGED_AFTER_MS = 12_000
/** A lane that carries less than this share of what it did is on another line. Just after lanes became five again the smoothed rate still says a fifth. */
const OTHER_LINE = 1 / 6

/**
 * What one lane carries, in bytes per second; rather too little. 0 while only buffers were filled.
 *
 * @param bytesPerSecond of all lanes, smoothed
 */
export function laneRate(lanes: readonly Lane[], bytesPerSecond: number, nowMs: number): number {
  const begun = lanes.filter(({ begunAtMs }) => begunAtMs !== null)
  const sinceBegun = begun.map(({ begunAtMs, sentBytes, sizeBytes }) => (Math.max(0, sentBytes - Math.min(BUFFER_BYTES, sizeBytes * BUFFER_SHARE)) * 1_000) / Math.max(1, nowMs - (begunAtMs ?? nowMs)))
  return Math.min(bytesPerSecond / Math.max(1, begun.length), Math.max(0, ...sinceBegun))
}

/** Whether fewer lanes are worth a try. */
export function mayNarrow({ apartBytesPerSecond }: Narrowing, laneBytesPerSecond: number): boolean {
  return apartBytesPerSecond === null || laneBytesPerSecond < apartBytesPerSecond * OTHER_LINE
}

/** Lanes become fewer now. */
export function beginNarrowing(narrowing: Narrowing, fromLanes: number, laneBytesPerSecond: number): Narrowing {
  if (narrowing.trial !== null) return { ...narrowing, trial: { ...narrowing.trial, since: null } }
  return { ...narrowing, trial: laneBytesPerSecond > 0 ? { fromLanes, laneBytesPerSecond, since: null } : null }
}

/** Looks whether the fewer lanes gained. `lanes`: how many there shall be instead; null: as they are. */
export function judgeNarrowing(narrowing: Narrowing, now: Moment & { readonly limit: number; readonly underWay: number; readonly laneBytesPerSecond: number }): { readonly narrowing: Narrowing; readonly lanes: number | null } {
  const { trial } = narrowing
  if (trial === null) return { narrowing, lanes: null }
  if (now.limit >= trial.fromLanes) return { narrowing: { ...narrowing, trial: null }, lanes: null }
  if (now.underWay > now.limit) {
    // Still more of them. Should the line itself have become slower, this is where it shows.
    const laneBytesPerSecond = now.laneBytesPerSecond > 0 ? Math.min(trial.laneBytesPerSecond, now.laneBytesPerSecond) : trial.laneBytesPerSecond
    return { narrowing: { ...narrowing, trial: { ...trial, laneBytesPerSecond, since: null } }, lanes: null }
  }
  if (trial.since === null) return { narrowing: { ...narrowing, trial: { ...trial, since: { atMs: now.atMs, movedBytes: now.movedBytes } } }, lanes: null }
  const watchedMs = now.atMs - trial.since.atMs
  if (watchedMs < JUDGED_AFTER_MS) return { narrowing, lanes: null }
  const laneBytesPerSecond = ((now.movedBytes - trial.since.movedBytes) * 1_000) / watchedMs / Math.max(1, now.underWay)
  // On a shared line each gains as many times as they became fewer, on the other kind nothing: in the middle between both.
  const didGain = laneBytesPerSecond >= trial.laneBytesPerSecond * Math.sqrt(trial.fromLanes / now.limit)
  if (didGain) return { narrowing: SHARED, lanes: null }
  return { narrowing: { trial: null, apartBytesPerSecond: trial.laneBytesPerSecond }, lanes: trial.fromLanes }
}
