import { definePreset } from '#recipes/define-preset.ts'
import { steadyFrameRate } from '#recipes/encoding.ts'
import {
  framedChoice,
  ruleOfFrames,
  type FramedPassage,
  type FrameRoom,
} from '#recipes/chosen-passages.ts'
import { drawn } from '#recipes/drawing-steps.ts'
import { joinedDrawing } from '#recipes/joined-passages.ts'
import type { MomentOptions, MomentRule } from '#recipes/moment-choice.ts'
import { withMoments } from '#recipes/moment-options.ts'
import { framesIn } from '#recipes/passage-steps.ts'
import { pickFramed } from '#recipes/picked-passages.ts'
import { ok, type Result } from '#recipes/result.ts'
import { perEdit } from '#recipes/pricing.ts'
import { isUncut, tubeCutOptions, type TubeCutOptions } from './options.ts'
import type { PlanContext, PlanProblem, SourceProbe } from '#recipes/types.ts'

/** No passage is shorter: less feels like a teaser. */
const MIN_PASSAGE_MS = 8000
/** Unless longer ones would show black or a title, or the creator chooses shorter ones. */
const SHORTEST_PASSAGE_MS = 2000
/** What a passage tends to: long enough to settle in, short enough that the scene moves on. */
const USUAL_PASSAGE_MS = 30_000
const MAX_PASSAGES = 40

const edit = { slug: 'tube-cut', buttonText: 'Download tube cut' } as const

/** A shorter version of the scene in long passages, between the creator's own intro and outro. */
export const tubeCut = definePreset({
  slug: edit.slug,
  name: 'Tube Cut',
  description: 'A shorter version of the scene in longer passages, at the length you choose.',
  tab: 'promotional',
  price: perEdit(400),
  // Its options are refused for a video that is too short for them.
  needs: { sound: false, minimumMs: 0 },
  options: withMoments(tubeCutOptions),
  usesMoments: true,
  momentRule: ruleOf,
  ...drawn<TubeCutOptions & MomentOptions>((source, options, context) => {
    const passages = passagesOf(source, options, context)
    return passages.ok
      ? ok(joinedDrawing(source, { ...edit, ...options }, passages.value))
      : passages
  }),
})

/** The passages of the source; one with everything for 0 or a target beyond its length. */
function passagesOf(
  source: SourceProbe,
  options: TubeCutOptions & MomentOptions,
  context: Pick<PlanContext, 'moments'>,
): Result<readonly FramedPassage[], PlanProblem> {
  const shape = { frameRate: steadyFrameRate(source) }
  const lengthsMs = lengthsOf(source, options)
  if (lengthsMs === null) return ok([{ startMs: 0, frames: framesIn(source.durationMs, shape) }])
  const room = roomOf(source, lengthsMs)
  if (options.moments !== undefined) return framedChoice(options.moments, source, room)
  const most = Math.max(1, Math.floor(options.targetDuration / SHORTEST_PASSAGE_MS))
  const counts = [1, 2, 4, 8].map((times) => Math.min(most, times * lengthsMs.length))
  const lists = [...new Set(counts)].map((count) => evenFrames(count, room))
  return ok(pickFramed(source, context, lists, room))
}

function evenFrames(count: number, { totalFrames }: FrameRoom): readonly number[] {
  const edge = (index: number): number => Math.round((index * totalFrames) / count)
  return Array.from({ length: count }, (_, index) => edge(index + 1) - edge(index))
}

function ruleOf(source: SourceProbe, options: TubeCutOptions): MomentRule | null {
  const lengthsMs = lengthsOf(source, options)
  if (lengthsMs === null) return null
  const minMs = Math.min(SHORTEST_PASSAGE_MS, options.targetDuration)
  return ruleOfFrames(roomOf(source, lengthsMs), minMs)
}

/** How long each passage is; null where the edit shows all of the source. */
function lengthsOf(
  source: SourceProbe,
  { targetDuration: targetMs }: TubeCutOptions,
): readonly number[] | null {
  if (isUncut(targetMs, source.durationMs)) return null
  const most = Math.max(1, Math.floor(targetMs / MIN_PASSAGE_MS))
  const count = Math.min(most, MAX_PASSAGES, Math.max(3, Math.round(targetMs / USUAL_PASSAGE_MS)))
  return Array.from({ length: count }, () => targetMs / count)
}

function roomOf(source: SourceProbe, lengthsMs: readonly number[]): FrameRoom {
  const shape = { frameRate: steadyFrameRate(source) }
  const totalFrames = lengthsMs.reduce((sum, each) => sum + framesIn(each, shape), 0)
  return { ...shape, totalFrames, fadeFrames: 0 }
}
