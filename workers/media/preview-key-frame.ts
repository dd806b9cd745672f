import { EncodedPacketSink } from 'mediabunny'
import { withLimit } from './limit.ts'
import { openInput } from './open-file.ts'
import { editsStartMs } from '#recipes/first-picture.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { pixelsASecond } from '#src/local/previews/decode-cost.ts'

/** What ffmpeg reads for a preview, in milliseconds of the source. */
export interface ReadPart {
  readonly seekMs: number
  readonly endMs: number
}

/**
 * Pixels of H.264 that may be decoded only to be thrown away, before the first one that is shown:
 * about half a second.
 */
const LEAD_PX = 100_000_000
/**
 * ffmpeg looks for a key frame 3/23 s before the time it is given, where a container orders by
 * decoding (ffmpeg 5.1, dts_heuristic in open_input_file).
 */
const MARGIN_MS = 150
const LIMIT_MS = 1_500

/**
 * By how many milliseconds a preview has to move so that few pictures are decoded in front of it:
 * everything since the key frame before has to be, and exported videos have one in ten seconds. To
 * the nearest key frame; 0 where one is near enough, and where nothing is known of them.
 */
export async function moveToKeyFrame(
  file: File,
  source: SourceProbe,
  { seekMs, endMs }: ReadPart,
  signal: AbortSignal,
): Promise<number> {
  const leadLimitMs = (LEAD_PX / pixelsASecond(source)) * 1_000
  const input = openInput(file)
  const find = async (): Promise<number> => {
    const track = (await input.getVideoTracks())[source.tracks?.picture ?? 0]
    if (track === undefined) return 0
    const first = Math.max(0, await input.getFirstTimestamp()) + editsStartMs(source) / 1_000
    const sink = new EncodedPacketSink(track)
    const before = await sink.getKeyPacket(first + seekMs / 1_000, { metadataOnly: true })
    if (before === null) return 0
    const leadMs = seekMs - (before.timestamp - first) * 1_000
    if (leadMs <= leadLimitMs + MARGIN_MS) return 0
    const after = await sink.getNextKeyPacket(before, { metadataOnly: true })
    const forwardMs =
      after === null ? Infinity : (after.timestamp - first) * 1_000 + MARGIN_MS - seekMs
    return forwardMs < leadMs && endMs + forwardMs <= source.durationMs
      ? forwardMs
      : MARGIN_MS - leadMs
  }
  try {
    return await withLimit(find(), LIMIT_MS, signal)
  } catch {
    // What cannot be read this way, or not in time, is shown exactly.
    return 0
  } finally {
    input.dispose()
  }
}
