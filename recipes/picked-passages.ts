import type { FramedPassage, FrameRoom } from './chosen-passages.ts'
import { pickPassages } from './pick-passages.ts'
import { framesIn, msOfFrames } from './passage-steps.ts'
import type { PlanContext, SourceProbe } from './types.ts'

/**
 * The passages that an edit shows by itself, in whole frames that add up to its room; the start of
 * the source where it is too short to choose from.
 * @param lists lengths in frames: the usual ones, and finer ones for a source with so much black or
 * so many titles that the usual ones cannot stand beside them
 */
export function pickFramed(
  source: Pick<SourceProbe, 'durationMs'>,
  { moments }: Pick<PlanContext, 'moments'>,
  lists: readonly (readonly number[])[],
  room: FrameRoom,
): readonly FramedPassage[] {
  const [usual = [], ...finer] = lists.map((list) => list.map((each) => msOfFrames(each, room)))
  const passages = pickPassages(source.durationMs, moments, usual, finer)
  if (passages.length === 1 && usual.length > 1) return [{ startMs: 0, frames: room.totalFrames }]
  const framed = passages.map(({ startMs, durationMs }) => ({
    startMs,
    frames: framesIn(durationMs, room),
  }))
  return withoutSeams(framed, room)
}

/** A cut that leaves out less than this of a scene looks like a stumble. */
const SEEN_GAP_MS = 300

/**
 * Passages that follow each other in the source too are one: no fade or cut is between them. What
 * little was left out there is shown, and as much less at its end.
 */
function withoutSeams(
  passages: readonly FramedPassage[],
  room: FrameRoom,
): readonly FramedPassage[] {
  return passages.reduce<readonly FramedPassage[]>((before, passage) => {
    const last = before.at(-1)
    if (last === undefined) return [passage]
    const gapMs = passage.startMs - last.startMs - msOfFrames(last.frames, room)
    if (gapMs >= SEEN_GAP_MS) return [...before, passage]
    const frames = last.frames + passage.frames - room.fadeFrames
    return [...before.slice(0, -1), { startMs: last.startMs, frames }]
  }, [])
}
