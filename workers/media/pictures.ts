import { EncodedPacketSink, VideoSampleSink, type InputVideoTrack } from 'mediabunny'
import type { FfmpegJobs } from './ffmpeg-jobs.ts'
import { withLimit } from './limit.ts'
import { lookAt, type PictureLook } from './picture-look.ts'
import { openInput } from './read-fast.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

/** Times within the video, 0 = its first picture and 1 = its end. */
export interface PictureRequest { readonly file: File; readonly shares: readonly number[]; readonly width: number; readonly durationMs: number | null; readonly displayWidth: number | null; readonly signal: AbortSignal }

/** `look`: what is to be seen in it, for the pre-checks. */
export type OnPicture = (index: number, picture: Blob, look: PictureLook) => void
interface Drawn { readonly picture: Blob; readonly look: PictureLook }

const FIRST_LIMIT_MS = 10_000
const EACH_LIMIT_MS = 8_000
const ALL_LIMIT_MS = 45_000
const JPEG = { type: 'image/jpeg', quality: 0.82 } as const

/**
 * Pictures of a video: key frames by WebCodecs where this browser decodes the codec, else by ffmpeg. `onPicture` gets each as it
 * is made; pictures that cannot be made are left out, and none at all is a failure.
 */
export async function makePictures(jobs: FfmpegJobs, request: PictureRequest, onPicture: OnPicture): Promise<Result<readonly Blob[], ProbeFailure>> {
  const made = new Map<number, Blob>()
  const take: OnPicture = (index, picture, look) => {
    made.set(index, picture)
    onPicture(index, picture, look)
  }
  await byKeyFrames(request, take).catch(() => undefined)
  if (made.size === 0 && !request.signal.aborted) {
    const fallback = await byFfmpeg(jobs, request, take)
    if (!fallback.ok && made.size === 0) return fallback
  }
  if (request.signal.aborted) return err({ code: 'probe/cancelled' })
  return made.size === 0 ? err({ code: 'probe/no-video' }) : ok(Array.from(made).toSorted(([a], [b]) => a - b).map(([, picture]) => picture))
}

/** Key packets by hand: three times faster than exact frames, and near enough for a picture. Exact where key frames are too rare for that. */
async function byKeyFrames({ file, shares, width, signal }: PictureRequest, onPicture: OnPicture): Promise<void> {
  const input = openInput(file)
  try {
    const track = await withLimit(input.getPrimaryVideoTrack(), FIRST_LIMIT_MS, signal)
    if (track === null || !(await track.canDecode())) return
    const sink = new EncodedPacketSink(track)
    const exact = new VideoSampleSink(track)
    const seen = new Set<number>()
    const start = await track.getFirstTimestamp()
    const end = (await track.getDurationFromMetadata()) ?? (await track.computeDuration({ metadataOnly: true }))
    for (const [index, share] of shares.entries()) {
      signal.throwIfAborted()
      const at = start + (end - start) * share
      const packet = await withLimit(sink.getKeyPacket(at, { verifyKeyPackets: true }), EACH_LIMIT_MS, signal)
      if (packet === null) continue
      const frame = await withLimit(seen.has(packet.timestamp) ? frameAt(exact, at) : decode(track, packet.toEncodedVideoChunk()), EACH_LIMIT_MS, signal)
      seen.add(packet.timestamp)
      if (frame === null) continue
      const { picture, look } = await draw(frame, track, width)
      onPicture(index, picture, look)
    }
  } finally {
    input.dispose()
  }
}

async function frameAt(sink: VideoSampleSink, seconds: number): Promise<VideoFrame | null> {
  const sample = await sink.getSample(seconds)
  if (sample === null) return null
  try {
    return sample.toVideoFrame()
  } finally {
    sample.close()
  }
}

async function decode(track: InputVideoTrack, chunk: EncodedVideoChunk): Promise<VideoFrame | null> {
  const config = await track.getDecoderConfig()
  if (config === null) return null
  const frames: VideoFrame[] = []
  const failed = Promise.withResolvers<never>()
  const decoder = new VideoDecoder({ output: (frame) => frames.push(frame), error: (thrown) => failed.reject(thrown) })
  try {
    decoder.configure(config)
    decoder.decode(chunk)
    await Promise.race([decoder.flush(), failed.promise])
    return frames.shift() ?? null
  } finally {
    for (const frame of frames) frame.close()
    if (decoder.state !== 'closed') decoder.close()
    failed.promise.catch(() => undefined)
  }
}

/** Upright, in the right shape, `width` wide at the most. Frames are closed at once: they hold memory of the decoder. */
async function draw(frame: VideoFrame, track: InputVideoTrack, width: number): Promise<Drawn> {
  try {
    const rotation = await track.getRotation()
    const shown = { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() }
    const scale = Math.min(1, width / shown.width)
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(shown.width * scale)), Math.max(1, Math.round(shown.height * scale)))
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (context === null) throw new Error('no canvas')
    context.translate(canvas.width / 2, canvas.height / 2)
    context.rotate((rotation * Math.PI) / 180)
    const isTurned = rotation === 90 || rotation === 270
    const [w, h] = isTurned ? [canvas.height, canvas.width] : [canvas.width, canvas.height]
    context.drawImage(frame, -w / 2, -h / 2, w, h)
    const look = lookAt(context.getImageData(0, 0, canvas.width, canvas.height).data, canvas.width, canvas.height, frame.timestamp / 1_000)
    return { picture: await canvas.convertToBlob(JPEG), look }
  } finally {
    frame.close()
  }
}

async function byFfmpeg(jobs: FfmpegJobs, { file, shares, width, durationMs, displayWidth, signal }: PictureRequest, onPicture: OnPicture): Promise<Result<void, ProbeFailure>> {
  // Even, because chroma is halved; never larger than the source.
  const wide = Math.max(2, Math.floor(Math.min(width, displayWidth ?? width) / 2) * 2)
  const atSeconds = shares.map((share) => ((durationMs ?? 0) / 1_000) * share)
  const drawn: Promise<void>[] = []
  const ran = await jobs.run({ file, task: { kind: 'pictures', atSeconds, width: wide }, limitMs: Math.min(ALL_LIMIT_MS, FIRST_LIMIT_MS + EACH_LIMIT_MS * (shares.length - 1)), signal }, (news) => {
    if (news.kind === 'picture' && news.rgba !== null) drawn.push(encode(news.rgba, wide, (atSeconds[news.index] ?? 0) * 1_000).then(({ picture, look }) => onPicture(news.index, picture, look)))
  })
  await Promise.allSettled(drawn)
  return ran
}

async function encode(rgba: Uint8Array<ArrayBuffer>, width: number, atMs: number): Promise<Drawn> {
  const height = Math.floor(rgba.byteLength / (4 * width))
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba.buffer, 0, width * height * 4), width, height), 0, 0)
  return { picture: await canvas.convertToBlob(JPEG), look: lookAt(rgba, width, height, atMs) }
}
