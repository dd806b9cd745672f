import { mostKbit } from '#recipes/encoding.ts'
import type { FrameRate } from '#recipes/encoding.ts'
import type { Size } from '#recipes/picture.ts'

/** What a picture is encoded to: the finest profile that this browser has, for all players. */
const PROFILES = ['6400', '4d00', '42e0'] as const
/** What level 4 decodes in a second, in squares of 16 pixels (ITU-T H.264, table A-1). */
const MOST_OF_LEVEL_4 = 245_760
const ENGINES = ['no-preference', 'prefer-software'] as const

/** An encoder that takes four pictures at once; more of them would only wait in memory. */
const MOST_QUEUED = 4
/** A key frame so often at the least, so that players can seek. */
const KEY_FRAME_S = 2

/** After this time without a picture, an encoder or a decoder hangs. */
export const STILL_LIMIT_MS = 20_000

/** The settings that this browser's H.264 encoder takes for a size; null where it has none. */
export async function encoderFor(
  size: Size,
  frameRate: FrameRate,
): Promise<VideoEncoderConfig | null> {
  for (const hardwareAcceleration of ENGINES)
    for (const profile of PROFILES) {
      const config: VideoEncoderConfig = {
        codec: `avc1.${profile}${levelOf(size, frameRate)}`,
        ...size,
        framerate: frameRate.value,
        bitrate: mostKbit(size) * 1000,
        bitrateMode: 'variable',
        latencyMode: 'quality',
        avc: { format: 'avc' },
        hardwareAcceleration,
      }
      if (await isTaken(config)) return config
    }
  return null
}

/** Level 4, or 4.2 of full HD at more than 30 pictures a second. */
function levelOf({ width, height }: Size, { value }: FrameRate): '28' | '2a' {
  const squares = Math.ceil(width / 16) * Math.ceil(height / 16)
  return squares * value <= MOST_OF_LEVEL_4 ? '28' : '2a'
}

/** Some browsers throw where they should say no. */
async function isTaken(config: VideoEncoderConfig): Promise<boolean> {
  try {
    return (await VideoEncoder.isConfigSupported(config)).supported === true
  } catch {
    return false
  }
}

/** An encoder that gave up, or stood still. */
class EncoderFailed extends Error {
  override readonly name = 'EncoderFailed'
}

export interface PictureEncoder {
  /** Takes the picture and closes it. Waits while enough of them are queued. */
  add(frame: VideoFrame, isKey: boolean): Promise<void>
  /** All that was added has come out. */
  finish(): Promise<void>
  close(): void
  /** The most pictures that were queued at once. */
  readonly mostQueued: () => number
}

export type OnChunk = (
  chunk: EncodedVideoChunk,
  meta: EncodedVideoChunkMetadata | undefined,
) => void

export function startEncoder(
  config: VideoEncoderConfig,
  onChunk: OnChunk,
  signal: AbortSignal,
): PictureEncoder {
  let mostQueued = 0
  let keyAt = -Infinity
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const encoder = new VideoEncoder({
    output: onChunk,
    error: (thrown) => failed.reject(new EncoderFailed('the encoder gave up', { cause: thrown })),
  })
  const abort = (): void => failed.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  encoder.configure(config)
  return {
    add: async (frame, isKey) => {
      try {
        signal.throwIfAborted()
        const isDue = frame.timestamp - keyAt >= KEY_FRAME_S * 1e6
        if (isKey || isDue) keyAt = frame.timestamp
        if (encoder.state !== 'configured') await failed.promise
        encoder.encode(frame, { keyFrame: isKey || isDue })
      } finally {
        frame.close()
      }
      mostQueued = Math.max(mostQueued, encoder.encodeQueueSize)
      while (encoder.encodeQueueSize >= MOST_QUEUED)
        await Promise.race([dequeued(encoder), failed.promise])
    },
    finish: async () => {
      await Promise.race([encoder.flush(), failed.promise, stillness()])
    },
    close: () => {
      signal.removeEventListener('abort', abort)
      if (encoder.state !== 'closed') encoder.close()
    },
    mostQueued: () => mostQueued,
  }
}

/** Resolves when the encoder has taken a picture; rejects when it takes none. */
function dequeued(encoder: VideoEncoder): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new EncoderFailed('it stands still')), STILL_LIMIT_MS)
    encoder.addEventListener(
      'dequeue',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

async function stillness(): Promise<never> {
  await new Promise((resolve) => {
    setTimeout(resolve, STILL_LIMIT_MS)
  })
  throw new EncoderFailed('it does not end')
}
