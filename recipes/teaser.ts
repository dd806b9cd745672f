import type { RecipeRules } from './define-preset.ts'
import { evenLoudness, steadyFrameRate } from './encoding.ts'
import { fadedSteps } from './faded-passages.ts'
import {
  checkChoice,
  lengthOf,
  momentOptions,
  wrongMoments,
  type MomentChoice,
  type MomentOptions,
  type MomentRule,
} from './moment-choice.ts'
import { pickPassages, type Passage } from './moments.ts'
import { outputFileName } from './naming.ts'
import { framesIn, msOfFrames, type PieceShape } from './passage-steps.ts'
import { fitInside, matrixOf } from './picture.ts'
import { previewPassage } from './preview-steps.ts'
import { ok, type Result } from './result.ts'
import type { PlanContext, PlanProblem, RecipePlan, SourceProbe, TimelinePassage } from './types.ts'

/** What one teaser is: its length, its cuts and how they fade into each other. */
interface TeaserKind {
  readonly slug: string
  readonly lengthMs: number
  readonly cuts: number
  readonly crossFadeMs: number
  readonly buttonText: string
}

/** What all teasers have in common: everything but their listing. */
export function teaser(kind: TeaserKind): RecipeRules<MomentOptions> {
  return {
    needs: { sound: false, minimumMs: kind.lengthMs },
    options: momentOptions,
    usesMoments: true,
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
          },
          context,
        ),
      ),
  }
}

/** Chosen moments add up to the whole teaser; of a source that gives one piece, none is chosen. */
function ruleOf(kind: TeaserKind, source: SourceProbe): MomentRule | null {
  if (piecesOf(kind, source).length === 1) return null
  const shape = { frameRate: steadyFrameRate(source) }
  const overlapMs = msOfFrames(framesIn(kind.crossFadeMs, shape), shape)
  return {
    lengthMs: msOfFrames(totalFramesOf(kind, source), shape),
    overlapMs,
    minMs: Math.ceil(2 * overlapMs + SEEN_MS),
  }
}

/** How long at least a moment is seen between two fades. */
const SEEN_MS = 300

/** The pieces in order; neighbours overlap by `fadeFrames`. */
interface Cuts {
  readonly cuts: readonly (Passage & { readonly frames: number })[]
  readonly fadeFrames: number
}

function planTeaser(
  kind: TeaserKind,
  source: SourceProbe,
  { cuts, fadeFrames }: Cuts,
  context: PlanContext,
): RecipePlan {
  const shape: PieceShape = {
    size: fitInside(source, 1920, 1080),
    frameRate: steadyFrameRate(source),
    hasAudio: source.hasAudio,
    matrix: matrixOf(source),
  }
  const output = outputName(kind)
  return {
    ...fadedSteps(
      {
        pieces: cuts.map(({ startMs, frames }) => ({
          from: { kind: 'source' },
          probe: source,
          startMs,
          frames,
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
  if (choice !== undefined) return chosenCuts(kind, source, choice)
  const shape = { frameRate: steadyFrameRate(source) }
  const wanted = piecesOf(kind, source)
  const passages = pickPassages(
    source.durationMs,
    context.moments,
    wanted.map((frames) => msOfFrames(frames, shape)),
  )
  const frames =
    // Too short to choose from: all of it, as one piece.
    passages.length === wanted.length ? wanted : [totalFramesOf(kind, source)]
  return ok({
    cuts: passages.map((passage, index) => ({ ...passage, frames: frames[index] ?? 1 })),
    fadeFrames: framesIn(kind.crossFadeMs, shape),
  })
}

/** The chosen moments in whole frames that add up exactly: each is off by two frames at most. */
function chosenCuts(
  kind: TeaserKind,
  source: SourceProbe,
  choice: MomentChoice,
): Result<Cuts, PlanProblem> {
  const rule = ruleOf(kind, source)
  if (rule === null)
    return wrongMoments(
      'Your video is hardly longer than this teaser, which shows all of it. Please order it without chosen moments.',
    )
  const fits = checkChoice(choice, rule, source.durationMs)
  if (!fits.ok) return fits
  const shape = { frameRate: steadyFrameRate(source) }
  const fadeFrames = framesIn(kind.crossFadeMs, shape)
  const { shown } = choice
  const frames = shown.map((each) => framesIn(lengthOf(each), shape))
  const have = frames.reduce((sum, each) => sum + each, 0) - (shown.length - 1) * fadeFrames
  const missing = totalFramesOf(kind, source) - have
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
  return ok({
    cuts: shown.map(({ startMs }, index) => {
      const durationMs = msOfFrames(evened[index] ?? 1, shape)
      const latestMs = Math.max(0, Math.floor(source.durationMs - durationMs))
      return { startMs: Math.min(startMs, latestMs), durationMs, frames: evened[index] ?? 1 }
    }),
    fadeFrames,
  })
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
  const weights = Array.from(
    { length: count },
    (_, index) => 1.2 - (0.4 * index) / Math.max(1, count - 1),
  )
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const rounded = weights.map((weight) => Math.floor((frames * weight) / sum))
  const rest = frames - rounded.reduce((total, each) => total + each, 0)
  return rounded.map((each, index) => each + (index < rest ? 1 : 0))
}
