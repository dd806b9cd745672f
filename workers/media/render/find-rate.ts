import { createPlaneReader, shownAt, type PictureShape } from './draw.ts'
import { letGo, nextInTime } from './frames.ts'
import { likenessOf } from './likeness.ts'
import type { Planes } from './planes.ts'
import { startRoundTrip } from './round-trip.ts'
import type { FrameRate } from '#recipes/encoding.ts'

/** Pictures of an edit as it is encoded, some from each of a few places of it. */
export type Samples = readonly AsyncGenerator<VideoFrame, void, void>[]

/** How pictures are that are turned and scaled. */
type Shown = Pick<PictureShape, 'size' | 'matrix'>

/** Shorter edits, for which a try would take long, are left at the cap. */
const LEAST_S_EACH = 6
const MOST_PLACES = 3
/** So many pictures of each place. */
export const PICTURES_TRIED = 10
/** By then an encoder has found the rate that it was told. */
const COMPARED_FROM = 5
/** The share of the cap that is tried beside it. */
const TRIED = 0.5
/** What the lower rate may cost each plane of its likeness (SSIM) at the cap: it is not seen. */
const MOST_UNLIKE = 0.0025
/** Where an encoder keeps less than this at its cap, as of grain, each bit is needed. */
const LEAST_LIKE = 0.95
/** A third was the lowest rate at which the formula was measured. */
const LEAST_SHARE = 1 / 3

/**
 * [Note: rate by likeness] The rate of an edit, in bits a second, at its encoder's cap at the most.
 * x264 is told a quality, and a browser's encoder a rate: at the cap it spent up to 3.7 times the
 * server's bytes, for nothing that is seen. So a few pictures are encoded at the cap and at half of
 * it, and decoded again. What is lost of the likeness grows as 1 / rate - 1 / cap: of five videos
 * and three rates it was 0.76 to 1.1 times that.
 * The cap stays where a codec gives up; rejects only when aborted.
 */
export async function rateByLikeness(
  config: VideoEncoderConfig,
  edit: { readonly shape: Shown; readonly frameRate: FrameRate; readonly samples: Samples },
  signal: AbortSignal,
): Promise<number> {
  const { bitrate: cap = 0 } = config
  if (edit.samples.length === 0) return cap
  try {
    const [atCap = [], atTried = []] = await likenesses(config, [cap, cap * TRIED], edit, signal)
    return Math.round(cap * shareFor(atCap, atTried))
  } catch {
    signal.throwIfAborted()
    return cap
  } finally {
    for (const pictures of edit.samples) letGo(pictures)
  }
}

/** Of what is `lengthS` long, and has `count` parts one after another: those that are tried. */
export function placesToTry(lengthS: number, count: number): readonly number[] {
  const places = Math.min(MOST_PLACES, count, Math.floor(lengthS / LEAST_S_EACH))
  return Array.from({ length: places }, (_, at) => Math.floor(((at + 0.5) * count) / places))
}

/**
 * The least share of the cap that keeps the likeness, by what the cap and the tried share kept of
 * each plane; of none, all of the cap.
 */
export function shareFor(atCap: readonly number[], atTried: readonly number[]): number {
  if (atCap.length === 0 || Math.min(...atCap) < LEAST_LIKE) return 1
  const most = Math.max(0, ...atCap.map((like, plane) => like - (atTried[plane] ?? 0)))
  const lost = most / (1 / TRIED - 1)
  return Math.max(LEAST_SHARE, lost / (lost + MOST_UNLIKE))
}

async function likenesses(
  config: VideoEncoderConfig,
  rates: readonly number[],
  { shape, frameRate, samples }: Parameters<typeof rateByLikeness>[1],
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const trials = rates.map((bitrate) => startTrial({ ...config, bitrate }, shape, signal))
  const read = createPlaneReader({ ...shape, turn: 0 })
  try {
    let place = 0
    for (const pictures of samples) {
      for (let at = 0; at < PICTURES_TRIED; at += 1, place += 1) {
        const { value: shown } = await nextInTime(pictures, signal)
        if (shown === undefined) break
        const frame = new VideoFrame(shown, shownAt(place, { frameRate }))
        shown.close()
        try {
          const planes = at < COMPARED_FROM ? null : copied(await read({ frame, crop: undefined }))
          for (const trial of trials) await trial.add(frame.clone(), planes, at === 0)
        } finally {
          frame.close()
        }
      }
      letGo(pictures)
    }
    return await Promise.all(trials.map((trial) => trial.finish()))
  } finally {
    for (const trial of trials) trial.close()
  }
}

function copied({ bytes, ...size }: Planes): Planes {
  return { ...size, bytes: bytes.slice() }
}

/** Encodes pictures at a rate, and compares what comes out with them. */
interface Trial {
  /** Takes the picture and closes it; null: it is not compared. */
  add(frame: VideoFrame, planes: Planes | null, isKey: boolean): Promise<void>
  /** The mean likeness of each plane; empty where no picture was compared. */
  finish(): Promise<readonly number[]>
  close(): void
}

function startTrial(config: VideoEncoderConfig, shape: Shown, signal: AbortSignal): Trial {
  const originals: (Planes | null)[] = []
  const found: (readonly number[])[] = []
  const read = createPlaneReader({ ...shape, turn: 0 })
  const compare = async (frame: VideoFrame): Promise<void> => {
    const original = originals.shift() ?? null
    if (original !== null) found.push(likenessOf(original, await read({ frame, crop: undefined })))
  }
  const trip = startRoundTrip(config, compare, signal)
  return {
    add: async (frame, planes, isKey) => {
      originals.push(planes)
      await trip.add(frame, isKey)
    },
    finish: async () => {
      await trip.finish()
      const planes = found[0]?.keys() ?? []
      return [...planes].map(
        (plane) => found.reduce((sum, like) => sum + (like[plane] ?? 0), 0) / found.length,
      )
    },
    close: trip.close,
  }
}
