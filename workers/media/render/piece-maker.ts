import { startEncoder, type PictureEncoder } from './encode.ts'
import type { KeptPieces } from './kept-pieces.ts'
import { startPiece, type MovieClock, type MoviePiece } from './mux.ts'
import type { MakeProgress } from '#src/local/made/make.ts'

/** Encodes the pieces of a film one after another, each by itself ([Note: kept pieces]). */
export interface PieceMaker {
  /** The piece that is kept from before; null for none. */
  kept(name: string): Promise<MoviePiece | null>
  /** @param startS when its first picture is shown in the edit */
  begin(name: string, startS: number): Promise<PieceEncoder>
}

/** An encoder of its own for each piece: what one piece becomes depends on no other one. */
export interface PieceEncoder extends Pick<PictureEncoder, 'add'> {
  /** All of the piece was added, and is kept. */
  finish(progress: MakeProgress): Promise<MoviePiece>
  close(): void
}

export function createPieceMaker({
  config,
  clock,
  pieces,
  signal,
}: {
  readonly config: VideoEncoderConfig
  readonly clock: MovieClock
  readonly pieces: KeptPieces
  readonly signal: AbortSignal
}): PieceMaker {
  return {
    kept: async (name) => {
      const stored = await pieces.read(name)
      return stored === null ? null : pieceOf(stored)
    },
    begin: async (name, startS) => {
      const movie = await startPiece(clock, startS)
      const encoder = startEncoder(config, movie.addPicture, signal)
      return {
        add: encoder.add,
        finish: async (progress) => {
          await encoder.finish()
          const piece = { startS, movie: await movie.finish() }
          await pieces.keep(name, storedOf(piece), progress)
          return piece
        },
        close: () => {
          encoder.close()
          movie.cancel()
        },
      }
    },
  }
}

/**
 * A piece is kept with its place before it: a movie of its own that begins later would round that
 * to its clock, and all its pictures with it.
 */
function storedOf({ startS, movie }: MoviePiece): Blob {
  return new Blob([Float64Array.of(startS), movie])
}

async function pieceOf(stored: Blob): Promise<MoviePiece | null> {
  const place = await stored.slice(0, Float64Array.BYTES_PER_ELEMENT).arrayBuffer()
  const [startS] = place.byteLength === 8 ? new Float64Array(place) : []
  return startS === undefined ? null : { startS, movie: stored.slice(8, undefined, 'video/mp4') }
}
