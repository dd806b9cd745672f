import { repeatsByCut } from '#recipes/alike-joints.ts'
import { faultOfCrop, isAllOf, placeToCrop } from '#recipes/crop-place.ts'
import { firstIndex } from '#recipes/first-index.ts'
import { readHeads, showsPeople, withFraming } from '#recipes/heads.ts'
import { createWeigher, type Passage, type Weigher } from '#recipes/passage-worth.ts'
import type { Size } from '#recipes/picture.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'

/** What one file of a pack shows. */
export interface FileShape {
  /** The part of the picture that is cut out. */
  readonly crop: Size
  /** How long its passage may be, the best first. */
  readonly lengthsMs: readonly number[]
  /** What it reads before its passage, for a fade. */
  readonly leadMs: number
}

/** A passage as a file would show it. */
interface Candidate extends Passage {
  readonly leadMs: number
  readonly worth: number
}

/** A person to be seen for all of a passage is worth more than all that moves. */
const A_PERSON = 2
/** A head that is cut for all of it. */
const CUT_HEAD = 1
/** A face in it is cut by the picture: still better than a file without people. */
const BADLY_FRAMED = 1
/** A passage that is shorter than the first of its lengths, as a share of it. */
const SHORTER = 0.6
/** Two files that look alike: better than one without people. */
const ALIKE = 0.8
/** Two files of one time; less so the farther they are apart. */
const NEAR = 0.3
/** Two passages that are nearer than this show the same. */
const APART_MS = 300
/** Candidates of each length that are compared, and packs of them that are followed. */
const COMPARED = 8
const KEPT_PACKS = 200

/**
 * One passage for each file, with what it reads before it, so that as many files as can be show
 * a person: a pack is not posted for its three good files. Files are posted one by one, so their
 * order in the source says nothing.
 * @param usual passages that do not overlap, one for each file, for files that find no people
 */
export function peoplePassages(
  source: SourceProbe,
  moments: readonly Moment[],
  files: readonly FileShape[],
  usual: readonly Passage[],
): readonly Passage[] {
  if (usual.length < files.length || !moments.some(showsPeople)) return usual
  const lists = files.map((file, index) => {
    const framed = framedFor(source, moments, file)
    const weigher = createWeigher(framed)
    const own = usual.flatMap((each) => usualFor(file, each, each === usual[index]))
    return [...candidatesOf(source, framed, file, weigher), ...own].map((each): Candidate => ({
      ...each,
      leadMs: file.leadMs,
      worth: worthOf(each, file, source, framed, weigher),
    }))
  })
  const best = bestOf(lists, source.durationMs / files.length, createWeigher(moments))
  if (best === null) return usual
  return best.map(({ startMs, durationMs, leadMs }) => ({
    startMs: startMs - leadMs,
    durationMs: durationMs + leadMs,
  }))
}

/** Heads as the shape of the file frames them. */
function framedFor(
  source: SourceProbe,
  moments: readonly Moment[],
  { crop }: FileShape,
): readonly Moment[] {
  return isAllOf(source, crop)
    ? withFraming(moments)
    : withFraming(moments, (moment) => faultOfCrop(source, crop, moment))
}

/** The usual passage of a file, and of the others as much as it needs. */
function usualFor(
  { lengthsMs, leadMs }: FileShape,
  { startMs, durationMs }: Passage,
  isOwn: boolean,
): readonly Passage[] {
  const [lengthMs = 0] = lengthsMs
  if (isOwn) return [{ startMs: startMs + leadMs, durationMs: durationMs - leadMs }]
  return lengthMs + leadMs <= durationMs
    ? [{ startMs: startMs + leadMs, durationMs: lengthMs }]
    : []
}

/** The best passages with people, of each length some that are not neighbours. */
function candidatesOf(
  source: SourceProbe,
  moments: readonly Moment[],
  { crop, lengthsMs, leadMs }: FileShape,
  weigher: Weigher,
): readonly Passage[] {
  const people = moments.filter(showsPeople)
  const room = new Map(people.map((each) => [each, roomFor(each, source, crop)]))
  const rough = (passage: Passage): number =>
    momentsIn(people, passage).reduce(
      (sum, each) =>
        sum + (room.get(each) ?? 0) * shareOf(each, passage) * (1 - (each.fault ?? 0) / 2),
      0,
    )
  return lengthsMs.flatMap((durationMs) => {
    const starts = people
      .flatMap(({ atMs, lengthMs }) => [atMs, Math.ceil(atMs + lengthMs - durationMs)])
      // People are no logo: both ends of the source may be shown.
      .filter((each) => each >= leadMs && each + durationMs <= source.durationMs)
    const times = Float64Array.from(new Set(starts)).toSorted()
    const worths = weigher.worthsAt(times, durationMs)
    const ranked = Array.from(times, (startMs, at) => {
      const passage = { startMs, durationMs }
      return { passage, worth: (worths[at] ?? 0) + A_PERSON * rough(passage) }
    }).toSorted((a, b) => b.worth - a.worth)
    const kept: Passage[] = []
    for (const { passage } of ranked) {
      if (kept.length >= COMPARED) break
      const isNew = kept.every(
        ({ startMs }) => Math.abs(startMs - passage.startMs) >= durationMs / 2,
      )
      if (isNew && isWhole(passage, leadMs, moments, weigher)) kept.push(passage)
    }
    return kept
  })
}

/** Which share of a passage a moment is. */
function shareOf({ atMs, lengthMs }: Moment, { startMs, durationMs }: Passage): number {
  return (Math.min(atMs + lengthMs, startMs + durationMs) - Math.max(atMs, startMs)) / durationMs
}

/** What it reads before a passage is seen where its end fades: then no cut may be in it. */
function isWhole(
  { startMs, durationMs }: Passage,
  leadMs: number,
  moments: readonly Moment[],
  weigher: Weigher,
): boolean {
  const all = { startMs: startMs - leadMs, durationMs: durationMs + leadMs }
  return (
    leadMs === 0 ||
    repeatsByCut(all, leadMs, moments) ||
    !weigher.hasCut(all.startMs, all.durationMs)
  )
}

/** Whether the part has room for one of the heads: 1, or 0.5 where it has only for faces. */
function roomFor({ heads }: Moment, source: Size, crop: Size): number {
  const [wide, high] = [crop.width / source.width, crop.height / source.height]
  const hasRoom = readHeads(heads).some(
    ({ left, top, right, bottom }) => right - left <= wide && bottom - top <= high,
  )
  return hasRoom ? 1 : 0.5
}

function worthOf(
  passage: Passage,
  { crop, lengthsMs: [longestMs = 1] }: FileShape,
  source: SourceProbe,
  moments: readonly Moment[],
  weigher: Weigher,
): number {
  const { startMs, durationMs } = passage
  const seen = momentsIn(moments, passage)
  const { shown, cutHeads } = placeToCrop(source, crop, passage, seen)
  return (
    weigher.worth(startMs, durationMs) +
    A_PERSON * shown -
    CUT_HEAD * Math.min(1, cutHeads) -
    BADLY_FRAMED * Math.max(0, ...seen.map(({ fault = 0 }) => fault)) -
    SHORTER * (1 - durationMs / longestMs)
  )
}

function momentsIn(
  moments: readonly Moment[],
  { startMs, durationMs }: Passage,
): readonly Moment[] {
  const first = firstIndex(moments, ({ atMs, lengthMs }) => atMs + lengthMs > startMs)
  const next = firstIndex(moments, ({ atMs }) => atMs >= startMs + durationMs)
  return moments.slice(first, next)
}

/** Some of the best candidates of each file together. */
interface Pack {
  readonly chosen: readonly Candidate[]
  readonly worth: number
}

/** The best candidate of each file together, of which none shows the time of another; else none. */
function bestOf(
  lists: readonly (readonly Candidate[])[],
  evenMs: number,
  weigher: Weigher,
): readonly Candidate[] | null {
  const packs = lists.reduce<readonly Pack[]>(
    (before, list) =>
      before
        .flatMap(({ chosen, worth }) =>
          list.map((each): Pack => {
            const loss = chosen.reduce(
              (sum, other) => sum + lossOf(each, other, evenMs, weigher),
              0,
            )
            return { chosen: [...chosen, each], worth: worth + each.worth - loss }
          }),
        )
        .filter(({ worth }) => worth > -Infinity)
        .toSorted((a, b) => b.worth - a.worth)
        .slice(0, KEPT_PACKS),
    [{ chosen: [], worth: 0 }],
  )
  return packs[0]?.chosen ?? null
}

/** What it costs that two files show these. */
function lossOf(a: Candidate, b: Candidate, evenMs: number, weigher: Weigher): number {
  const [first, then] = a.startMs <= b.startMs ? [a, b] : [b, a]
  if (then.startMs - first.startMs - first.durationMs < APART_MS) return Infinity
  const near = NEAR * Math.max(0, 1 - (then.startMs - first.startMs) / evenMs)
  return near + (weigher.areAlike(a, b) ? ALIKE : 0)
}
