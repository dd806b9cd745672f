import { withLimit } from '#workers/media/limit.ts'
import { colorsOf } from './draw.ts'
import { encoderFor } from './encode.ts'
import { emptyPlanes } from './planes.ts'
import { startRoundTrip } from './round-trip.ts'
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
    (await withLimit(comesBack(config, size, signal), LIMIT_MS, signal).catch(() => false))
  const found = isProven ? config : null
  if (!signal.aborted) proven.set(key, found)
  return found
}

async function comesBack(
  config: VideoEncoderConfig,
  size: Size,
  signal: AbortSignal,
): Promise<boolean> {
  let count = 0
  const trip = startRoundTrip(
    config,
    ({ visibleRect }) => {
      if (visibleRect?.width === size.width && visibleRect.height === size.height) count += 1
    },
    signal,
  )
  try {
    for (let index = 0; index < PICTURES; index += 1)
      await trip.add(greyPicture(size, index), index === 0)
    await trip.finish()
    return count === PICTURES
  } finally {
    trip.close()
  }
}

function greyPicture(size: Size, index: number): VideoFrame {
  const { bytes } = emptyPlanes(size)
  return new VideoFrame(bytes.fill(128), {
    format: 'I420',
    codedWidth: size.width,
    codedHeight: size.height,
    timestamp: index * 40_000,
    duration: 40_000,
    colorSpace: colorsOf('bt709'),
  })
}
