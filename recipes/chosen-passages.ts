import { lengthOf, wrongMoments, type LengthRule, type MomentChoice } from './moment-choice.ts'
import { framesIn, msOfFrames, type PieceShape } from './passage-steps.ts'
import { ok, type Result } from './result.ts'
import type { OptionsProblem, SourceProbe } from './types.ts'

/** One passage of an edit in whole frames. */
export interface FramedPassage {
  readonly startMs: number
  readonly frames: number
}

/** What passages together make up. */
export interface FrameRoom {
  readonly totalFrames: number
  /** By how many neighbours fade into each other. */
  readonly fadeFrames: number
  readonly frameRate: PieceShape['frameRate']
}

/** The rule of an edit whose moments have this number of frames together. */
export function ruleOfFrames(room: FrameRoom, minMs: number): LengthRule {
  return {
    slots: null,
    lengthMs: msOfFrames(room.totalFrames, room),
    overlapMs: msOfFrames(room.fadeFrames, room),
    minMs,
  }
}

/**
 * Chosen moments that fit their rule in whole frames that add up exactly: each is off by two frames
 * at most. Refused where a moment would have no frame between its fades.
 */
export function framedChoice(
  { shown }: MomentChoice,
  source: Pick<SourceProbe, 'durationMs'>,
  room: FrameRoom,
): Result<readonly FramedPassage[], OptionsProblem> {
  const { totalFrames, fadeFrames } = room
  const frames = shown.map((each) => framesIn(lengthOf(each), room))
  const have = frames.reduce((sum, each) => sum + each, 0) - (shown.length - 1) * fadeFrames
  const missing = totalFrames - have
  const evened = frames.map(
    (each, index) =>
      each +
      Math.floor(((index + 1) * missing) / shown.length) -
      Math.floor((index * missing) / shown.length),
  )
  if (evened.some((each) => each <= 2 * fadeFrames))
    return wrongMoments(
      'Your video has too few pictures a second for moments as short as these. Please make the shortest longer.',
    )
  return ok(
    shown.map(({ startMs }, index) => {
      const own = evened[index] ?? 1
      const latestMs = Math.max(0, Math.floor(source.durationMs - msOfFrames(own, room)))
      return { startMs: Math.min(startMs, latestMs), frames: own }
    }),
  )
}
