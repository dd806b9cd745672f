import { withoutGhosts } from './alike-joints.ts'
import type { RecipeRules } from './define-preset.ts'
import { cropIn, isAllOf } from './crop-place.ts'
import { evenLoudness, steadyFrameRate } from './encoding.ts'
import { fadedSteps } from './faded-passages.ts'
import {
  framedChoice,
  ruleOfFrames,
  type FramedPassage,
  type FrameRoom,
} from './chosen-passages.ts'
import { isCopy } from './left-out.ts'
import { fullSeconds, spokenLength } from './length-words.ts'
import type { MomentOptions, MomentRule } from './moment-choice.ts'
import { onlyMoments } from './moment-options.ts'
import { outputFileName } from './naming.ts'
import { framesIn, msOfFrames, type Piece, type PieceShape } from './passage-steps.ts'
import { pickFramed } from './picked-passages.ts'
import type { Passage } from './passage-worth.ts'
import { cropTo, fitInside, matrixOf, type Size } from './picture.ts'
import { previewPassage } from './preview-steps.ts'
import { ok, type Result } from './result.ts'
import { withinShots } from './within-shots.ts'
import type { PlanContext, PlanProblem, RecipePlan, SourceProbe, TimelinePassage } from './types.ts'

/** What one teaser is: its length, its cuts and how they fade into each other. */
interface TeaserKind {
  readonly slug: string
  readonly lengthMs: number
  readonly cuts: number
  readonly crossFadeMs: number
  readonly buttonText: string
  /** As `Recipe.shape`. */
  readonly shape?: Size
}

/** What all teasers have in common: everything but their listing. */
export function teaser(kind: TeaserKind): RecipeRules<MomentOptions> {
  return {
    // A video that is too short for it is refused.
    needs: { sound: false, minimumMs: 0 },
    options: { ...onlyMoments, refuse: (_options, sourceMs) => refuseShort(kind, sourceMs) },
    usesMoments: true,
    ...(kind.shape === undefined ? {} : { shape: kind.shape }),
    plan: (source, options, context) => {
      const cut = cutsOf(kind, source, options, context)
      return cut.ok ? ok(planTeaser(kind, source, cut.value, context)) : cut
    },
    timeline: (source, options, context) => {
      const cut = cutsOf(kind, source, options, context)
      return cut.ok ? ok(timelineOf(kind, source, cut.value)) : cut
    },
    momentRule: (source) => ruleOf(kind, source),
    preview: (source, _options, window, context) =>
      ok(
        previewPassage(
          source,
          window,
          {
            output: outputName(kind),
            fileName: outputFileName(source.fileName, `${kind.slug}-preview`, 'mp4'),
            frameRate: steadyFrameRate(source),
            sound: evenLoudness,
            ...(kind.shape === undefined ? {} : { shape: kind.shape }),
          },
          context,
        ),
      ),
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

/** The pieces in order; neighbours overlap by `fadeFrames`. */
interface Cuts {
  readonly cuts: readonly FramedPassage[]
  readonly fadeFrames: number
}

function planTeaser(
  kind: TeaserKind,
  source: SourceProbe,
  { cuts, fadeFrames }: Cuts,
  context: PlanContext,
): RecipePlan {
  const part = kind.shape === undefined ? null : cropTo(source, kind.shape)
  const shape: PieceShape = {
    size: part?.size ?? fitInside(source, 1920, 1080),
    frameRate: steadyFrameRate(source),
    hasAudio: source.hasAudio,
    matrix: matrixOf(source),
  }
  const output = outputName(kind)
  return {
    ...fadedSteps(
      {
        pieces: withoutGhosts(cuts, context.moments, { ...shape, fadeFrames }).map((each) => ({
          from: { kind: 'source' },
          probe: source,
          ...each,
          ...cropOf(
            part,
            source,
            { startMs: each.startMs, durationMs: msOfFrames(each.frames, shape) },
            context,
          ),
        })),
        fadeFrames,
        output: { kind: 'output', name: output },
      },
      shape,
      context,
    ),
    outputs: [
      {
        name: output,
        buttonText: kind.buttonText,
        fileName: outputFileName(source.fileName, kind.slug, 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}

/** What a piece shows of the picture; nothing to say where it shows all of it. */
function cropOf(
  part: ReturnType<typeof cropTo> | null,
  source: SourceProbe,
  passage: Passage,
  { moments }: Pick<PlanContext, 'moments'>,
): Pick<Piece, 'crop'> {
  return part === null || isAllOf(source, part.crop)
    ? {}
    : { crop: cropIn(source, part, passage, moments) }
}

function timelineOf(
  kind: TeaserKind,
  source: SourceProbe,
  { cuts, fadeFrames }: Cuts,
): readonly TimelinePassage[] {
  const shape = { frameRate: steadyFrameRate(source) }
  let startFrame = 0
  return cuts.map(({ startMs, frames }) => {
    const outputStartMs = msOfFrames(startFrame, shape)
    startFrame += frames - fadeFrames
    return {
      startMs,
      endMs: Math.min(source.durationMs, startMs + msOfFrames(frames, shape)),
      outputStartMs,
      output: outputName(kind),
    }
  })
}

function outputName(kind: TeaserKind): string {
  return `${kind.slug}.mp4`
}

/** The moments that the creator chose, or the best that the search found. */
function cutsOf(
  kind: TeaserKind,
  source: SourceProbe,
  { moments: choice }: MomentOptions,
  context: Pick<PlanContext, 'moments'>,
): Result<Cuts, PlanProblem> {
  const room = roomOf(kind, source)
  const { fadeFrames } = room
  if (choice !== undefined) {
    const cuts = framedChoice(choice, source, room)
    return cuts.ok ? ok({ cuts: cuts.value, fadeFrames }) : cuts
  }
  const wanted = piecesOf(kind, source)
  const finer = [kind.cuts, 2 * kind.cuts].map((count) => lengthsOf(count, room))
  const picked = pickFramed(source, context, [wanted, ...finer], room)
  return ok({ cuts: withinShots(picked, context.moments, room, kind.cuts), fadeFrames })
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
