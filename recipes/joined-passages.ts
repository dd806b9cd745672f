import {
  deliveryAudio,
  deliveryMp4,
  deliveryVideo,
  needs,
  steadyFrameRate,
  withoutTraces,
} from './encoding.ts'
import { outputFileName } from './naming.ts'
import {
  framesIn,
  msOfFrames,
  pieceName,
  pieceStep,
  type Piece,
  type PieceShape,
} from './passage-steps.ts'
import { fitInside } from './picture.ts'
import { previewPassage } from './preview-steps.ts'
import { err, ok, type Result } from './result.ts'
import type {
  AssetSource,
  PlanContext,
  PlanProblem,
  PlanStep,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from './types.ts'

const SOUND_FADE_MS = 150
/** How long a still image stands as intro or outro. */
const IMAGE_MS = 3000
const LIST = 'pieces.txt'

/** A passage of the source, cut to a whole number of frames. */
export interface JoinedPassage {
  readonly startMs: number
  readonly frames: number
}

/**
 * An edit of passages of the source, put one after the other with hard cuts between an intro and an
 * outro.
 */
export interface JoinedEdit {
  /** Names the output and what the user downloads. */
  readonly slug: string
  readonly buttonText: string
  readonly introMediaAssetIds: readonly string[]
  readonly outroMediaAssetIds: readonly string[]
}

/**
 * The plan. Pieces are encoded for delivery at once and then only joined: nothing is encoded twice.
 */
export function planJoined(
  source: SourceProbe,
  edit: JoinedEdit,
  passages: readonly JoinedPassage[],
  context: PlanContext,
): Result<RecipePlan, PlanProblem> {
  const intro = findAssets(edit.introMediaAssetIds, context)
  if (!intro.ok) return intro
  const outro = findAssets(edit.outroMediaAssetIds, context)
  if (!outro.ok) return outro
  const shape: PieceShape = {
    size: fitInside(source, 1920, 1080),
    frameRate: steadyFrameRate(source),
    hasAudio:
      source.hasAudio || [...intro.value, ...outro.value].some((asset) => asset.probe.hasAudio),
  }
  const pieces = [
    ...intro.value.map((asset) => assetPiece(asset, shape)),
    ...passages.map(({ startMs, frames }): Piece => ({
      from: { kind: 'source' },
      probe: source,
      startMs,
      frames,
      soundFadeMs: SOUND_FADE_MS,
    })),
    ...outro.value.map((asset) => assetPiece(asset, shape)),
  ]
  const steps = pieces.map((piece, index) =>
    pieceStep(index + 1, piece, shape, context, deliveryVideo(shape.size)),
  )
  const list = [
    'ffconcat version 1.0',
    ...pieces.map((_, index) => `file ${pieceName(index + 1)}`),
    '',
  ].join('\n')
  const durationMs = pieces.reduce((sum, piece) => sum + msOfFrames(piece.frames, shape), 0)
  return ok({
    files: [{ name: LIST, text: list }],
    steps: [...steps, joinStep(shape, durationMs, outputName(edit))],
    outputs: [
      {
        name: outputName(edit),
        buttonText: edit.buttonText,
        fileName: outputFileName(source.fileName, edit.slug, 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  })
}

/** Where the passages come to lie, counted from the end of the intro. */
export function timelineOfJoined(
  source: SourceProbe,
  edit: Pick<JoinedEdit, 'slug'>,
  passages: readonly JoinedPassage[],
): readonly TimelinePassage[] {
  const shape = { frameRate: steadyFrameRate(source) }
  let frame = 0
  return passages.map(({ startMs, frames }) => {
    const outputStartMs = msOfFrames(frame, shape)
    frame += frames
    return {
      startMs,
      endMs: Math.min(source.durationMs, startMs + msOfFrames(frames, shape)),
      outputStartMs,
      output: outputName(edit),
    }
  })
}

/** One passage at small size. */
export function previewJoined(
  source: SourceProbe,
  edit: Pick<JoinedEdit, 'slug'>,
  window: PreviewWindow,
  context: Pick<PlanContext, 'availableFilters'>,
): RecipePlan {
  return previewPassage(
    source,
    window,
    {
      output: outputName(edit),
      fileName: outputFileName(source.fileName, `${edit.slug}-preview`, 'mp4'),
      frameRate: steadyFrameRate(source),
      soundFadeMs: SOUND_FADE_MS,
    },
    context,
  )
}

function outputName(edit: Pick<JoinedEdit, 'slug'>): string {
  return `${edit.slug}.mp4`
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

function findAssets(
  ids: readonly string[],
  context: PlanContext,
): Result<readonly AssetSource[], PlanProblem> {
  const found = ids.map((id) => context.assets.find((asset) => asset.id === id))
  const missing = found.indexOf(undefined)
  if (missing >= 0)
    return err({
      code: 'recipe/asset-missing',
      assetId: ids[missing] ?? '',
      message: 'An intro or outro is no longer in your media assets.',
    })
  return ok(found.filter((asset) => asset !== undefined))
}

/** Puts the pieces one after the other; the picture is copied, the sound is encoded once. */
function joinStep(shape: PieceShape, durationMs: number, name: string): PlanStep {
  return {
    id: 'join',
    inputs: [{ from: { kind: 'scratch', name: LIST }, flags: ['-f', 'concat'] }],
    args: [
      '-map',
      '0:v:0',
      '-c:v',
      'copy',
      ...(shape.hasAudio ? ['-map', '0:a:0', ...deliveryAudio] : []),
      ...withoutTraces,
      ...deliveryMp4,
      { kind: 'output', name },
    ],
    outputDurationMs: durationMs,
    weight: durationMs * 0.05,
    needs: needs([], shape.hasAudio ? ['aac'] : []),
  }
}
