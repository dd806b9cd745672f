import { definePreset } from '#recipes/define-preset.ts'
import {
  framedChoice,
  ruleOfFrames,
  type FramedPassage,
  type FrameRoom,
} from '#recipes/chosen-passages.ts'
import { steadyFrameRate } from '#recipes/encoding.ts'
import { drawn } from '#recipes/drawing-steps.ts'
import { joinedDrawing } from '#recipes/joined-passages.ts'
import type { MomentOptions, MomentRule } from '#recipes/moment-choice.ts'
import { withMoments } from '#recipes/moment-options.ts'
import { pickFramed } from '#recipes/picked-passages.ts'
import { perEdit } from '#recipes/pricing.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { Beats, PlanContext, PlanProblem, SourceProbe } from '#recipes/types.ts'
import { finerCuts, MIN_CUT_MS, TRAILER_MS, trailerCuts } from './cuts.ts'
import { introsOf, outrosOf, trailerOptions, type TrailerOptions } from './options.ts'

const edit = { slug: 'team-skeet-trailer', buttonText: 'Download trailer' } as const

/** A minute of story and action between the videos of a brand, with music below if it is wanted. */
export const teamSkeetTrailer = definePreset({
  slug: edit.slug,
  name: 'Brand Trailer',
  description:
    'A 60 second trailer between the opening and closing logos of your brand, with music if you like.',
  tab: 'promotional',
  price: perEdit(900),
  needs: { sound: false, minimumMs: TRAILER_MS },
  options: withMoments(trailerOptions),
  usesMoments: true,
  momentRule: ruleOf,
  ...drawn<TrailerOptions & MomentOptions>((source, options, context) => {
    const { musicTrackId: trackId } = options
    // A timeline does not know the track: a cut is then up to half a beat elsewhere.
    const beats = context.music?.find(({ id }) => id === trackId)?.beats ?? null
    const passages = passagesOf(source, options, beats, context)
    if (!passages.ok) return passages
    const ends = {
      introMediaAssetIds: introsOf(options),
      outroMediaAssetIds: outrosOf(options),
      music:
        trackId === null ? null : { trackId, lengthMs: Math.min(TRAILER_MS, source.durationMs) },
    }
    return ok(joinedDrawing(source, { ...edit, ...ends }, passages.value))
  }),
})

/**
 * In order of time, so that the minute tells the story of the scene; moments that the creator chose
 * in their order, with cuts where they end and not on a beat.
 */
function passagesOf(
  source: SourceProbe,
  { moments: choice }: MomentOptions,
  beats: Beats | null,
  context: Pick<PlanContext, 'moments'>,
): Result<readonly FramedPassage[], PlanProblem> {
  const rate = { frameRate: steadyFrameRate(source) }
  const cuts = trailerCuts(source, beats, rate)
  if (choice !== undefined) return framedChoice(choice, source, roomOf(cuts, rate))
  const [only] = cuts
  // All of it, or as much as fits: there is nothing to choose.
  if (cuts.length === 1 && only !== undefined) return ok([{ startMs: 0, frames: only }])
  const lists = [cuts, ...finerCuts(source, beats, rate)]
  return ok(pickFramed(source, context, lists, roomOf(cuts, rate)))
}

function ruleOf(source: SourceProbe): MomentRule | null {
  const rate = { frameRate: steadyFrameRate(source) }
  const cuts = trailerCuts(source, null, rate)
  return cuts.length === 1 ? null : ruleOfFrames(roomOf(cuts, rate), MIN_CUT_MS)
}

function roomOf(cuts: readonly number[], rate: Pick<FrameRoom, 'frameRate'>): FrameRoom {
  return { ...rate, totalFrames: cuts.reduce((sum, each) => sum + each, 0), fadeFrames: 0 }
}
