import { EncodedPacketSink, type EncodedPacket } from 'mediabunny'
import type { OpenFile } from './open-file.ts'
import { takenVideo } from './taken-tracks.ts'

/** Shares of the length. */
const PLACES = [0.1, 0.3, 0.5, 0.7, 0.9] as const
const MAX_FRAMES = 60
const MIN_FRAMES = 10
/** Larger pictures get fewer frames, so that the work stays the same. */
const FULL_HD_PX = 1920 * 1080

/**
 * Decodes a group of pictures at five places. `atMs` is the first place that the decoder refuses,
 * from the beginning, or null for none. Null altogether: this browser cannot decode the codec,
 * which says nothing about the file.
 */
export async function findDamage(
  opened: OpenFile,
  signal: AbortSignal,
): Promise<{ readonly atMs: number | null } | null> {
  const track = await takenVideo(opened)
  const config =
    track === null || !(await track.canDecode()) ? null : await track.getDecoderConfig()
  if (track === null || config === null) return null
  const pixels = (await track.getCodedWidth()) * (await track.getCodedHeight())
  const most = Math.max(
    MIN_FRAMES,
    Math.min(MAX_FRAMES, Math.floor((MAX_FRAMES * FULL_HD_PX) / pixels)),
  )
  const start = await track.getFirstTimestamp()
  const end = await track.computeDuration({ metadataOnly: true })
  const sink = new EncodedPacketSink(track)
  for (const share of PLACES) {
    signal.throwIfAborted()
    const key = await sink.getKeyPacket(start + (end - start) * share, { verifyKeyPackets: true })
    if (key === null) continue
    const packets = await groupFrom(sink, key, most)
    if (!(await isDecodable(config, packets)))
      return { atMs: Math.max(0, Math.round((key.timestamp - start) * 1_000)) }
  }
  return { atMs: null }
}

async function groupFrom(
  sink: EncodedPacketSink,
  key: EncodedPacket,
  most: number,
): Promise<readonly EncodedPacket[]> {
  const packets = [key]
  for (let packet: EncodedPacket = key; packets.length < most;) {
    const next = await sink.getNextPacket(packet)
    if (next === null || next.type === 'key') break
    packet = next
    // Pictures shown before the key frame need the group before it.
    if (packet.timestamp > key.timestamp) packets.push(packet)
  }
  return packets
}

async function isDecodable(
  config: VideoDecoderConfig,
  packets: readonly EncodedPacket[],
): Promise<boolean> {
  const failed = Promise.withResolvers<false>()
  const decoder = new VideoDecoder({
    output: (frame) => frame.close(),
    error: () => failed.resolve(false),
  })
  try {
    decoder.configure(config)
    for (const packet of packets) decoder.decode(packet.toEncodedVideoChunk())
    return await Promise.race([
      decoder.flush().then(
        () => true,
        () => false,
      ),
      failed.promise,
    ])
  } catch {
    return false
  } finally {
    if (decoder.state !== 'closed') decoder.close()
  }
}
