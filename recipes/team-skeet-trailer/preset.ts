import { definePreset } from '#recipes/define-preset.ts'
import { framedChoice, ruleOfFrames, type FrameRoom } from '#recipes/chosen-passages.ts'
import { steadyFrameRate } from '#recipes/encoding.ts'
import {
  planJoined,
  previewJoined,
  timelineOfJoined,
  type JoinedPassage,
} from '#recipes/joined-passages.ts'
import type { MomentOptions, MomentRule } from '#recipes/moment-choice.ts'
import { withMoments } from '#recipes/moment-options.ts'
import { pickFramed } from '#recipes/picked-passages.ts'
import { perEdit } from '#recipes/pricing.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type {
  Beats,
  MusicSource,
  PlanContext,
  PlanProblem,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'
import { finerCuts, MIN_CUT_MS, TRAILER_MS, trailerCuts } from './cuts.ts'
import { introsOf, outrosOf, trailerOptions, type TrailerOptions } from './options.ts'
import { trailerSound } from './sound.ts'

const SLUG = 'team-skeet-trailer'

/** A minute of story and action between the videos of a brand, with music below if it is wanted. */
export const teamSkeetTrailer = definePreset({
  slug: SLUG,
  name: 'Brand Trailer',
  description:
    'A 60 second trailer between the opening and closing logos of your brand, with music if you like.',
  tab: 'promotional',
  price: perEdit(900),
  needs: { sound: false, minimumMs: TRAILER_MS },
  options: withMoments(trailerOptions),
  usesMoments: true,
  plan: (source, options, context) => planTrailer(source, options, context),
  // Without the track its beats are not known; a cut is then up to half a beat elsewhere.
  timeline: (source, options, context) => {
    const found = passagesOf(source, options, null, context)
    return found.ok ? ok(timelineOfJoined(source, { slug: SLUG }, found.value)) : found
  },
  momentRule: ruleOf,
  preview: (source, _options, window, context) =>
    ok(previewJoined(source, { slug: SLUG }, window, context)),
})

function planTrailer(
  source: SourceProbe,
  options: TrailerOptions & MomentOptions,
  context: PlanContext,
): Result<RecipePlan, PlanProblem> {
  const music = musicOf(options, context)
  if (!music.ok) return music
  const passages = passagesOf(source, options, music.value?.beats ?? null, context)
  if (!passages.ok) return passages
  return planJoined(
    source,
    {
      slug: SLUG,
      buttonText: 'Download trailer',
      introMediaAssetIds: introsOf(options),
      outroMediaAssetIds: outrosOf(options),
    },
    passages.value,
    context,
    music.value === null
      ? undefined
      : trailerSound(music.value, Math.min(TRAILER_MS, source.durationMs)),
  )
}

function musicOf(
  { musicTrackId }: TrailerOptions,
  { music = [] }: PlanContext,
): Result<MusicSource | null, PlanProblem> {
  if (musicTrackId === null) return ok(null)
  const found = music.find(({ id }) => id === musicTrackId)
  return found === undefined
    ? err({
        code: 'recipe/music-missing',
        trackId: musicTrackId,
        message: 'The music of this edit is no longer there. Please choose another track.',
      })
    : ok(found)
}

/**
 * In order of time, so that the minute tells the story of the scene; moments that the creator chose
 * in their order, with cuts where they end and not on a beat.
 */
function passagesOf(
  source: SourceProbe,
  { moments: choice }: MomentOptions,
  beats: Beats | null,
  context: Pick<PlanContext, 'moments'>,
): Result<readonly JoinedPassage[], PlanProblem> {
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
