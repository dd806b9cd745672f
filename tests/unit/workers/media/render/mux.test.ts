import {
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  type InputTrack,
} from 'mediabunny'
import { afterEach, expect, it, vi } from 'vitest'
import { boxesIn } from '#checks/boxes.ts'
import { joinMovie, type MoviePiece } from '#workers/media/render/mux.ts'

afterEach(() => vi.unstubAllGlobals())

const RATE = 25
const PICTURE_BYTES = 1_000
const SOUND_S = 1024 / 48_000

/** What x264 says of pictures of 320 by 180 (ISO/IEC 14496-15, 5.3.3.1). */
const DESCRIPTION = '0142c028ffe100176742c028da05067e7c0440000003004000000c83c60ca801000468ce0fc8'

/** @param last the last value of what its decoder must know, by which encoders differ here */
const videoConfig = (last: number): VideoDecoderConfig => {
  const description = new Uint8Array(Buffer.from(DESCRIPTION, 'hex'))
  description[description.length - 1] = last
  return { codec: 'avc1.42c028', codedWidth: 320, codedHeight: 180, description }
}

async function movieOf(add: (output: Output) => (() => Promise<void>)[]): Promise<Blob> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const packets = add(output)
  await output.start()
  for (const each of packets) await each()
  await output.finalize()
  return new Blob([target.buffer ?? ''])
}

/** Two seconds of pictures, each of bytes that say which piece and picture it is. */
async function pieceOf(number: number, last = 0xc8): Promise<MoviePiece> {
  const movie = await movieOf((output) => {
    const source = new EncodedVideoPacketSource('avc')
    output.addVideoTrack(source, { frameRate: RATE })
    return Array.from({ length: 2 * RATE }, (_, at) => () => {
      const bytes = new Uint8Array(PICTURE_BYTES).fill(number * 100 + at)
      const packet = new EncodedPacket(bytes, at === 0 ? 'key' : 'delta', at / RATE, 1 / RATE)
      return source.add(packet, { decoderConfig: videoConfig(last) })
    })
  })
  return { startS: 2 * number, movie }
}

const soundOf = (seconds: number): Promise<Blob> =>
  movieOf((output) => {
    const source = new EncodedAudioPacketSource('aac')
    output.addAudioTrack(source)
    const decoderConfig = {
      codec: 'mp4a.40.2',
      sampleRate: 48_000,
      numberOfChannels: 2,
      description: Uint8Array.from([0x11, 0x90]),
    }
    return Array.from({ length: Math.floor(seconds / SOUND_S) }, (_, at) => () => {
      const bytes = new Uint8Array(100).fill(at)
      return source.add(new EncodedPacket(bytes, 'key', at * SOUND_S, SOUND_S), { decoderConfig })
    })
  })

/** Time and first value of each packet. */
async function packetsOf(track: InputTrack | null): Promise<readonly (readonly number[])[]> {
  if (track === null) throw new Error('no track')
  const found: (readonly number[])[] = []
  for await (const { timestamp, data } of new EncodedPacketSink(track).packets())
    found.push([Math.round(timestamp * 1000), data[0] ?? -1, data.byteLength])
  return found
}

const CLOCK = { matrix: 'bt709', rate: RATE } as const

it('NOW-05 a film is put together of its pieces and sound with its index first, half a second at a time', async () => {
  const pieces = [await pieceOf(0), await pieceOf(1), await pieceOf(2)]
  const sound = await soundOf(6)
  const heldBytes: number[] = []
  const isBlob = Blob[Symbol.hasInstance].bind(Blob)
  class WatchedBlob extends Blob {
    static override [Symbol.hasInstance] = isBlob
    constructor(parts: BlobPart[] = [], options?: BlobPropertyBag) {
      super(parts, options)
      const held = parts.map((part) => (ArrayBuffer.isView(part) ? part.byteLength : 0))
      heldBytes.push(held.reduce((sum, bytes) => sum + bytes, 0))
    }
  }
  vi.stubGlobal('Blob', WatchedBlob)
  const film = await joinMovie(CLOCK, pieces, sound)
  if (film === null) throw new Error('no film')
  expect(Math.max(...heldBytes)).toBeLessThan(0.7 * RATE * PICTURE_BYTES)
  const bytes = new Uint8Array(await film.arrayBuffer())
  expect([...boxesIn(bytes, 0, bytes.byteLength)].map(({ type, end }) => [type, end])).toEqual([
    ['ftyp', expect.any(Number)],
    ['moov', expect.any(Number)],
    ['mdat', film.size],
  ])
  const input = new Input({ source: new BlobSource(film), formats: [MP4] })
  const pictures = await packetsOf(await input.getPrimaryVideoTrack())
  expect(pictures).toEqual(
    Array.from({ length: 6 * RATE }, (_, at) => [
      at * 40,
      (Math.floor(at / 50) * 100 + (at % 50)) % 256,
      PICTURE_BYTES,
    ]),
  )
  const sounds = await packetsOf(await input.getPrimaryAudioTrack())
  expect(sounds.length).toBe(Math.floor(6 / SOUND_S))
  expect(sounds.map(([, first]) => first)).toEqual(sounds.map((_, at) => at % 256))
  input.dispose()
})

it('NOW-06 pieces of encoders that differ make no film', async () => {
  expect(await joinMovie(CLOCK, [await pieceOf(0), await pieceOf(1, 0xc9)], null)).toBe(null)
})
