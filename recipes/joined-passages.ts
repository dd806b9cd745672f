import type { Cuts, Drawing, DrawnPassage } from './drawing.ts'
import { steadyFrameRate } from './encoding.ts'
import { levelledInput, type SoundPart } from './loudness.ts'
import { overMusic } from './music-bed.ts'
import { videoName } from './naming.ts'
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
import { err, ok, type Result } from './result.ts'
import type {
  AssetSource,
  MusicSource,
  PlanContext,
  PlanFile,
  PlanProblem,
  RecipePlan,
  SourceProbe,
} from './types.ts'

/** Against clicks at hard cuts; with more, the room between words falls silent at each of them. */
export const SOUND_FADE_MS = 30
/** How long a still image stands as intro or outro. */
export const ASSET_IMAGE_MS = 3000

type JoinedEdit = Pick<Drawing, 'slug' | 'buttonText'> &
  Pick<Cuts, 'introMediaAssetIds' | 'outroMediaAssetIds'> &
  Partial<Pick<Cuts, 'music'>>

/** Passages of the source with hard cuts, between an intro and an outro. */
export function joinedDrawing(
  source: SourceProbe,
  edit: JoinedEdit,
  passages: readonly DrawnPassage[],
): Drawing {
  const { slug, buttonText, introMediaAssetIds, outroMediaAssetIds, music = null } = edit
  return {
    slug,
    buttonText,
    size: fitInside(source, 1920, 1080),
    frameRate: steadyFrameRate(source),
    matrix: matrixOf(source),
    passages,
    joints: { kind: 'cuts', introMediaAssetIds, outroMediaAssetIds, music },
  }
}

/** Pieces are encoded for delivery at once and then only joined: none is encoded twice. */
export function joinedSteps(
  drawing: Drawing,
  cuts: Cuts,
  source: SourceProbe,
  context: PlanContext,
  isSoundOnly = false,
): Result<Pick<RecipePlan, 'files' | 'steps'>, PlanProblem> {
  const music = findMusic(cuts.music, context)
  if (!music.ok) return music
  const intro = findAssets(cuts.introMediaAssetIds, context)
  if (!intro.ok) return intro
  const outro = findAssets(cuts.outroMediaAssetIds, context)
  if (!outro.ok) return outro
  const shape: PieceShape = {
    ...drawing,
    hasAudio:
      music.value !== null ||
      source.hasAudio ||
      [...intro.value, ...outro.value].some((asset) => asset.probe.hasAudio),
    isSoundOnly,
  }
  const pieces = [
    ...intro.value.map((asset) => assetPiece(asset, shape)),
    ...drawing.passages.map((passage) => sourcePiece(source, passage)),
    ...outro.value.map((asset) => assetPiece(asset, shape)),
  ]
  const ends = pieces.map((_, index) => msOf(pieces.slice(0, index + 1), shape))
  const durationMs = ends.at(-1) ?? 0
  const own = partsOf(pieces, ends)
  const made = !shape.hasAudio
    ? null
    : music.value === null
      ? levelledInput(JOINED_PIECES, durationMs, { parts: own.parts })
      : overMusic(JOINED_PIECES, durationMs, {
          ...music.value,
          startMs: msOf(pieces.slice(0, intro.value.length), shape),
        })
  const { file, step } = joinPieces({
    count: pieces.length,
    durationMs,
    output: { kind: 'output', name: videoName(drawing.slug) },
    ...(made === null ? {} : { sound: made.sound }),
    isSoundOnly,
  })
  return ok({
    files: [file, ...(music.value === null ? own.files : [])],
    steps: [
      ...pieces.map((piece, index) => pieceStep(index + 1, piece, shape, context)),
      ...(made?.steps ?? []),
      step,
    ],
  })
}

function msOf(pieces: readonly Piece[], shape: PieceShape): number {
  return pieces.reduce((sum, piece) => sum + msOfFrames(piece.frames, shape), 0)
}

const PASSAGES = 'passages.txt'

/**
 * The parts that are levelled each by itself: every intro and outro, and all passages together,
 * which come from one recording. Together, a loud intro would leave a quiet scene quiet.
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

function sourcePiece(probe: SourceProbe, passage: DrawnPassage): Piece {
  return { from: { kind: 'source' }, probe, ...passage, soundFadeMs: SOUND_FADE_MS }
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

function findMusic(
  wanted: Cuts['music'],
  { music = [] }: PlanContext,
): Result<{ readonly track: MusicSource; readonly lengthMs: number } | null, PlanProblem> {
  if (wanted === null) return ok(null)
  const track = music.find(({ id }) => id === wanted.trackId)
  return track === undefined
    ? err({
        code: 'recipe/music-missing',
        trackId: wanted.trackId,
        message: 'The music of this edit is no longer there. Please choose another track.',
      })
    : ok({ track, lengthMs: wanted.lengthMs })
}
