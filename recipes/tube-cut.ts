import { defineRecipe } from './define-recipe.ts'
import { deliveryAudio, deliveryMp4, deliveryVideo, needs, steadyFrameRate, withoutTraces } from './encoding.ts'
import { pickPassages, type Passage } from './moments.ts'
import { outputFileName } from './naming.ts'
import { framesIn, msOfFrames, pieceName, pieceStep, type Piece, type PieceShape } from './passage-steps.ts'
import { fitInside } from './picture.ts'
import { previewPassage } from './preview-steps.ts'
import { err, ok, type Result } from './result.ts'
import { parseTubeCutOptions, type TubeCutOptions } from './tube-cut-options.ts'
import type { AssetSource, PlanContext, PlanProblem, PlanStep, RecipePlan, SourceProbe, TimelinePassage } from './types.ts'

/** No passage is shorter: less feels like a teaser. */
const MIN_PASSAGE_MS = 8000
/** What a passage tends to: long enough to settle in, short enough that the scene moves on. */
const USUAL_PASSAGE_MS = 30_000
const MAX_PASSAGES = 40
const SOUND_FADE_MS = 150
/** How long a still image stands as intro or outro. */
const IMAGE_MS = 3000

const OUTPUT = 'tube-cut.mp4'
const LIST = 'pieces.txt'

/** A shorter version of the scene in long passages, between the creator's own intro and outro. */
export const tubeCut = defineRecipe<TubeCutOptions>({
  slug: 'tube-cut',
  usesMoments: true,
  parse: parseTubeCutOptions,
  assetIds: (options) => [...options.introMediaAssetIds, ...options.outroMediaAssetIds],
  plan: planTubeCut,
  timeline: (source, options, context) => ok(timelineOf(source, options, context)),
  preview: (source, _options, window, context) => ok(previewPassage(source, window, {
    output: OUTPUT, fileName: outputFileName(source.fileName, 'tube-cut-preview', 'mp4'), frameRate: steadyFrameRate(source), soundFadeMs: SOUND_FADE_MS,
  }, context)),
})

function planTubeCut(source: SourceProbe, options: TubeCutOptions, context: PlanContext): Result<RecipePlan, PlanProblem> {
  const intro = findAssets(options.introMediaAssetIds, context)
  if (!intro.ok) return intro
  const outro = findAssets(options.outroMediaAssetIds, context)
  if (!outro.ok) return outro
  const shape: PieceShape = {
    size: fitInside(source, 1920, 1080),
    frameRate: steadyFrameRate(source),
    hasAudio: source.hasAudio || [...intro.value, ...outro.value].some((asset) => asset.probe.hasAudio),
  }
  const pieces = [
    ...intro.value.map((asset) => assetPiece(asset, shape)),
    ...passages(source, options, context).map((passage): Piece => ({
      from: { kind: 'source' }, probe: source, startMs: passage.startMs, frames: framesIn(passage.durationMs, shape), soundFadeMs: SOUND_FADE_MS,
    })),
    ...outro.value.map((asset) => assetPiece(asset, shape)),
  ]
  // Encoded for delivery at once and then only put one after the other: nothing is encoded twice.
  const steps = pieces.map((piece, index) => pieceStep(index + 1, piece, shape, context, deliveryVideo(shape.size)))
  const list = ['ffconcat version 1.0', ...pieces.map((_, index) => `file ${pieceName(index + 1)}`), ''].join('\n')
  const durationMs = pieces.reduce((sum, piece) => sum + msOfFrames(piece.frames, shape), 0)
  return ok({
    files: [{ name: LIST, text: list }],
    steps: [...steps, joinStep(shape, durationMs)],
    outputs: [{ name: OUTPUT, buttonText: 'Download tube cut', fileName: outputFileName(source.fileName, 'tube-cut', 'mp4'), contentType: 'video/mp4', kind: 'video' }],
  })
}

/** The passages of the source; one with everything for 0 or a target beyond its length. */
function passages(source: SourceProbe, options: TubeCutOptions, context: Pick<PlanContext, 'moments'>): readonly Passage[] {
  const targetMs = options.targetDuration
  if (targetMs === 0 || targetMs >= source.durationMs) return [{ startMs: 0, durationMs: source.durationMs }]
  const most = Math.max(1, Math.floor(targetMs / MIN_PASSAGE_MS))
  const count = Math.min(most, MAX_PASSAGES, Math.max(3, Math.round(targetMs / USUAL_PASSAGE_MS)))
  return pickPassages(source.durationMs, context.moments, Array.from({ length: count }, () => targetMs / count))
}

function timelineOf(source: SourceProbe, options: TubeCutOptions, context: Pick<PlanContext, 'moments'>): readonly TimelinePassage[] {
  const shape = { frameRate: steadyFrameRate(source) }
  let outputStartMs = 0
  return passages(source, options, context).map(({ startMs, durationMs }) => {
    const passage = { startMs, endMs: startMs + durationMs, outputStartMs, output: OUTPUT }
    outputStartMs += msOfFrames(framesIn(durationMs, shape), shape)
    return passage
  })
}

function assetPiece(asset: AssetSource, shape: PieceShape): Piece {
  const isImage = asset.kind === 'image'
  return {
    from: { kind: 'asset', id: asset.id },
    probe: asset.probe,
    startMs: 0,
    frames: framesIn(isImage ? IMAGE_MS : asset.probe.durationMs, shape),
    padded: true,
    isImage,
    soundFadeMs: SOUND_FADE_MS,
  }
}

function findAssets(ids: readonly string[], context: PlanContext): Result<readonly AssetSource[], PlanProblem> {
  const found = ids.map((id) => context.assets.find((asset) => asset.id === id))
  const missing = found.indexOf(undefined)
  if (missing >= 0) return err({ code: 'recipe/asset-missing', assetId: ids[missing] ?? '', message: 'An intro or outro is no longer in your media assets.' })
  return ok(found.filter((asset) => asset !== undefined))
}

/** Puts the pieces one after the other; the picture is copied, the sound is encoded once. */
function joinStep(shape: PieceShape, durationMs: number): PlanStep {
  return {
    id: 'join',
    args: [
      '-f', 'concat', '-i', { kind: 'scratch', name: LIST }, '-map', '0:v:0', '-c:v', 'copy',
      ...(shape.hasAudio ? ['-map', '0:a:0', ...deliveryAudio] : []), ...withoutTraces, ...deliveryMp4, { kind: 'output', name: OUTPUT },
    ],
    outputDurationMs: durationMs,
    weight: durationMs * 0.05,
    needs: needs([], shape.hasAudio ? ['aac'] : []),
  }
}
