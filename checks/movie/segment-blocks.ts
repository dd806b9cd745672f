import { childrenOf, findElement, valueOf } from '#checks/ebml.ts'
import { editsStartMs, pictureStartMs } from '#recipes/first-picture.ts'
import type { SegmentTrack } from './segment-entries.ts'

/** What the first blocks say, in seconds by the clock of the file. */
export interface Beginning {
  /** When the file begins. */
  readonly startS: number
  /** When the times of edits do. */
  readonly editsS: number
  /** How much earlier a block is shown than one that is stored before it, at most. */
  readonly apartS: number
}

/** A block as far as its header goes. */
interface Block {
  readonly track: number
  readonly ticks: number
  readonly isKey: boolean
}

export const CLUSTER = 0x1f43b675
export const CLUSTER_TICKS = 0xe7
const [SIMPLE_BLOCK, BLOCK_GROUP, BLOCK, REFERENCE] = [0xa3, 0xa0, 0xa1, 0xfb]
const KEY_FLAG = 0x80
/** Of the first clusters; seconds have some hundreds. */
const MOST_BLOCKS = 4000
/** The first of these is shown first, in whatever order they are stored. */
const FIRST_BLOCKS = 32
/** Further apart, tracks do not lie side by side. */
const MOST_APART_S = 2

/** The blocks of clusters among other elements side by side, as far as the bytes go. */
export function* blocksIn(bytes: Uint8Array): Generator<Block> {
  let count = 0
  const all = { id: 0, bodyStart: 0, end: bytes.byteLength }
  for (const cluster of childrenOf(bytes, all, MOST_BLOCKS)) {
    const begins = cluster.id === CLUSTER ? valueOf(bytes, cluster, CLUSTER_TICKS) : null
    for (const child of begins === null ? [] : childrenOf(bytes, cluster)) {
      count += 1
      if (count > MOST_BLOCKS) return
      const isGroup = child.id === BLOCK_GROUP
      const block = isGroup ? findElement(bytes, child, BLOCK) : child
      if (block === null || (!isGroup && block.id !== SIMPLE_BLOCK)) continue
      const header = headerOf(bytes, block.bodyStart)
      if (header === null) return
      const { track, later, flags } = header
      const isKey = isGroup
        ? findElement(bytes, child, REFERENCE) === null
        : (flags & KEY_FLAG) !== 0
      yield { track, ticks: (begins ?? 0) + later, isKey }
    }
  }
}

/** A number of a track, a time counted from the cluster's, and flags. */
function headerOf(
  bytes: Uint8Array,
  at: number,
): { readonly track: number; readonly later: number; readonly flags: number } | null {
  const first = bytes[at] ?? 0
  const length = first >= 0x80 ? 1 : 2
  if (first < 0x40 || at + length + 3 > bytes.byteLength) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset + at)
  return {
    track: length === 1 ? first - 0x80 : view.getUint16(0) - 0x4000,
    later: view.getInt16(length),
    flags: view.getUint8(length + 2),
  }
}

/** Null where a track has no block among the first, or they do not lie side by side. */
export function beginningOf(
  blocks: readonly Block[],
  tracks: readonly SegmentTrack[],
  seconds: number,
): Beginning | null {
  const times = new Map<number, number[]>(tracks.map(({ number }) => [number, []]))
  let [latest, apart] = [-Infinity, 0]
  for (const { track, ticks } of blocks) {
    times.get(track)?.push(ticks)
    latest = Math.max(latest, ticks)
    apart = Math.max(apart, latest - ticks)
  }
  const starts = tracks.map(({ kind, number, delayS }) => {
    const first = Math.min(...(times.get(number) ?? []).slice(0, FIRST_BLOCKS))
    return { kind, startS: first * seconds - delayS }
  })
  const startS = Math.min(...starts.map((each) => each.startS))
  const pictureS = Math.min(
    ...starts.filter(({ kind }) => kind === 'picture').map((each) => each.startS),
  )
  const apartS = apart * seconds
  if (!starts.every((each) => Number.isFinite(each.startS)) || apartS > MOST_APART_S) return null
  const lateMs = editsStartMs({ pictureStartMs: pictureStartMs(startS, pictureS) })
  return { startS, editsS: startS + lateMs / 1000, apartS }
}

/**
 * Whether cues name keys, as far as these blocks go: some programs name each picture, and ffmpeg
 * begins at such a place.
 */
export function areKeys(
  cues: readonly { readonly ticks: number; readonly track: number }[],
  blocks: readonly Block[],
): boolean {
  const others = new Set(
    blocks.filter(({ isKey }) => !isKey).map(({ track, ticks }) => `${track} ${ticks}`),
  )
  return !cues.some(({ track, ticks }) => others.has(`${track} ${ticks}`))
}
