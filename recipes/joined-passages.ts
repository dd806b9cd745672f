import { evenLoudness, steadyFrameRate } from './encoding.ts'
import { levelledInput, type LevelledInput, type SoundPart } from './loudness.ts'
import { outputFileName } from './naming.ts'
import {
  framesIn,
  JOINED_PIECES,
  joinPieces,
  listed,
  msOfFrames,
  pieceList,
  pieceName,
  pieceStep,
  type Piece,
  type PieceShape,
} from './passage-steps.ts'
import { fitInside, matrixOf } from './picture.ts'
import { previewPassage } from './preview-steps.ts'
import { err, ok, type Result } from './result.ts'
import type {
  AssetSource,
  PlanContext,
  PlanFile,
  PlanInput,
  PlanProblem,
  PlannedOutput,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from './types.ts'

/** Against clicks at hard cuts; with more, the room between words falls silent at each of them. */
const SOUND_FADE_MS = 30
/** How long a still image stands as intro or outro. */
export const ASSET_IMAGE_MS = 3000

/** Sound that an edit adds to that of its pieces; it has some where the video has none. */
export interface JoinedSound {
  readonly make: (joined: {
    /** All pieces one after the other, as an input. */
    readonly pieces: PlanInput
    /** Where the passages of the source begin. */
    readonly introMs: number
    readonly durationMs: number
  }) => LevelledInput
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
      sound !== undefined ||
      source.hasAudio ||
      [...intro.value, ...outro.value].some((asset) => asset.probe.hasAudio),
    matrix: matrixOf(source),
  }
  const pieces = [
    ...intro.value.map((asset) => assetPiece(asset, shape)),
    ...passages.map((passage) => sourcePiece(source, passage)),
    ...outro.value.map((asset) => assetPiece(asset, shape)),
  ]
  const ends = pieces.map((_, index) => msOf(pieces.slice(0, index + 1), shape))
  const durationMs = ends.at(-1) ?? 0
  const own = partsOf(pieces, ends)
  const made = !shape.hasAudio
    ? null
    : sound === undefined
      ? levelledInput(JOINED_PIECES, durationMs, { parts: own.parts })
      : sound.make({
          pieces: JOINED_PIECES,
          introMs: msOf(pieces.slice(0, intro.value.length), shape),
          durationMs,
        })
  const { file, step } = joinPieces({
    count: pieces.length,
    durationMs,
    output: { kind: 'output', name: outputName(edit) },
    ...(made === null ? {} : { sound: made.sound }),
  })
  return ok({
    files: [file, ...(sound === undefined ? own.files : [])],
    steps: [
      ...pieces.map((piece, index) => pieceStep(index + 1, piece, shape, context)),
      ...(made?.steps ?? []),
      step,
    ],
    outputs: [outputOf(source, edit)],
  })
}

function outputOf(source: SourceProbe, edit: JoinedEdit): PlannedOutput {
  return {
    name: outputName(edit),
    buttonText: edit.buttonText,
    fileName: outputFileName(source.fileName, edit.slug, 'mp4'),
    contentType: 'video/mp4',
    kind: 'video',
  }
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
      sound: evenLoudness,
    },
    context,
  )
}

function msOf(pieces: readonly Piece[], shape: PieceShape): number {
  return pieces.reduce((sum, piece) => sum + msOfFrames(piece.frames, shape), 0)
}

const PASSAGES = 'passages.txt'

/**
 * What is made even by itself: each intro and outro, and all passages together, which are of one
 * recording. A loud intro would otherwise leave a quiet scene as it is.
 * @param ends of the pieces, in milliseconds
 */
function partsOf(
  pieces: readonly Piece[],
  ends: readonly number[],
): { readonly parts: readonly SoundPart[]; readonly files: readonly PlanFile[] } {
  const stretches = pieces.flatMap(({ from, probe }, index) =>
    probe.hasAudio ? [{ isOwn: from.kind === 'source', number: index + 1 }] : [],
  )
  const passages = stretches.filter(({ isOwn }) => isOwn).map(({ number }) => number)
  const first = passages[0]
  const parts = stretches
    .filter(({ isOwn, number }) => !isOwn || number === first)
    .map(({ isOwn, number }): SoundPart => {
      const last = isOwn ? (passages.at(-1) ?? number) : number
      return {
        input: isOwn ? listed(PASSAGES) : { from: { kind: 'scratch', name: pieceName(number) } },
        startMs: ends[number - 2] ?? 0,
        endMs: ends[last - 1] ?? 0,
      }
    })
  return { parts, files: first === undefined ? [] : [pieceList(PASSAGES, passages)] }
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
