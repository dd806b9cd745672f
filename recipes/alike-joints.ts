import type { FramedPassage, FrameRoom } from './chosen-passages.ts'
import { createWeigher, type Passage } from './passage-worth.ts'
import { msOfFrames } from './passage-steps.ts'
import type { Moment } from './types.ts'

/** A passage, and how it leads to the next one. */
export interface PassageWithJoint extends FramedPassage {
  /** By a cut, because a fade would be a ghost; else by a fade. */
  readonly isCutNext: boolean
}

/**
 * The passages with a cut between those that look alike where they meet, and where a face is seen
 * on either side: a face that fades is a ghost.
 * @param isCircle the last one leads to the first one too, and a single one to itself
 */
export function withoutGhosts(
  passages: readonly FramedPassage[],
  moments: readonly Moment[],
  room: Pick<FrameRoom, 'fadeFrames' | 'frameRate'>,
  isCircle = false,
): readonly PassageWithJoint[] {
  const weigher = createWeigher(moments)
  const { fadeFrames } = room
  const fadeMs = msOfFrames(fadeFrames, room)
  return passages.map(({ startMs, frames }, index) => {
    const next = passages[index + 1] ?? (isCircle ? passages[0] : undefined)
    if (next === undefined || fadeFrames === 0 || next.frames <= 2 * fadeFrames)
      return { startMs, frames, isCutNext: false }
    const joint = weigher.jointOf(startMs + msOfFrames(frames, room), next.startMs + fadeMs)
    const isCutNext = joint === 'cut' || (joint === 'unknown' && passages.length === 1)
    return { startMs, frames, isCutNext }
  })
}

/**
 * What is shown of the passages: behind a cut one begins where its fade would have ended, so that
 * all of it lies where it did.
 */
export function behindCuts<T extends FramedPassage & { readonly isCutNext?: boolean }>(
  passages: readonly T[],
  { fadeFrames, frameRate }: Pick<FrameRoom, 'fadeFrames' | 'frameRate'>,
): readonly T[] {
  return passages.map((passage, index) =>
    passages.at(index - 1)?.isCutNext === true
      ? {
          ...passage,
          startMs: passage.startMs + msOfFrames(fadeFrames, { frameRate }),
          frames: passage.frames - fadeFrames,
        }
      : passage,
  )
}

/**
 * Whether a passage that is repeated begins again by a cut, because its end looks like what it
 * would fade into, or one of both shows a face. It does where nothing is known too: a few seconds
 * mostly show one shot.
 */
export function repeatsByCut(
  { startMs, durationMs }: Passage,
  fadeMs: number,
  moments: readonly Moment[],
): boolean {
  return createWeigher(moments).jointOf(startMs + durationMs, startMs + fadeMs) !== 'fade'
}
