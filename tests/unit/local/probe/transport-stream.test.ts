import { describe, expect, it } from 'vitest'
import { transportPacket as packet } from '#tests/fixtures/transport-packets.ts'
import { areDifferent } from '#src/local/probe/sound-forms.ts'
import {
  gridOf,
  packetsIn,
  soundFormsIn,
  streamIdsIn,
  unwrapped,
} from '#src/local/probe/transport-stream.ts'

describe('times within a transport stream', () => {
  it('gives the pieces of each stream with their times and bytes', () => {
    const stream = Buffer.concat([
      packet(256, 1.4),
      packet(256, null),
      packet(257, 1.38, 20),
      packet(256, 1.44),
    ])
    expect(packetsIn(stream, 188)).toEqual(
      new Map([
        [
          256,
          [
            { seconds: 1.4, payloadBytes: 368 },
            { seconds: 1.44, payloadBytes: 184 },
          ],
        ],
        [257, [{ seconds: 1.38, payloadBytes: 164 }]],
      ]),
    )
  })

  it('tells times of many hours', () => {
    expect(packetsIn(packet(256, 90_000.5), 188).get(256)).toEqual([
      { seconds: 90_000.5, payloadBytes: 184 },
    ])
  })

  it('ends where packets end', () => {
    expect(
      packetsIn(Buffer.concat([packet(256, 1), Buffer.alloc(188), packet(256, 2)]), 188).get(256),
    ).toHaveLength(1)
    expect(packetsIn(packet(256, 1).subarray(0, 100), 188).size).toBe(0)
  })

  it('knows how packets lie in a file', () => {
    const plain = Buffer.concat([packet(0, null), packet(0, null)])
    expect(gridOf(plain)).toEqual({ startsAt: 0, strideBytes: 188 })
    const time = Buffer.alloc(4)
    const camcorder = Buffer.concat([time, packet(0, null), time, packet(0, null)])
    expect(gridOf(camcorder)).toEqual({ startsAt: 4, strideBytes: 192 })
    expect(
      packetsIn(Buffer.concat([packet(256, 1), time, packet(256, 2)]), 192).get(256),
    ).toHaveLength(2)
    expect(gridOf(Buffer.alloc(400))).toBeNull()
  })

  it('names the kinds of all streams, also of those that the fast reader leaves out', () => {
    const stream = Buffer.concat([packet(256, 1), packet(257, null), packet(258, 1)])
    expect(streamIdsIn(stream, 188)).toEqual(
      new Map([
        [256, 0xe0],
        [258, 0xe0],
      ]),
    )
  })

  it('REC-27 tells the forms of sound that frames say, but not what a chance looks like', () => {
    // Headers of ADTS and AC-3 frames of 48 kHz: two channels, one, and six.
    const [stereo, mono, six, noise] = ['fff14c80', 'fff14c40', '0b7700001440e1', '123456']
    const said = (...frames: readonly (string | undefined)[]): readonly string[] => {
      const packets = frames.map((frame = '', at) => {
        const bytes = packet(257, at)
        // Behind the header of the piece.
        Buffer.from(frame, 'hex').copy(bytes, 18)
        return bytes
      })
      return [...soundFormsIn(Buffer.concat(packets), 188, 257)]
    }
    expect(areDifferent(said(stereo, stereo, stereo))).toBe(false)
    expect(areDifferent(said(stereo, stereo, stereo, mono))).toBe(false)
    expect(areDifferent(said(stereo, stereo, stereo, mono, mono, mono))).toBe(true)
    expect(areDifferent(said(six, six, six, mono, mono, mono))).toBe(true)
    expect(said(noise, noise, noise)).toEqual([])
  })

  it('goes on counting where timestamps start again at 0', () => {
    const lap = 2 ** 33 / 90_000
    expect(unwrapped(0.5, lap - 1)).toBeCloseTo(lap + 0.5, 6)
    expect(unwrapped(lap - 0.5, 1)).toBeCloseTo(-0.5, 6)
    expect(unwrapped(12, 10)).toBe(12)
  })
})
