import { joinedBytes, numberIn } from '#checks/bytes.ts'
import { childrenOf, element, elementAt, elementHeader, numberElement } from '#checks/ebml.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { ComposedFile } from './composed-file.ts'
import type { NoExcerpt } from './excerpt.ts'
import { BEFORE_S, SOUND_BEHIND_S } from './excerpt-samples.ts'
import type { MovieBytes } from './movie-bytes.ts'
import { joinedRanges } from './sample-tables.ts'
import { CLUSTER, CLUSTER_TICKS } from './segment-blocks.ts'
import { FIRST_BYTES, FIRST_S, type Cue, type SegmentIndex } from './segment-index.ts'

/** A cluster as far as it is known without its blocks, by places of the file. */
interface Cluster {
  readonly start: number
  readonly end: number
  readonly ticks: number
}

const [SEGMENT, INFO, MUXING_APP, WRITING_APP, TRACKS] = [
  0x18538067, 0x1549a966, 0x4d80, 0x5741, 0x1654ae6b,
]
const [CUES, CUE_POINT, CUE_TIME, CUE_POSITIONS, CUE_TRACK, CUE_CLUSTER, CUE_RELATIVE] = [
  0x1c53bb6b, 0xbb, 0xb3, 0xb7, 0xf7, 0xf1, 0xf0,
]
const [POSITION, PREVIOUS_SIZE] = [0xa7, 0xab]

/** Of a cluster: what stands before its first block. */
const HEAD_BYTES = 64
/** Of all stretches together; a quarter of an hour has some hundreds. */
const MOST_CLUSTERS = 4000
/** Blocks say their time by 16 bits, counted from their cluster's. */
const FURTHEST_TICKS = 2 ** 15
/** What edits read ends half a second behind what they show. */
const BEHIND_S = 0.4

/**
 * Plans an excerpt of a Matroska or WebM file: a head of its own and whole clusters, as they are.
 *
 * [Note: excerpt of clusters] Each cluster says its own time, so that the clock of the whole stays
 * by itself. What else has to be so, for ffmpeg to read the same from it:
 * - It goes to the cluster of the last cue before a place, and drops all blocks before the time of
 *   that cue, also of sound: nothing before that cluster is read.
 * - Where it goes to the last cue of a file, it looks for later keys itself. So behind the last
 *   cluster stands the next cue of the whole; the end of the file follows it.
 * - It learns from the first 5 MB or 5 s what the file is.
 * - Numbers of its streams are those of all tracks, so that a file with others than pictures and
 *   sounds has no excerpt: their bytes lie in the same clusters.
 * - A cluster that says where it lies, or how long the one before it is, would be wrong.
 */
export async function planSegmentExcerpt(
  source: MovieBytes,
  index: SegmentIndex,
  stretches: readonly Stretch[],
): Promise<Result<ComposedFile, NoExcerpt>> {
  let isBroken = false
  const readHead = async (at: number): Promise<Uint8Array> => {
    const bytes = await source.read(at, Math.min(at + HEAD_BYTES, index.end))
    isBroken ||= !bytes.ok
    return bytes.ok ? new Uint8Array(bytes.value) : new Uint8Array()
  }
  const kept = await keptClusters(readHead, index, stretches)
  if (kept === null) return err({ code: isBroken ? 'excerpt/unreadable' : 'excerpt/unusual' })
  return ok(composed(index, kept))
}

type ReadHead = (at: number) => Promise<Uint8Array>

/** By their places; null where one is not as it has to be. */
async function keptClusters(
  readHead: ReadHead,
  index: SegmentIndex,
  stretches: readonly Stretch[],
): Promise<ReadonlyMap<number, Cluster> | null> {
  const { seconds, beginning, firstCluster, end } = index
  const kept = new Map<number, Cluster>()
  const cues = cuesOfPicture(index)
  /** The cluster that ffmpeg reads a time from. */
  const clusterBefore = (atS: number): number =>
    cues.findLast(({ ticks }) => ticks * seconds <= atS)?.cluster ?? firstCluster
  const behindS = Math.max(SOUND_BEHIND_S, beginning.apartS + BEHIND_S)
  const spans = [
    { from: firstCluster, toS: beginning.startS + FIRST_S, to: firstCluster + FIRST_BYTES },
    ...stretches.map(({ startMs, endMs }) => ({
      from: clusterBefore(beginning.editsS + startMs / 1000 - BEFORE_S),
      toS: beginning.editsS + endMs / 1000 + behindS,
      to: end,
    })),
  ]
  if (spans.some(({ from, to }) => from >= to)) return null
  let read = 0
  for (const { from, toS, to } of spans.toSorted((one, other) => one.from - other.from))
    for (let at = from; at < to;) {
      const cluster = kept.get(at) ?? clusterAt(await readHead(at), at, end)
      read += 1
      if (cluster === null || read > MOST_CLUSTERS) return null
      if (cluster.ticks !== null) {
        if (at > from && cluster.ticks * seconds >= toS) break
        kept.set(at, { ...cluster, ticks: cluster.ticks })
      } else if (at === from) return null
      at = cluster.end
    }
  return fits(index, kept) ? kept : null
}

/** Whether clusters lie one behind another, and cues name blocks that can be in them. */
function fits({ cues }: SegmentIndex, kept: ReadonlyMap<number, Cluster>): boolean {
  const inOrder = [...kept.values()].toSorted((one, other) => one.start - other.start)
  return (
    inOrder.every(({ start }, place) => start >= (inOrder[place - 1]?.end ?? 0)) &&
    cues.every(({ cluster, ticks }) => {
      const begins = kept.get(cluster)?.ticks ?? ticks
      return Math.abs(ticks - begins) <= FURTHEST_TICKS
    })
  )
}

function cuesOfPicture({ cues, tracks }: SegmentIndex): readonly Cue[] {
  const picture = tracks.find(({ kind }) => kind === 'picture')?.number
  return cues.filter(({ track }) => track === picture)
}

/** When the keys of the picture are shown, in order, in milliseconds as edits count them. */
export function cueTimesMs(index: SegmentIndex): readonly number[] {
  const { seconds, beginning } = index
  return cuesOfPicture(index).map(({ ticks }) =>
    Math.round((ticks * seconds - beginning.editsS) * 1000),
  )
}

/**
 * What is at a place of the segment; `ticks` null of what is no cluster. Null where that cannot be
 * said, and where a cluster says what is not true at another place.
 */
function clusterAt(
  bytes: Uint8Array,
  at: number,
  limit: number,
): { readonly start: number; readonly end: number; readonly ticks: number | null } | null {
  const found = elementAt(bytes, 0)
  if (found?.end == null || at + found.end > limit) return null
  const place = { start: at, end: at + found.end }
  if (found.id !== CLUSTER) return { ...place, ticks: null }
  let ticks: number | null = null
  for (const { id, bodyStart, end } of childrenOf(bytes, found)) {
    if (id === POSITION || id === PREVIOUS_SIZE) return null
    if (id === CLUSTER_TICKS && end !== null && end <= bytes.byteLength)
      ticks = numberIn(bytes, bodyStart, end)
  }
  return ticks === null ? null : { ...place, ticks }
}

function composed(index: SegmentIndex, kept: ReadonlyMap<number, Cluster>): ComposedFile {
  const ranges = joinedRanges([...kept.values()].map(({ start, end }) => ({ start, end })))
  const placeOf = new Map<number, number>()
  let mediaBytes = 0
  for (const { start, end } of [...kept.values()].toSorted(
    (one, other) => one.start - other.start,
  )) {
    placeOf.set(start, mediaBytes)
    mediaBytes += end - start
  }
  const info = element(INFO, index.clock, element(MUXING_APP), element(WRITING_APP))
  const tracks = element(TRACKS, ...index.tracks.map(({ described }) => described))
  const cues = keptCues(index, kept)
  /** @param mediaAt where the clusters begin, counted from the segment's body */
  const cuesAt = (mediaAt: number): Uint8Array =>
    element(CUES, ...cues.map((cue) => cueElement(cue, mediaAt + (placeOf.get(cue.cluster) ?? 0))))
  const mediaAt = info.byteLength + tracks.byteLength + cuesAt(0).byteLength
  const segment = elementHeader(SEGMENT, mediaAt + mediaBytes)
  const head = joinedBytes([index.header, segment, info, tracks, cuesAt(mediaAt)])
  return { head, ranges, sizeBytes: head.byteLength + mediaBytes }
}

function keptCues(
  { cues, tracks }: SegmentIndex,
  kept: ReadonlyMap<number, Cluster>,
): readonly Cue[] {
  const taken = new Set(tracks.map(({ number }) => number))
  const own = cues.filter(({ track }) => taken.has(track))
  const there = own.filter(({ cluster }) => kept.has(cluster))
  const last = there.at(-1)
  const next = own.find(({ ticks, track }) => last?.track === track && ticks > last.ticks)
  return last === undefined || next === undefined
    ? there
    : [...there, { ...next, cluster: last.cluster, relative: null }]
}

function cueElement({ ticks, track, relative }: Cue, place: number): Uint8Array {
  return element(
    CUE_POINT,
    numberElement(CUE_TIME, ticks),
    element(
      CUE_POSITIONS,
      numberElement(CUE_TRACK, track),
      numberElement(CUE_CLUSTER, place),
      ...(relative === null ? [] : [numberElement(CUE_RELATIVE, relative)]),
    ),
  )
}
