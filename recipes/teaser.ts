import { noOptions, type OptionsOf, type RecipeRules } from './define-preset.ts'
import { evenLoudness, steadyFrameRate } from './encoding.ts'
import { fadedSteps } from './faded-passages.ts'
import { pickPassages, type Passage } from './moments.ts'
import { outputFileName } from './naming.ts'
import { framesIn, msOfFrames, type PieceShape } from './passage-steps.ts'
import { fitInside, matrixOf } from './picture.ts'
import { previewPassage } from './preview-steps.ts'
import { ok } from './result.ts'
import type { PlanContext, RecipePlan, SourceProbe, TimelinePassage } from './types.ts'

/** What one teaser is: its length, its cuts and how they fade into each other. */
interface TeaserKind {
  readonly slug: string
  readonly lengthMs: number
  readonly cuts: number
  readonly crossFadeMs: number
  readonly buttonText: string
}

/** What all teasers have in common: everything but their listing. */
export function teaser(kind: TeaserKind): RecipeRules<OptionsOf<'teaser-15s'>> {
  return {
    needs: { sound: false, minimumMs: kind.lengthMs },
    options: noOptions,
    usesMoments: true,
    plan: (source, _options, context) => ok(planTeaser(kind, source, context)),
    timeline: (source, _options, context) => ok(timelineOf(kind, source, context)),
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

function planTeaser(kind: TeaserKind, source: SourceProbe, context: PlanContext): RecipePlan {
  const shape: PieceShape = {
    size: fitInside(source, 1920, 1080),
    frameRate: steadyFrameRate(source),
    hasAudio: source.hasAudio,
    matrix: matrixOf(source),
  }
  const { cuts, fadeFrames } = cutsOf(kind, source, context)
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
  context: Pick<PlanContext, 'moments'>,
): readonly TimelinePassage[] {
  const { cuts, fadeFrames } = cutsOf(kind, source, context)
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

/** The cuts in order, each with its length in frames; neighbours overlap by `fadeFrames`. */
function cutsOf(
  kind: TeaserKind,
  source: SourceProbe,
  context: Pick<PlanContext, 'moments'>,
): {
  readonly cuts: readonly (Passage & { readonly frames: number })[]
  readonly fadeFrames: number
} {
  const shape = { frameRate: steadyFrameRate(source) }
  const fadeFrames = framesIn(kind.crossFadeMs, shape)
  const totalFrames = framesIn(Math.min(kind.lengthMs, source.durationMs), shape)
  const wanted = pieceFrames(kind, source, totalFrames, fadeFrames, shape)
  const passages = pickPassages(
    source.durationMs,
    context.moments,
    wanted.map((frames) => msOfFrames(frames, shape)),
  )
  // Too short to choose from: all of it, as one piece.
  const frames = passages.length === wanted.length ? wanted : [totalFrames]
  return {
    cuts: passages.map((passage, index) => ({ ...passage, frames: frames[index] ?? totalFrames })),
    fadeFrames,
  }
}

/**
 * Lengths of the pieces in frames, so that with their overlaps they add up exactly. They get
 * shorter towards the end, which feels like a rise; a source that is barely longer than the teaser
 * gets fewer, longer cuts.
 */
function pieceFrames(
  kind: TeaserKind,
  source: SourceProbe,
  totalFrames: number,
  fadeFrames: number,
  shape: Pick<PieceShape, 'frameRate'>,
): readonly number[] {
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
