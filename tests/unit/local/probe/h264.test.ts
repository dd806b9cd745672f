import { describe, expect, it } from 'vitest'
import {
  camcorderNotes,
  firstParameterSet,
  nalUnits,
  readParameterSet,
} from '#src/local/probe/h264.ts'

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
/**
 * Sequence parameter sets that x264 wrote: baseline, main with fields, high 4:2:2 with ten bits,
 * and fields of which eight rows are not shown.
 */
const PROGRESSIVE = '6742c01eda0360f79bc044000003000400000300c83c58ba80'
const FIELDS = '674d401ef406c3de6f011000000300100000030321f142aa'
const TEN_BITS = '677a001eb6cb406c1ef37808800000030080000019078b1750'
const CAMCORDER = '674d4028f403c0227ef011000003000100000300321f162ea0'

describe('what only the H.264 stream says', () => {
  it('B7 tells pictures that may be fields from those that cannot be, and how many rows they have', () => {
    expect(
      [PROGRESSIVE, FIELDS, TEN_BITS, CAMCORDER].map((hex) => readParameterSet(bytesOf(hex))),
    ).toEqual([
      { mayBeInterlaced: false, rows: 480 },
      { mayBeInterlaced: true, rows: 480 },
      { mayBeInterlaced: false, rows: 480 },
      { mayBeInterlaced: true, rows: 1080 },
    ])
  })

  it('B7 says nothing of a set that is cut short, or of something else', () => {
    expect(
      [FIELDS.slice(0, 12), '', '68de0fc8', '67'].map((hex) => readParameterSet(bytesOf(hex))),
    ).toEqual([null, null, null, null])
  })

  it('finds the parameter set where MP4 and Matroska keep it', () => {
    const set = bytesOf(FIELDS)
    expect(
      firstParameterSet(Uint8Array.from([1, 77, 64, 30, 255, 225, 0, set.length, ...set, 1, 0, 4])),
    ).toEqual(set)
    expect(firstParameterSet(Uint8Array.from([1, 77, 64, 30, 255, 224, 0]))).toBeNull()
    expect(firstParameterSet(new Uint8Array())).toBeNull()
  })

  it('cuts a stream into its units, whatever the length of the start codes', () => {
    expect(nalUnits(bytesOf(`00000001${PROGRESSIVE}00000168ce`)).map((unit) => unit[0])).toEqual([
      0x67, 0x68,
    ])
    expect(nalUnits(new Uint8Array([0, 0]))).toEqual([])
  })

  const note = (...entries: readonly (readonly number[])[]): Uint8Array =>
    Uint8Array.from([
      0,
      0,
      1,
      9,
      16,
      0,
      0,
      1,
      6,
      5,
      40,
      ...bytesOf('17ee8c60f84d11d98cd60800200c9a66'),
      ...new TextEncoder().encode('MDPM'),
      entries.length,
      ...entries.flat(),
      128,
      0,
      0,
      1,
      0x65,
      136,
    ])

  it('B9 sees that a camcorder noted a place or its maker, and none in other notes', () => {
    expect(camcorderNotes(note([0x18, 2, 32, 38, 5], [0xb2, 51, 1, 1, 1]))).toEqual({
      hasLocation: true,
      hasDevice: false,
    })
    expect(camcorderNotes(note([0xe0, 1, 3, 1, 1]))).toEqual({
      hasLocation: false,
      hasDevice: true,
    })
    expect(camcorderNotes(note([0x18, 0xb2, 0xe0, 0xb2, 5]))).toEqual({
      hasLocation: false,
      hasDevice: false,
    })
    expect(camcorderNotes(bytesOf(`000001${PROGRESSIVE}`))).toEqual({
      hasLocation: false,
      hasDevice: false,
    })
  })

  it('B9 reads past the bytes that keep start codes away', () => {
    expect(camcorderNotes(note([0x18, 0, 0, 3, 1, 9], [0xb2, 51, 1, 1, 1])).hasLocation).toBe(true)
  })
})
