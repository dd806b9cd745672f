import { BufferTarget, Conversion, MkvOutputFormat, Output, type Input } from 'mediabunny'
import { openInput } from './open-file.ts'
import { FIRST_TRACKS } from '#checks/tracks.ts'
import { editsStartMs } from '#recipes/first-picture.ts'
import { fitInside } from '#recipes/picture.ts'
import type { PreviewWindow, SourceProbe } from '#recipes/types.ts'

/** The long side of a preview; smaller would be blown up again. */
const LONG_SIDE = 854
/**
 * Plans read a little around their window: for what fades in, and for a last frame that comes late.
 */
const BEFORE_MS = 1_000
const AFTER_MS = 700
const KEY_FRAME_S = 0.5

export interface Mezzanine {
  readonly file: File
  /** Where in the video the file begins. */
  readonly startMs: number
  /**
   * The video as plans should see it: what is not in the small file is not there. Size and length
   * stay those of the whole video.
   */
  readonly source: SourceProbe
}

/** What is cut of a video. */
interface Cut extends PreviewWindow {
  /** Without its picture. */
  readonly isSound?: boolean
}

/**
 * Cuts a window, and a little around it, to a small H.264 file by this browser's own codecs. Null
 * where the browser cannot, or at an abort.
 */
export async function cutMezzanine(
  file: File,
  source: SourceProbe,
  { isSound = false, ...window }: Cut,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<Mezzanine | null> {
  const startMs = Math.max(0, window.startMs - BEFORE_MS)
  const endMs = Math.min(source.durationMs, window.startMs + window.durationMs + AFTER_MS)
  const input = openInput(file)
  try {
    const target = new BufferTarget()
    const conversion = await conversionTo(target, input, source, { startMs, endMs, isSound })
    const isThere = conversion.utilizedTracks.some((track) =>
      isSound ? track.isAudioTrack() : track.isVideoTrack(),
    )
    if (!conversion.isValid || !isThere) return null
    await execute(conversion, signal, onShare)
    if (target.buffer === null) return null
    const { tracks: _, ...ofItsTracks } = source
    const hasAudio = conversion.utilizedTracks.some((track) => track.isAudioTrack())
    return {
      file: new File([target.buffer], 'mezzanine.mkv'),
      startMs,
      source: {
        ...ofItsTracks,
        videoCodec: 'h264',
        isHdr: false,
        hasAudio,
        audioCodec: hasAudio ? 'pcm_s16le' : null,
        audioChannels: hasAudio ? source.audioChannels : 0,
      },
    }
  } catch {
    return null
  } finally {
    input.dispose()
  }
}

async function conversionTo(
  target: BufferTarget,
  input: Input,
  source: SourceProbe,
  {
    startMs,
    endMs,
    isSound,
  }: { readonly startMs: number; readonly endMs: number; readonly isSound: boolean },
): Promise<Conversion> {
  const first = Math.max(0, await input.getFirstTimestamp()) + editsStartMs(source) / 1_000
  const { picture, sound } = source.tracks ?? FIRST_TRACKS
  return Conversion.init({
    input,
    output: new Output({ format: new MkvOutputFormat(), target }),
    showWarnings: false,
    tags: {},
    trim: { start: first + startMs / 1_000, end: first + endMs / 1_000 },
    video: ({ number }) =>
      isSound || number !== picture + 1
        ? { discard: true }
        : {
            codec: 'avc',
            ...fitInside(source, LONG_SIDE, LONG_SIDE),
            fit: 'fill',
            forceTranscode: true,
            allowTransformationMetadata: false,
            keyFrameInterval: KEY_FRAME_S,
          },
    audio: ({ number }) =>
      number === sound + 1 ? { codec: 'pcm-s16', forceTranscode: true } : { discard: true },
  })
}

async function execute(
  conversion: Conversion,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<void> {
  conversion.onProgress = (share) => onShare(share)
  const stop = (): void => void conversion.cancel()
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await conversion.execute()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
