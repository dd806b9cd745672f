import { openInput } from '#workers/media/open-file.ts'
import { encoderFor } from './encode.ts'
import { rateByLikeness, type Samples } from './find-rate.ts'
import { sourcePicture, type SourcePicture } from './frames.ts'
import { keptPieces, type KeptPieces } from './kept-pieces.ts'
import { failureOf, type MakeDeps, type WholeMakeJob } from './make-job.ts'
import { joinMovie, type MovieClock, type MoviePiece } from './mux.ts'
import { createPieceMaker, type PieceMaker } from './piece-maker.ts'
import type { Turn } from './planes.ts'
import { runPlan, SOUND_LIMIT_MS } from './sound.ts'
import type { FrameRate } from '#recipes/encoding.ts'
import type { Size } from '#recipes/picture.ts'
import type { RecipePlan } from '#recipes/types.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { MakeFailure, MakeProgress, OwnRung } from '#src/local/made/make.ts'

/** An edit with moving pictures, as the browser's codecs make it. */
export interface Film {
  readonly size: Size
  readonly frameRate: FrameRate
  readonly clock: MovieClock
  /** All that it depends on besides the video and the encoder, as plain data. */
  readonly drawing: unknown
  /** Makes a file of its sound alone; null where it has none. */
  readonly soundPlan: RecipePlan | null
  open(picture: SourcePicture, turn: Turn): OpenFilm
}

/** A film of its source's pictures, which are turned by `turn`. */
interface OpenFilm {
  /** Pictures by which its rate is found, as they are turned and scaled; none are of fades. */
  readonly samples: Samples
  /** Encodes all pictures. Rejects where a codec gives up. */
  encode(work: PictureWork): Promise<Result<readonly MoviePiece[], MakeFailure>>
}

interface PictureWork {
  readonly maker: PieceMaker
  readonly signal: AbortSignal
  readonly onProgress: (progress: MakeProgress) => void
}

/** Pictures by the browser's codecs, and the sound meanwhile by ffmpeg.wasm. */
export async function makeFilm(
  film: Film,
  rung: OwnRung,
  deps: MakeDeps,
  job: WholeMakeJob,
  onProgress: (progress: MakeProgress) => void,
): Promise<Result<Blob, MakeFailure>> {
  const { file, request, options } = job
  const config = await encoderFor(film.size, film.frameRate)
  if (config === null) return err({ code: 'make/codec-failed' })
  const madeOf = [options.bytesKey, file.size, request.source, film.drawing, config]
  const kept = await keptPieces(job.pieces, rung, madeOf)
  for (const pieces of [kept, kept.afresh()]) {
    const made = await makePieces({ film, config, pieces }, deps, job, onProgress)
    if (!made.ok) return made
    const movie = await joinMovie(film.clock, made.value.pictures, made.value.sound)
    if (movie !== null) return ok(movie)
  }
  return err({ code: 'make/codec-failed' })
}

interface FilmWork {
  readonly film: Film
  readonly config: VideoEncoderConfig
  readonly pieces: KeptPieces
}

interface FilmPieces {
  readonly pictures: readonly MoviePiece[]
  /** Null for none. */
  readonly sound: Blob | null
}

async function makePieces(
  { film, config, pieces }: FilmWork,
  deps: MakeDeps,
  job: WholeMakeJob,
  onProgress: (progress: MakeProgress) => void,
): Promise<Result<FilmPieces, MakeFailure>> {
  const { file, request } = job
  const over = new AbortController()
  const signal = AbortSignal.any([job.signal, over.signal])
  const input = openInput(file)
  try {
    const sounding = makeSound(film, pieces, deps, { ...job, signal })
    sounding.catch(() => undefined)
    const picture = await sourcePicture(input, request.source)
    if (picture === null) return err({ code: 'make/codec-failed' })
    const opened = film.open(picture, await picture.track.getRotation())
    const bitrate = await rateOf({ film, config, pieces }, opened, signal)
    const rated = { ...config, bitrate }
    const maker = createPieceMaker({ config: rated, clock: film.clock, pieces, signal })
    const encoded = await opened.encode({ maker, signal, onProgress })
    if (!encoded.ok) return encoded
    const sound = await sounding
    return sound.ok ? ok({ pictures: encoded.value, sound: sound.value }) : sound
  } catch (thrown) {
    if (job.signal.aborted) return err({ code: 'probe/cancelled' })
    return err(failureOf(thrown))
  } finally {
    over.abort()
    input.dispose()
  }
}

/** Kept as a piece: all others of a film are encoded at one rate. */
async function rateOf(
  { film, config, pieces }: FilmWork,
  { samples }: OpenFilm,
  signal: AbortSignal,
): Promise<number> {
  const before = Number(await (await pieces.read('rate'))?.text())
  if (before > 0) return before
  const { size, frameRate, clock } = film
  const edit = { shape: { size, matrix: clock.matrix }, frameRate, samples }
  const bitrate = await rateByLikeness(config, edit, signal)
  await pieces.keep('rate', new Blob([String(bitrate)]), null)
  return bitrate
}

async function makeSound(
  { soundPlan: plan }: Film,
  pieces: KeptPieces,
  { jobs }: MakeDeps,
  { file, request: { source }, signal }: WholeMakeJob,
): Promise<Result<Blob | null, MakeFailure>> {
  if (plan === null) return ok(null)
  const before = await pieces.read('sound')
  if (before !== null) return ok(before)
  const onShare = (): void => undefined
  const run = { file, source, plan, limitMs: SOUND_LIMIT_MS, signal, onShare }
  const made = await runPlan(jobs, run)
  if (!made.ok) return made
  const sound = new Blob([made.value], { type: 'video/mp4' })
  await pieces.keep('sound', sound, null)
  return ok(sound)
}
