import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { colorsOf } from './draw.ts'
import { boxesIn } from '#checks/boxes.ts'
import type { Drawing } from '#recipes/drawing.ts'

/** An MP4 that is put together of an encoder's pictures and of ffmpeg's sound. */
export interface Movie {
  readonly addPicture: (
    chunk: EncodedVideoChunk,
    meta: EncodedVideoChunkMetadata | undefined,
  ) => void
  /** @param sound the MP4 that ffmpeg made of the sound alone; null = the edit has none */
  finish(sound: Uint8Array<ArrayBuffer> | null): Promise<Blob>
  cancel(): void
}

/** Its index comes first, and it says nothing of where or when it was made. */
export async function startMovie(
  { matrix, frameRate }: Pick<Drawing, 'matrix' | 'frameRate'>,
  hasSound: boolean,
): Promise<Movie> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const pictures = new EncodedVideoPacketSource('avc')
  const sounds = new EncodedAudioPacketSource('aac')
  output.addVideoTrack(pictures, { frameRate: frameRate.value })
  if (hasSound) output.addAudioTrack(sounds)
  await output.start()
  let written = Promise.resolve()
  return {
    addPicture: (chunk, meta) => {
      const packet = EncodedPacket.fromEncodedChunk(chunk)
      const { decoderConfig } = meta ?? {}
      const said =
        decoderConfig === undefined
          ? undefined
          : { ...meta, decoderConfig: { ...decoderConfig, colorSpace: colorsOf(matrix) } }
      written = written.then(() => pictures.add(packet, said))
      // It is awaited at the end.
      written.catch(() => undefined)
    },
    finish: async (sound) => {
      await written
      pictures.close()
      if (sound !== null) await copySound(sound, sounds)
      await output.finalize()
      if (target.buffer === null) throw new Error('nothing was written')
      const bytes = new Uint8Array(target.buffer)
      leaveOutTraces(bytes)
      return new Blob([bytes], { type: 'video/mp4' })
    },
    cancel: () => void output.cancel().catch(() => undefined),
  }
}

/**
 * The packets as they are. Those before time zero prime a decoder: the file says that they are not
 * heard, so that the sound is not late by them.
 */
async function copySound(
  bytes: Uint8Array<ArrayBuffer>,
  into: EncodedAudioPacketSource,
): Promise<void> {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4] })
  try {
    const track = await input.getPrimaryAudioTrack()
    const decoderConfig = (await track?.getDecoderConfig()) ?? null
    if (track === null || decoderConfig === null) throw new Error('no sound was made')
    for await (const packet of new EncodedPacketSink(track).packets())
      await into.add(packet, { decoderConfig })
    into.close()
  } finally {
    input.dispose()
  }
}

const HOLDERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
const DATED: ReadonlySet<string> = new Set(['mvhd', 'tkhd', 'mdhd'])
const HANDLERS: Readonly<Record<string, string>> = { vide: 'VideoHandler', soun: 'SoundHandler' }

/**
 * The boxes of MP4 that say when and with what it was made then say what those of the server's
 * files do: nothing, or the usual words.
 */
function leaveOutTraces(bytes: Uint8Array, start = 0, end = bytes.byteLength): void {
  for (const { type, bodyStart, end: boxEnd } of boxesIn(bytes, start, end)) {
    if (HOLDERS.has(type)) leaveOutTraces(bytes, bodyStart, boxEnd)
    // Entries come after version, flags and their number.
    if (type === 'stsd') leaveOutTraces(bytes, bodyStart + 8, boxEnd)
    if (DATED.has(type)) {
      // After version and flags: when it was made, and when it was changed.
      const times = bodyStart + 4
      bytes.fill(0, times, times + (bytes[bodyStart] === 1 ? 16 : 8))
    }
    if (type === 'hdlr') {
      const kind = String.fromCharCode(...bytes.subarray(bodyStart + 8, bodyStart + 12))
      writeText(bytes.subarray(bodyStart + 24, boxEnd), HANDLERS[kind] ?? '')
    }
    // Who encoded it, in 32 bytes (ISO/IEC 14496-12, 12.1.3).
    if (type === 'avc1') bytes.fill(0, bodyStart + 42, bodyStart + 74)
  }
}

/** The rest becomes zeros. */
function writeText(room: Uint8Array, text: string): void {
  room.fill(0)
  room.set(new TextEncoder().encode(text).subarray(0, room.byteLength))
}
