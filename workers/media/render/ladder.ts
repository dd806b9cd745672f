import { isFullHd, isSmall, lengthMsOf } from './layout.ts'
import type { Drawing, MarkedDrawing } from '#recipes/drawing.ts'
import type { Size } from '#recipes/picture.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import type { LeftToServer, OwnRung } from '#src/local/made/make.ts'

/** What of an edit can be made without the server. */
export type OwnWork =
  | { readonly kind: 'film'; readonly drawing: Drawing }
  /** All of the video under a mark; `small` at 720p at most. */
  | { readonly kind: 'marked'; readonly drawing: MarkedDrawing; readonly small: MarkedDrawing }
  /** Stills and GIFs; each step of the plan says which pictures it reads. */
  | { readonly kind: 'pictures'; readonly plan: RecipePlan }

/** What was found out of an edit, its video and this device. */
export interface LadderFacts {
  /** Null where the recipe says neither, or not of this video. */
  readonly work: OwnWork | null
  /** It shows assets, or plays a track. */
  readonly needsServerFiles: boolean
  readonly source: SourceProbe
  /** This browser decodes its picture. */
  readonly isDecoded: boolean
  /** ffmpeg.wasm decodes its picture. */
  readonly isDecodedByCore: boolean
  /** Up to which size its H.264 encoder was proven. */
  readonly encodes: 'full' | 'small' | 'none'
  readonly memory: DeviceMemory
}

/** `small`: for 720p; `little`: a page that makes an edit would be ended. */
export type DeviceMemory = 'full' | 'small' | 'little'

const MOST_MS = 90_000
/** Full HD takes ffmpeg.wasm seven processor seconds for each second. */
const MOST_SLOW_MS = 20_000
/** Where pictures stay for longer, passages are read of a steady copy (`onSteadySource`). */
const LONGEST_STAY_MS = 2000

/** The ways that are left for an edit, the best one first; with none, why. */
export function ladder(facts: LadderFacts): {
  readonly rungs: readonly OwnRung[]
  readonly why: LeftToServer
} {
  const { work } = facts
  const left = (why: LeftToServer) => ({ rungs: [], why })
  if (facts.needsServerFiles) return left('needs-server-files')
  if (work === null) return left('never-here')
  if (work.kind === 'pictures') {
    if (facts.memory === 'little') return left('too-little-memory')
    return isShownByCodecs(facts) ? { rungs: ['now'], why: 'never-here' } : left('no-decoder')
  }
  // Only the server writes how to look at such a picture.
  if (work.kind === 'marked' && facts.source.immersiveTrack !== undefined) return left('never-here')
  const lengthMs = work.kind === 'film' ? lengthMsOf(work.drawing) : work.drawing.lengthMs
  if (lengthMs > MOST_MS) return left('too-long')
  if (facts.memory === 'little') return left('too-little-memory')
  const isSlow = work.kind === 'film' && facts.isDecodedByCore && !facts.source.isHdr
  const rungs = [
    ...quickRungs(work.drawing.size, facts),
    ...(isSlow && lengthMs <= MOST_SLOW_MS ? ['now-slow' as const] : []),
  ]
  if (rungs.length > 0) return { rungs, why: 'never-here' }
  if (isSlow) return left('too-long')
  return left(isShownByCodecs(facts) ? 'no-encoder' : 'no-decoder')
}

function quickRungs(
  size: Size,
  facts: Pick<LadderFacts, 'source' | 'isDecoded' | 'encodes' | 'memory'>,
): readonly OwnRung[] {
  const { encodes, memory } = facts
  if (encodes === 'none' || !isShownByCodecs(facts)) return []
  if (isSmall(size)) return ['now']
  const isWhole = encodes === 'full' && memory === 'full' && isFullHd(size)
  return isWhole ? ['now', 'now-small'] : ['now-small']
}

/** Whether what a decoder gives is what must be shown, but for its size and its turn. */
function isShownByCodecs({
  source,
  isDecoded,
}: Pick<LadderFacts, 'source' | 'isDecoded'>): boolean {
  return (
    isDecoded &&
    !source.isHdr &&
    source.colorMatrix !== 'bt2020' &&
    source.isInterlaced !== true &&
    source.pictureChanges !== true &&
    (source.pictureLateMs ?? 0) === 0 &&
    (source.longestStayMs ?? 0) <= LONGEST_STAY_MS
  )
}
