import { PRINT_BYTES, SPAN_PICTURES, STEP_MS } from './picture-print.ts'

/** One picture for each second of a video that is held or was removed, `PRINT_BYTES` each. */
export type KnownPrint = Uint8Array

/** Pictures of a new video, `STEP_MS` apart. */
export interface PrintSpan {
  readonly startMs: number
  readonly pictures: Uint8Array
}

/** How much of a new video is the known one. */
export interface Agreement {
  /** 0 to 1: how far the pictures change alike, at the place in time where they do most. */
  readonly alike: number
  /** The same within scenes, where only what moves can agree; null where nothing does. */
  readonly alikeInScenes: number | null
  /** Scenes that differ from each other in the pictures that were compared. */
  readonly scenes: number
  /** Spans that were compared, of those of the new video. */
  readonly compared: number
  readonly spans: number
  /** Where in the known video the new one begins. */
  readonly offsetMs: number
}

/** From here on pictures agree: docs/reports.md has what was measured on both sides of it. */
const ALIKE_FROM = 0.6
/** Where nothing moves within scenes, this many scenes in one order are no coincidence. */
const SCENES_FROM = 5

/** Whether the agreement says that one video was made from the other. */
export function isSameVideo(agreement: Agreement): boolean {
  return certaintyOf(agreement) >= ALIKE_FROM
}

/**
 * The agreement that counts, 0 to 1. Two videos of one room may cut between the same cameras at the
 * same times, so what moves within their scenes has to agree too.
 */
export function certaintyOf({ alike, alikeInScenes, scenes }: Agreement): number {
  if (alikeInScenes !== null) return Math.max(0, Math.min(alike, alikeInScenes))
  return scenes >= SCENES_FROM ? alike : 0
}

/** Fewer spans, or a smaller share of them, prove nothing: films share titles. */
export const MIN_COMPARED = 5
const MIN_SHARE = 1 / 3

/** A picture whose parts differ in brightness by less than this shows nothing. */
const FLAT_BELOW = 4
const STEPS_PER_S = 1000 / STEP_MS
/** Comparisons between two pauses: a few milliseconds. */
const AT_ONCE = 500

/**
 * Lays a new video along a known one in steps of `STEP_MS` and gives the best agreement; null when
 * none of the places has enough to compare. `pause` lets other work in.
 */
export async function compareVideos(
  known: KnownPrint,
  spans: readonly PrintSpan[],
  pause: () => Promise<void>,
): Promise<Agreement | null> {
  const kept = evened(known)
  const looks = spans.map(({ startMs, pictures }) => ({
    step: Math.round(startMs / STEP_MS),
    pictures: evened(pictures),
  }))
  const needed = Math.max(MIN_COMPARED, Math.ceil(spans.length * MIN_SHARE))
  const first = -Math.max(0, ...looks.map(({ step }) => step)) - SPAN_PICTURES
  const last = kept.length * STEPS_PER_S
  let best: Agreement | null = null
  for (let offset = first; offset <= last; offset += 1) {
    if ((offset - first) % AT_ONCE === AT_ONCE - 1) await pause()
    const pairs = pairsAt(kept, looks, offset)
    if (pairs.length < needed) continue
    const alike = correlationOf([addUp(pairs)]) ?? 0
    if (best !== null && alike < Math.min(best.alike, ALIKE_FROM)) continue
    const found = agreementAt(pairs, alike, { spans: spans.length, offsetMs: offset * STEP_MS })
    if (best === null || worthOf(found) > worthOf(best)) best = found
  }
  return best
}

function agreementAt(
  pairs: readonly Pair[],
  alike: number,
  at: Pick<Agreement, 'spans' | 'offsetMs'>,
): Agreement {
  const scenes = scenesOf(pairs)
  return {
    alike,
    alikeInScenes: correlationOf(scenes.filter(({ length }) => length > 1).map(addUp)),
    scenes: scenes.length,
    compared: pairs.length,
    ...at,
  }
}

/**
 * The certainty; where it is 0 at all places, the place counts at which the pictures agree most.
 */
function worthOf(agreement: Agreement): number {
  return certaintyOf(agreement) + agreement.alike
}

/** A picture with mean 0 and length 1; null when it shows nothing. */
type Evened = Float32Array | null

interface Pair {
  readonly known: Float32Array
  readonly found: Float32Array
}

/** The pictures without what exposure and contrast change. */
function evened(bytes: Uint8Array): Evened[] {
  return Array.from({ length: Math.floor(bytes.length / PRINT_BYTES) }, (_, index) => {
    const picture = Float32Array.from(
      bytes.subarray(index * PRINT_BYTES, (index + 1) * PRINT_BYTES),
    )
    const mean = picture.reduce((sum, value) => sum + value, 0) / PRINT_BYTES
    const length = Math.hypot(...picture.map((value) => value - mean))
    if (length < FLAT_BELOW * Math.sqrt(PRINT_BYTES)) return null
    return picture.map((value) => (value - mean) / length)
  })
}

interface Look {
  readonly step: number
  readonly pictures: readonly Evened[]
}

/** Of each span the picture that lies on a kept one when the new video begins at `offset`. */
function pairsAt(kept: readonly Evened[], looks: readonly Look[], offset: number): readonly Pair[] {
  const pairs: Pair[] = []
  for (const { step, pictures } of looks) {
    const at = step + offset
    const second = Math.ceil(at / STEPS_PER_S)
    const known = kept[second]
    const found = pictures[second * STEPS_PER_S - at]
    if (known && found) pairs.push({ known, found })
  }
  return pairs
}

/** What is shared and what each has, without the means. */
interface Sums {
  readonly both: number
  readonly known: number
  readonly found: number
  readonly count: number
}

function addUp(pairs: readonly Pair[]): Sums {
  const knownSum = new Float32Array(PRINT_BYTES)
  const foundSum = new Float32Array(PRINT_BYTES)
  let both = 0
  for (const { known, found } of pairs)
    for (let at = 0; at < PRINT_BYTES; at += 1) {
      const a = known[at] ?? 0
      const b = found[at] ?? 0
      both += a * b
      knownSum[at] = (knownSum[at] ?? 0) + a
      foundSum[at] = (foundSum[at] ?? 0) + b
    }
  const count = pairs.length
  const means = { both: 0, known: 0, found: 0 }
  for (let at = 0; at < PRINT_BYTES; at += 1) {
    const a = knownSum[at] ?? 0
    const b = foundSum[at] ?? 0
    means.both += (a * b) / count
    means.known += (a * a) / count
    means.found += (b * b) / count
  }
  // Each picture has length 1.
  return {
    both: both - means.both,
    known: count - means.known,
    found: count - means.found,
    count,
  }
}

/** Share of a picture's length: less than this from picture to picture is noise of encoders. */
const STANDS_BELOW = 0.004

/**
 * The correlation of what changes from pair to pair: what all pictures of a group share, as a room
 * before a camera that stands, says nothing. Null where nothing changes.
 */
function correlationOf(all: readonly Sums[]): number | null {
  const total = { both: 0, known: 0, found: 0, count: 0 }
  for (const { both, known, found, count } of all) {
    total.both += both
    total.known += known
    total.found += found
    total.count += count
  }
  const { both, known, found, count } = total
  return Math.min(known, found) <= STANDS_BELOW * count ? null : both / Math.sqrt(known * found)
}

/** Pictures of one scene correlate by at least this much. */
const SAME_SCENE = 0.8

function scenesOf(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  const scenes: Pair[][] = []
  for (const pair of pairs) {
    const scene = scenes.find(
      ([first]) => first !== undefined && likeness(first, pair) >= SAME_SCENE,
    )
    if (scene === undefined) scenes.push([pair])
    else scene.push(pair)
  }
  return scenes
}

function likeness(a: Pair, b: Pair): number {
  return a.known.reduce((sum, value, at) => sum + value * (b.known[at] ?? 0), 0)
}
