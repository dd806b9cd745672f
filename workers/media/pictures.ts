import { EncodedPacketSink, type EncodedPacket, type InputVideoTrack } from 'mediabunny'
import type { FfmpegJobs } from './ffmpeg-jobs.ts'
import { withLimit } from './limit.ts'
import { lookAt, type PictureLook } from './picture-look.ts'
import type { OpenFile } from './open-file.ts'
import { shrinkFrame } from './shrink-frame.ts'
import { takenVideo } from './taken-tracks.ts'
import { FIRST_TRACKS } from '#checks/tracks.ts'
import type { TakenTracks } from '#recipes/types.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Exactness } from '#src/local/probe/api.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

/** Times within the video, 0 = its first picture and 1 = its end. */
export interface PictureRequest {
  /** Left open. */
  readonly opened: OpenFile
  readonly shares: readonly number[]
  readonly width: number
  /** Left out: the key frame before is near enough. */
  readonly exactly?: Exactness | undefined
  readonly signal: AbortSignal
  /** Asked only when ffmpeg has to make them: the other way finds out by itself. */
  readonly facts: () => Promise<PictureFacts>
}
interface PictureFacts {
  readonly taken?: TakenTracks
  readonly durationMs: number | null
  /** How much of the file comes before its first picture. */
  readonly pictureStartMs: number
  readonly displayWidth: number | null
}

/** `look`: what is to be seen in it, for the pre-checks. */
export type OnPicture = (index: number, picture: Blob, look: PictureLook) => void
interface Drawn {
  readonly picture: Blob
  readonly look: PictureLook
}

const FIRST_LIMIT_MS = 10_000
const EACH_LIMIT_MS = 8_000
const ALL_LIMIT_MS = 45_000
/**
 * The decoder is ended first, so that no picture comes too late to be closed; this is for a read
 * that hangs.
 */
const READ_MARGIN_MS = 500
/** Pictures that a codec may store before the one they follow (H.264 §A.3.1: 16). */
const MAX_REORDERED = 16
const JPEG = { type: 'image/jpeg', quality: 0.82 } as const

/**
 * Pictures of a video: key frames by WebCodecs where this browser decodes the codec, else by
 * ffmpeg. `onPicture` gets each as it is made; pictures that cannot be made are left out, and none
 * at all is a failure.
 */
export async function makePictures(
  jobs: FfmpegJobs,
  request: PictureRequest,
  onPicture: OnPicture,
): Promise<Result<readonly Blob[], ProbeFailure>> {
  const made = new Map<number, Blob>()
  const take: OnPicture = (index, picture, look) => {
    // A job that started over reports some pictures again.
    if (made.has(index)) return
    made.set(index, picture)
    onPicture(index, picture, look)
  }
  await byKeyFrames(request, take).catch(() => undefined)
  if (made.size === 0 && !request.signal.aborted) {
    const fallback = await byFfmpeg(jobs, request, take)
    if (!fallback.ok && made.size === 0) return fallback
  }
  if (request.signal.aborted) return err({ code: 'probe/cancelled' })
  return made.size === 0
    ? err({ code: 'probe/no-video' })
    : ok(
        Array.from(made)
          .toSorted(([a], [b]) => a - b)
          .map(([, picture]) => picture),
      )
}

/**
 * Key packets by hand: three times faster than exact frames, and near enough for a picture. Exact
 * where key frames are too rare for that.
 */
async function byKeyFrames(
  { opened, shares, width, exactly, signal }: PictureRequest,
  onPicture: OnPicture,
): Promise<void> {
  try {
    const track = await withLimit(takenVideo(opened), FIRST_LIMIT_MS, signal)
    if (track === null || !(await track.canDecode())) return
    const sink = new EncodedPacketSink(track)
    const seen = new Set<number>()
    const start = await track.getFirstTimestamp()
    const end = exactly === undefined ? await endOf(track) : start + exactly.durationMs / 1_000
    const nearS = (exactly?.nearMs ?? Infinity) / 1_000
    for (const [index, share] of shares.entries()) {
      signal.throwIfAborted()
      const at = start + (end - start) * share
      const packet = await withLimit(
        sink.getKeyPacket(at, { verifyKeyPackets: true }),
        EACH_LIMIT_MS,
        signal,
      )
      if (packet === null) continue
      const over = AbortSignal.any([signal, AbortSignal.timeout(EACH_LIMIT_MS)])
      const frame = await withLimit(
        decode(
          track,
          seen.has(packet.timestamp) || at - packet.timestamp > nearS
            ? packetsUntil(sink, packet, at)
            : [packet],
          at,
          over,
        ),
        EACH_LIMIT_MS + READ_MARGIN_MS,
        signal,
      )
      seen.add(packet.timestamp)
      if (frame === null) continue
      const { picture, look } = await draw(frame, track, width)
      onPicture(index, picture, look)
    }
  } catch (thrown) {
    // What it still reads ends here.
    opened.startAnew()
    throw thrown
  }
}

async function endOf(track: InputVideoTrack): Promise<number> {
  return (
    (await track.getDurationFromMetadata()) ?? (await track.computeDuration({ metadataOnly: true }))
  )
}

/**
 * The key packet and what follows it, until pictures are later than wanted for long enough: they
 * are stored out of order.
 */
async function* packetsUntil(
  sink: EncodedPacketSink,
  key: EncodedPacket,
  atSeconds: number,
): AsyncGenerator<EncodedPacket> {
  let late = 0
  for (
    let packet: EncodedPacket | null = key;
    packet !== null && late < MAX_REORDERED;
    packet = await sink.getNextPacket(packet)
  ) {
    if (packet.type === 'key' && packet !== key) return
    if (packet.timestamp > atSeconds) late += 1
    yield packet
  }
}

/**
 * Decodes `packets` and returns the last picture that is not later than wanted, or the first one.
 * The caller closes it. Rejects at the abort.
 */
async function decode(
  track: InputVideoTrack,
  packets: AsyncIterable<EncodedPacket> | readonly EncodedPacket[],
  atSeconds: number,
  signal: AbortSignal,
): Promise<VideoFrame | null> {
  const config = await track.getDecoderConfig()
  if (config === null) return null
  let best: VideoFrame | null = null
  let isFailed = false
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const decoder = new VideoDecoder({
    output: (frame) => {
      const isBetter =
        best === null ||
        (frame.timestamp <= atSeconds * 1_000_000 && frame.timestamp > best.timestamp)
      if (isBetter) best?.close()
      else frame.close()
      if (isBetter) best = frame
    },
    error: (thrown) => {
      isFailed = true
      failed.reject(thrown)
    },
  })
  // A decoder that hangs settles its promises only when it is closed.
  const stop = (): void => {
    isFailed = true
    failed.reject(signal.reason)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    decoder.configure(config)
    for await (const packet of packets) {
      signal.throwIfAborted()
      if (isFailed) break
      decoder.decode(packet.toEncodedVideoChunk())
    }
    await Promise.race([decoder.flush(), failed.promise])
    return best
  } catch (thrown) {
    closeFrame(best)
    throw thrown
  } finally {
    signal.removeEventListener('abort', stop)
    if (decoder.state !== 'closed') decoder.close()
  }
}

function closeFrame(frame: VideoFrame | null): void {
  frame?.close()
}

/**
 * Upright, in the right shape, `width` wide at the most. Frames are closed at once: they hold
 * memory of the decoder.
 */
async function draw(frame: VideoFrame, track: InputVideoTrack, width: number): Promise<Drawn> {
  try {
    const rotation = await track.getRotation()
    const shown = { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() }
    const scale = Math.min(1, width / shown.width)
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(shown.width * scale)),
      Math.max(1, Math.round(shown.height * scale)),
    )
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (context === null) throw new Error('no canvas')
    context.translate(canvas.width / 2, canvas.height / 2)
    context.rotate((rotation * Math.PI) / 180)
    const isTurned = rotation === 90 || rotation === 270
    const [w, h] = isTurned ? [canvas.height, canvas.width] : [canvas.width, canvas.height]
    const small = await shrinkFrame(frame, w, h).catch(() => null)
    try {
      context.drawImage(small ?? frame, -w / 2, -h / 2, w, h)
    } finally {
      small?.close()
    }
    const look = lookAt(
      context.getImageData(0, 0, canvas.width, canvas.height).data,
      canvas.width,
      canvas.height,
      frame.timestamp / 1_000,
    )
    return { picture: await canvas.convertToBlob(JPEG), look }
  } finally {
    frame.close()
  }
}

async function byFfmpeg(
  jobs: FfmpegJobs,
  { opened, shares, width, facts, signal }: PictureRequest,
  onPicture: OnPicture,
): Promise<Result<void, ProbeFailure>> {
  const { durationMs, displayWidth, pictureStartMs, taken: tracks = FIRST_TRACKS } = await facts()
  // Even, because chroma is halved; never larger than the source.
  const wide = Math.max(2, Math.floor(Math.min(width, displayWidth ?? width) / 2) * 2)
  const atSeconds = shares.map((share) => (pictureStartMs + (durationMs ?? 0) * share) / 1_000)
  const drawn: Promise<void>[] = []
  const ran = await jobs.run(
    {
      file: opened.file,
      task: { kind: 'pictures', atSeconds, width: wide, tracks },
      limitMs: Math.min(ALL_LIMIT_MS, FIRST_LIMIT_MS + EACH_LIMIT_MS * (shares.length - 1)),
      signal,
    },
    (news) => {
      if (news.kind === 'picture' && news.rgba !== null)
        drawn.push(
          encode(news.rgba, wide, (atSeconds[news.index] ?? 0) * 1_000).then(({ picture, look }) =>
            onPicture(news.index, picture, look),
          ),
        )
    },
  )
  await Promise.allSettled(drawn)
  return ran
}

async function encode(rgba: Uint8Array<ArrayBuffer>, width: number, atMs: number): Promise<Drawn> {
  const height = Math.floor(rgba.byteLength / (4 * width))
  const canvas = new OffscreenCanvas(width, height)
  canvas
    .getContext('2d')
    ?.putImageData(
      new ImageData(new Uint8ClampedArray(rgba.buffer, 0, width * height * 4), width, height),
      0,
      0,
    )
  return { picture: await canvas.convertToBlob(JPEG), look: lookAt(rgba, width, height, atMs) }
}
