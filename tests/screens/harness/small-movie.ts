import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'

/** So many milliseconds from one picture to the next, and from one key picture to the next. */
const PICTURE_MS = 500
const KEY_MS = 5000

/**
 * An MP4 whose index is real and whose pictures are nothing: enough for what reads no pictures. Two
 * pictures a second, and a key every five seconds.
 */
export async function makeSmallMovie(name: string, durationMs: number): Promise<File> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const pictures = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(pictures)
  await output.start()
  const decoderConfig = {
    codec: 'avc1.42c00b',
    codedWidth: 1920,
    codedHeight: 1080,
    description: Uint8Array.of(
      1,
      0x42,
      0xc0,
      0x0b,
      0xff,
      0xe1,
      0,
      4,
      0x67,
      0x42,
      0xc0,
      0x0b,
      1,
      0,
      4,
      0x68,
      0xce,
      0x3c,
      0x80,
    ),
  }
  for (let ms = 0; ms < durationMs; ms += PICTURE_MS) {
    const isKey = ms % KEY_MS === 0
    const bytes = new Uint8Array(1000).fill(ms / PICTURE_MS)
    await pictures.add(
      new EncodedPacket(bytes, isKey ? 'key' : 'delta', ms / 1000, PICTURE_MS / 1000),
      { decoderConfig },
    )
  }
  await output.finalize()
  return new File([target.buffer ?? new ArrayBuffer(0)], name, {
    type: 'video/mp4',
    lastModified: 1,
  })
}
