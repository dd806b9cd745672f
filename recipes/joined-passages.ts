import { steadyFrameRate } from './encoding.ts'
import { outputFileName } from './naming.ts'
import {
  framesIn,
  JOINED_PIECES,
  joinPieces,
  msOfFrames,
  pieceStep,
  type Joined,
  type Piece,
  type PieceShape,
} from './passage-steps.ts'
import { fitInside, matrixOf } from './picture.ts'
import { previewPassage } from './preview-steps.ts'
import { err, ok, type Result } from './result.ts'
import type {
  AssetSource,
  PlanContext,
  PlanInput,
  PlanProblem,
  PlanStep,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from './types.ts'

const SOUND_FADE_MS = 150
/** How long a still image stands as intro or outro. */
export const ASSET_IMAGE_MS = 3000

/** What an edit does to the sound of its pieces. */
export interface JoinedSound {
  /** It adds sound of its own, so that the edit has some where the video has none. */
  readonly isAdded: boolean
  readonly make: (joined: {
    /** All pieces one after the other, as an input. */
    readonly pieces: PlanInput
    /** Where the passages of the source begin. */
    readonly introMs: number
    readonly durationMs: number
  }) => {
    /** Before the pieces are joined. */
    readonly steps: readonly PlanStep[]
    readonly sound: NonNullable<Joined['sound']>
  }
}

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
  sound?: JoinedSound,
): Result<RecipePlan, PlanProblem> {
  const intro = findAssets(edit.introMediaAssetIds, context)
  if (!intro.ok) return intro
  const outro = findAssets(edit.outroMediaAssetIds, context)
  if (!outro.ok) return outro
  const shape: PieceShape = {
    size: fitInside(source, 1920, 1080),
    frameRate: steadyFrameRate(source),
    hasAudio:
      sound?.isAdded === true ||
      source.hasAudio ||
      [...intro.value, ...outro.value].some((asset) => asset.probe.hasAudio),
    matrix: matrixOf(source),
  }
  const pieces = [
    ...intro.value.map((asset) => assetPiece(asset, shape)),
    ...passages.map((passage) => sourcePiece(source, passage)),
    ...outro.value.map((asset) => assetPiece(asset, shape)),
  ]
  const msOf = (some: readonly Piece[]): number =>
    some.reduce((sum, piece) => sum + msOfFrames(piece.frames, shape), 0)
  const durationMs = msOf(pieces)
  const introMs = msOf(pieces.slice(0, intro.value.length))
  const made = shape.hasAudio
    ? sound?.make({ pieces: JOINED_PIECES, introMs, durationMs })
    : undefined
  const joined: Joined = {
    count: pieces.length,
    durationMs,
    output: { kind: 'output', name: outputName(edit) },
    ...(made === undefined ? {} : { sound: made.sound }),
  }
  const { file, step } = joinPieces(joined, shape)
  return ok({
    files: [file],
    steps: [
      ...pieces.map((piece, index) => pieceStep(index + 1, piece, shape, context)),
      ...(made?.steps ?? []),
      step,
    ],
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

function sourcePiece(probe: SourceProbe, { startMs, frames }: JoinedPassage): Piece {
  return { from: { kind: 'source' }, probe, startMs, frames, soundFadeMs: SOUND_FADE_MS }
}

function assetPiece(asset: AssetSource, shape: PieceShape): Piece {
  const isImage = asset.kind === 'image'
  return {
    from: { kind: 'asset', id: asset.id },
    probe: asset.probe,
    startMs: 0,
    frames: framesIn(isImage ? ASSET_IMAGE_MS : asset.probe.durationMs, shape),
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
