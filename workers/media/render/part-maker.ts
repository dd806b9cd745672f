import { startEncoder, type PictureEncoder } from './encode.ts'
import type { KeptPieces } from './kept-pieces.ts'
import { startPart, type MovieClock, type MoviePart } from './mux.ts'
import type { MakeProgress } from '#src/local/made/make.ts'

/** Encodes the parts of a film one after another, each by itself ([Note: kept pieces]). */
export interface PartMaker {
  /** The part that is kept from before; null for none. */
  kept(name: string): Promise<MoviePart | null>
  /** @param startS when its first picture is shown in the edit */
  begin(name: string, startS: number): Promise<PartEncoder>
}

/** An encoder of its own for each part: what one part becomes depends on no other one. */
export interface PartEncoder extends Pick<PictureEncoder, 'add'> {
  /** All of the part was added, and is kept. */
  finish(progress: MakeProgress): Promise<MoviePart>
  close(): void
}

export function createPartMaker({
  config,
  clock,
  pieces,
  signal,
}: {
  readonly config: VideoEncoderConfig
  readonly clock: MovieClock
  readonly pieces: KeptPieces
  readonly signal: AbortSignal
}): PartMaker {
  return {
    kept: async (name) => {
      const piece = await pieces.read(name)
      return piece === null ? null : partOf(piece)
    },
    begin: async (name, startS) => {
      const movie = await startPart(clock, startS)
      const encoder = startEncoder(config, movie.addPicture, signal)
      return {
        add: encoder.add,
        finish: async (progress) => {
          await encoder.finish()
          const part = { startS, movie: await movie.finish() }
          await pieces.keep(name, pieceOf(part), progress)
          return part
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
 * A part is kept with its place before it: a movie of its own that begins later would round that to
 * its clock, and all its pictures with it.
 */
function pieceOf({ startS, movie }: MoviePart): Blob {
  return new Blob([Float64Array.of(startS), movie])
}

async function partOf(piece: Blob): Promise<MoviePart | null> {
  const place = await piece.slice(0, Float64Array.BYTES_PER_ELEMENT).arrayBuffer()
  const [startS] = place.byteLength === 8 ? new Float64Array(place) : []
  return startS === undefined ? null : { startS, movie: piece.slice(8, undefined, 'video/mp4') }
}
