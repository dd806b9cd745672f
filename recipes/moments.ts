import type { Moment } from './types.ts'

/** A passage of the source. */
export interface Passage {
  readonly startMs: number
  readonly durationMs: number
}

/**
 * Fades and logos live at both ends of a scene; this share of each end is left out while there is
 * enough else.
 */
const EDGE_SHARE = 0.03

/**
 * Picks passages of the given lengths that do not overlap, well spaced, in order of time. Passage i
 * of the answer has `durationsMs[i]`. When the source is not long enough for all of them, one
 * passage with all of the source is returned: nothing is ever repeated or held. Deterministic for
 * the same input.
 */
export function pickPassages(
  sourceDurationMs: number,
  moments: readonly Moment[],
  durationsMs: readonly number[],
): Passage[] {
  const count = durationsMs.length
  const total = durationsMs.reduce((sum, each) => sum + each, 0)
  if (count === 0 || total >= sourceDurationMs)
    return [{ startMs: 0, durationMs: sourceDurationMs }]
  const range = usableRange(sourceDurationMs, total)
  const plain = inStretches(range, moments, durationsMs)
  if (plain.every((passage) => passage.worth >= 0)) return plain.map(toPassage)
  // Some stretch has nothing but black or blur: use more, shorter stretches and leave out the worst
  // ones.
  const longestMs = Math.max(...durationsMs)
  for (
    let stretches = count + 1;
    stretches <= count * 3 && stretches * longestMs <= range.toMs - range.fromMs;
    stretches += 1
  ) {
    const found = inStretches(
      range,
      moments,
      Array.from({ length: stretches }, () => longestMs),
    )
    const good = found.filter((passage) => passage.worth >= 0)
    if (good.length < count) continue
    const kept = good.toSorted((x, y) => y.worth - x.worth || x.startMs - y.startMs).slice(0, count)
    return kept
      .toSorted((x, y) => x.startMs - y.startMs)
      .map((passage, index) => ({
        startMs: passage.startMs,
        durationMs: durationsMs[index] ?? longestMs,
      }))
  }
  return plain.map(toPassage)
}

/**
 * Picks single places, the best of each of `count` equal stretches, but never nearer to each other
 * than a third of one; a stretch with nothing usable gives its place to the best leftover
 * elsewhere, or to its own middle.
 */
export function pickPlaces(
  sourceDurationMs: number,
  moments: readonly Moment[],
  count: number,
): number[] {
  const { fromMs, toMs } = usableRange(sourceDurationMs, 0)
  const stretchMs = (toMs - fromMs) / Math.max(1, count)
  const usable = moments
    .filter((moment) => isUsable(moment) && moment.atMs >= fromMs && moment.atMs <= toMs)
    .toSorted(byScore)
  const chosen: number[] = []
  const isFree = (atMs: number): boolean =>
    chosen.every((other) => Math.abs(other - atMs) >= stretchMs / 3)
  const stretchOf = (atMs: number): number =>
    Math.min(count - 1, Math.floor((atMs - fromMs) / stretchMs))
  const filled = new Set<number>()
  for (const { atMs } of usable) {
    if (filled.has(stretchOf(atMs)) || !isFree(atMs)) continue
    filled.add(stretchOf(atMs))
    chosen.push(atMs)
  }
  for (const { atMs } of usable) if (chosen.length < count && isFree(atMs)) chosen.push(atMs)
  for (let index = 0; index < count && chosen.length < count; index += 1) {
    const middleMs = fromMs + (index + 0.5) * stretchMs
    if (!filled.has(index) && isFree(middleMs)) chosen.push(middleMs)
  }
  return chosen.toSorted((a, b) => a - b).map(Math.round)
}

/** Whether a moment may be shown: not black, not burnt out, not blurred beyond use. */
function isUsable(moment: Moment): boolean {
  return moment.brightness > 0.07 && moment.brightness < 0.97 && (moment.sharpness ?? 1) > 0.12
}

interface Weighed extends Passage {
  readonly worth: number
}

interface Range {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * One stretch for each passage: its own length plus an equal share of what is left over. Stretches
 * keep passages apart and in order by construction; inside its stretch a passage goes where the
 * best moment is.
 */
function inStretches(
  range: Range,
  moments: readonly Moment[],
  durationsMs: readonly number[],
): Weighed[] {
  const total = durationsMs.reduce((sum, each) => sum + each, 0)
  const freeMs = (range.toMs - range.fromMs - total) / durationsMs.length
  const passages: Weighed[] = []
  let stretchStartMs = range.fromMs
  for (const durationMs of durationsMs) {
    passages.push(bestInStretch(moments, stretchStartMs, freeMs, durationMs))
    stretchStartMs += durationMs + freeMs
  }
  return passages
}

function toPassage({ startMs, durationMs }: Weighed): Passage {
  return { startMs, durationMs }
}

function usableRange(durationMs: number, neededMs: number): Range {
  const edgeMs = Math.max(0, Math.min(durationMs * EDGE_SHARE, (durationMs - neededMs) / 2))
  return { fromMs: edgeMs, toMs: durationMs - edgeMs }
}

/**
 * The passage within its stretch that shows the best moments, preferably beginning with a scene;
 * its middle when there are none.
 */
function bestInStretch(
  moments: readonly Moment[],
  stretchStartMs: number,
  freeMs: number,
  durationMs: number,
): Weighed {
  const stretchEndMs = stretchStartMs + freeMs
  const starts = moments
    .filter(
      (moment) =>
        moment.atMs >= stretchStartMs &&
        moment.atMs <= stretchEndMs + durationMs &&
        isUsable(moment),
    )
    // Either begin with the scene, or a little before the moment, so that it is not cut off at its
    // peak.
    .map((moment) => (moment.sceneStart === true ? moment.atMs : moment.atMs - durationMs * 0.35))
    .map((startMs) => Math.min(stretchEndMs, Math.max(stretchStartMs, startMs)))
  const [first, ...others] = [stretchStartMs + freeMs / 2, ...starts].map((startMs) => ({
    startMs: Math.floor(startMs),
    durationMs,
    worth: worthOf(moments, startMs, durationMs),
  }))
  const middle = first ?? { startMs: Math.floor(stretchStartMs), durationMs, worth: 0 }
  return others.reduce((a, b) => (b.worth > a.worth + 1e-9 ? b : a), middle)
}

/**
 * Mean worth of what a passage shows; a bonus for starting with a scene, a penalty for flashing the
 * next one at the end.
 */
function worthOf(moments: readonly Moment[], startMs: number, durationMs: number): number {
  const shown = moments.filter(
    (moment) => moment.atMs >= startMs && moment.atMs < startMs + durationMs,
  )
  if (shown.length === 0) return 0
  const mean =
    shown.reduce((sum, moment) => sum + (isUsable(moment) ? moment.score : -0.5), 0) / shown.length
  const startsScene = shown.some(
    (moment) => moment.sceneStart === true && moment.atMs - startMs < 250,
  )
  const flashes = shown.some(
    (moment) => moment.sceneStart === true && startMs + durationMs - moment.atMs < 600,
  )
  return mean + (startsScene ? 0.25 : 0) - (flashes ? 0.3 : 0)
}

function byScore(a: Moment, b: Moment): number {
  return b.score - a.score || a.atMs - b.atMs
}
