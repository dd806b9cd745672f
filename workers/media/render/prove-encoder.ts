import { withLimit } from '#workers/media/limit.ts'
import { colorsOf } from './draw.ts'
import { encoderFor } from './encode.ts'
import { emptyPlanes } from './planes.ts'
import type { FrameRate } from '#recipes/encoding.ts'
import type { Size } from '#recipes/picture.ts'

const PICTURES = 2
const LIMIT_MS = 8000

/**
 * What was proven in this worker, which lives for minutes: all edits of a list ask for the same few
 * sizes, and a proof takes some hundred milliseconds of full HD.
 */
const proven = new Map<string, VideoEncoderConfig | null>()

/**
 * Settings of an H.264 encoder that works here: browsers also say yes to sizes that fail as soon as
 * they are tried, so some pictures are encoded and decoded again. Null where there is none.
 */
export async function provenEncoder(
  size: Size,
  frameRate: FrameRate,
  signal: AbortSignal,
): Promise<VideoEncoderConfig | null> {
  if (typeof VideoEncoder === 'undefined' || typeof VideoDecoder === 'undefined') return null
  const key = `${size.width}x${size.height} ${frameRate.text}`
  const known = proven.get(key)
  if (known !== undefined) return known
  const config = await encoderFor(size, frameRate)
  const isProven =
    config !== null &&
    (await withLimit(comesBack(config, size), LIMIT_MS, signal).catch(() => false))
  const found = isProven ? config : null
  if (!signal.aborted) proven.set(key, found)
  return found
}

async function comesBack(config: VideoEncoderConfig, size: Size): Promise<boolean> {
  const chunks: EncodedVideoChunk[] = []
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  let described: VideoDecoderConfig | null = null
  const encoder = new VideoEncoder({
    output: (chunk, meta) => {
      chunks.push(chunk)
      described ??= meta?.decoderConfig ?? null
    },
    error: failed.reject,
  })
  try {
    encoder.configure(config)
    for (let index = 0; index < PICTURES; index += 1) encodeGrey(encoder, size, index)
    await Promise.race([encoder.flush(), failed.promise])
    return described !== null && (await decodes(described, chunks, size))
  } finally {
    if (encoder.state !== 'closed') encoder.close()
  }
}

function encodeGrey(encoder: VideoEncoder, size: Size, index: number): void {
  const { bytes } = emptyPlanes(size)
  const frame = new VideoFrame(bytes.fill(128), {
    format: 'I420',
    codedWidth: size.width,
    codedHeight: size.height,
    timestamp: index * 40_000,
    duration: 40_000,
    colorSpace: colorsOf('bt709'),
  })
  encoder.encode(frame, { keyFrame: index === 0 })
  frame.close()
}

async function decodes(
  config: VideoDecoderConfig,
  chunks: readonly EncodedVideoChunk[],
  { width, height }: Size,
): Promise<boolean> {
  let count = 0
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const decoder = new VideoDecoder({
    output: (frame) => {
      if (frame.visibleRect?.width === width && frame.visibleRect.height === height) count += 1
      frame.close()
    },
    error: failed.reject,
  })
  try {
    decoder.configure(config)
    for (const chunk of chunks) decoder.decode(chunk)
    await Promise.race([decoder.flush(), failed.promise])
    return count === PICTURES
  } finally {
    if (decoder.state !== 'closed') decoder.close()
  }
}
