import { withoutGhosts } from './alike-joints.ts'
import {
  framedChoice,
  ruleOfFrames,
  type FramedPassage,
  type FrameRoom,
} from './chosen-passages.ts'
import { cropIn, faultOfCrop, isAllOf } from './crop-place.ts'
import type { RecipeRules } from './define-preset.ts'
import type { Drawing } from './drawing.ts'
import { drawn } from './drawing-steps.ts'
import { steadyFrameRate } from './encoding.ts'
import { withFraming } from './heads.ts'
import { isCopy } from './left-out.ts'
import { fullSeconds, spokenLength } from './length-words.ts'
import type { MomentOptions, MomentRule } from './moment-choice.ts'
import { onlyMoments } from './moment-options.ts'
import { framesIn, msOfFrames } from './passage-steps.ts'
import { pickFramed } from './picked-passages.ts'
import { cropTo, fitInside, matrixOf, type Size } from './picture.ts'
import { ok, type Result } from './result.ts'
import { withinShots } from './within-shots.ts'
import type { Moment, PlanContext, PlanProblem, SourceProbe } from './types.ts'

/** What one teaser is: its length, its cuts and how they fade into each other. */
interface TeaserKind {
  readonly slug: string
  readonly lengthMs: number
  readonly cuts: number
  readonly crossFadeMs: number
  readonly buttonText: string
  /** The shape that is cut out of the picture, at its largest; left out = all of it is shown. */
  readonly shape?: Size
}

/** What all teasers have in common: everything but their listing. */
export function teaser(kind: TeaserKind): RecipeRules<MomentOptions> {
  return {
    // A video that is too short for it is refused.
    needs: { sound: false, minimumMs: 0 },
    options: { ...onlyMoments, refuse: (_options, sourceMs) => refuseShort(kind, sourceMs) },
    usesMoments: true,
    momentRule: (source) => ruleOf(kind, source),
    ...drawn((source, options, context) => {
      const cuts = cutsOf(kind, source, options, context)
      return cuts.ok ? ok(drawTeaser(kind, source, cuts.value, context)) : cuts
    }),
  }
}

/** A teaser of a video that is no longer than it would be the video again. */
function refuseShort({ lengthMs }: TeaserKind, sourceDurationMs: number | null) {
  return sourceDurationMs !== null && isCopy(lengthMs, sourceDurationMs)
    ? {
        field: null,
        message: `Your video is ${fullSeconds(sourceDurationMs)} long, so a teaser of ${spokenLength(lengthMs)} would be all of it: please choose another edit.`,
      }
    : null
}

/** Chosen moments add up to the whole teaser; of a source that gives one piece, none is chosen. */
function ruleOf(kind: TeaserKind, source: SourceProbe): MomentRule | null {
  if (piecesOf(kind, source).length === 1) return null
  const room = roomOf(kind, source)
  return ruleOfFrames(room, Math.ceil(2 * msOfFrames(room.fadeFrames, room) + SEEN_MS))
}

function roomOf(kind: TeaserKind, source: SourceProbe): FrameRoom {
  const shape = { frameRate: steadyFrameRate(source) }
  return {
    ...shape,
    totalFrames: totalFramesOf(kind, source),
    fadeFrames: framesIn(kind.crossFadeMs, shape),
  }
}

/** How long at least a moment is seen between two fades. */
const SEEN_MS = 300

function drawTeaser(
  kind: TeaserKind,
  source: SourceProbe,
  cuts: readonly FramedPassage[],
  { moments }: Pick<PlanContext, 'moments'>,
): Drawing {
  const { slug, buttonText, shape } = kind
  const room = roomOf(kind, source)
  const part = shape === undefined ? null : cropTo(source, shape)
  return {
    slug,
    buttonText,
    size: part?.size ?? fitInside(source, 1920, 1080),
    frameRate: room.frameRate,
    matrix: matrixOf(source),
    passages: withoutGhosts(cuts, moments, room).map((passage) => {
      const { startMs, frames } = passage
      if (part === null || isAllOf(source, part.crop)) return passage
      const shown = { startMs, durationMs: msOfFrames(frames, room) }
      return { ...passage, crop: cropIn(source, part, shown, moments) }
    }),
    joints: { kind: 'fades', frames: room.fadeFrames },
  }
}

/** The moments that the creator chose, or the best that the search found. */
function cutsOf(
  kind: TeaserKind,
  source: SourceProbe,
  { moments: choice }: MomentOptions,
  context: Pick<PlanContext, 'moments'>,
): Result<readonly FramedPassage[], PlanProblem> {
  const room = roomOf(kind, source)
  if (choice !== undefined) return framedChoice(choice, source, room)
  const wanted = piecesOf(kind, source)
  const finer = [kind.cuts, 2 * kind.cuts].map((count) => lengthsOf(count, room))
  const moments = framedFor(kind, source, context.moments)
  const picked = pickFramed(source, { moments }, [wanted, ...finer], room)
  return ok(withinShots(picked, moments, room, kind.cuts))
}

/** Heads that the shape of a teaser cuts or leaves out are badly framed, as a face that is cut. */
function framedFor(
  { shape }: TeaserKind,
  source: SourceProbe,
  moments: readonly Moment[],
): readonly Moment[] {
  if (shape === undefined) return withFraming(moments)
  const { crop } = cropTo(source, shape)
  if (isAllOf(source, crop)) return withFraming(moments)
  return withFraming(moments, (moment) => faultOfCrop(source, crop, moment))
}

function totalFramesOf(kind: TeaserKind, source: SourceProbe): number {
  return framesIn(Math.min(kind.lengthMs, source.durationMs), {
    frameRate: steadyFrameRate(source),
  })
}

/**
 * Lengths of the pieces in frames, so that with their overlaps they add up exactly. They get
 * shorter towards the end, which feels like a rise; a source that is barely longer than the teaser
 * gets fewer, longer cuts.
 */
function piecesOf(kind: TeaserKind, source: SourceProbe): readonly number[] {
  const shape = { frameRate: steadyFrameRate(source) }
  const totalFrames = totalFramesOf(kind, source)
  const fadeFrames = framesIn(kind.crossFadeMs, shape)
  const ratio = source.durationMs / kind.lengthMs
  if (ratio <= 1) return [totalFrames]
  const count =
    ratio < 1.4
      ? Math.max(2, Math.round(kind.cuts / 3))
      : ratio < 2.5
        ? Math.max(3, Math.round(kind.cuts / 2))
        : kind.cuts
  const frames = totalFrames + (count - 1) * fadeFrames
  // Overlaps cost source time too; with almost none to spare, one straight piece is better than a
  // forced cut.
  if (msOfFrames(frames, shape) >= source.durationMs * 0.98) return [totalFrames]
  return lengthsOf(count, { ...shape, totalFrames, fadeFrames })
}

/** Lengths that get shorter, and together with their overlaps are as long as the room. */
function lengthsOf(count: number, { totalFrames, fadeFrames }: FrameRoom): readonly number[] {
  const frames = totalFrames + (count - 1) * fadeFrames
  const weights = Array.from(
    { length: count },
    (_, index) => 1.2 - (0.4 * index) / Math.max(1, count - 1),
  )
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const rounded = weights.map((weight) => Math.floor((frames * weight) / sum))
  const rest = frames - rounded.reduce((total, each) => total + each, 0)
  return rounded.map((each, index) => each + (index < rest ? 1 : 0))
}
