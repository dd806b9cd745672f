import type { FramedPassage, FrameRoom } from './chosen-passages.ts'
import { createWeigher } from './passage-worth.ts'
import { msOfFrames } from './passage-steps.ts'
import type { Moment } from './types.ts'

/** A passage, and how it goes over into the next one. */
export interface PassageWithJoint extends FramedPassage {
  /** By a cut, because they look alike; else by a fade. */
  readonly isCutNext: boolean
}

/**
 * The passages with a cut between those that look alike where they meet: a fade of a face into
 * itself is a ghost. Behind a cut a passage begins where its fade would have ended, so that all of
 * it lies where it did.
 * @param isCircle the last one goes over into the first one too
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
  const cuts = passages.map(({ startMs, frames }, index) => {
    const next = passages[index + 1] ?? (isCircle && index > 0 ? passages[0] : undefined)
    if (next === undefined || fadeFrames === 0 || next.frames <= 2 * fadeFrames) return false
    return weigher.joinsAlike(startMs + msOfFrames(frames, room), next.startMs + fadeMs)
  })
  return passages.map(({ startMs, frames }, index) => {
    const isCutNext = cuts[index] ?? false
    const isBehindCut = cuts[index > 0 ? index - 1 : cuts.length - 1] ?? false
    return isBehindCut
      ? { startMs: startMs + fadeMs, frames: frames - fadeFrames, isCutNext }
      : { startMs, frames, isCutNext }
  })
}
