import { describe, expect, it } from 'vitest'
import { elementAt, readSegmentStart } from '#src/local/probe/segment.ts'

const element = (id: readonly number[], ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([
    Buffer.from(id),
    Buffer.from([0x40 | (body.length >> 8), body.length & 0xff]),
    body,
  ])
}
const bytes = (...values: readonly number[]): Buffer => Buffer.from(values)
const header = element([0x1a, 0x45, 0xdf, 0xa3], bytes(0))
const segment = (...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([
    header,
    bytes(0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
    ...parts,
  ])
const track = (number: number, ...parts: readonly Buffer[]): Buffer =>
  element([0xae], element([0xd7], bytes(number)), ...parts)
/** 40,000,000 ns. */
const stays = element([0x23, 0xe3, 0x83], bytes(0x02, 0x62, 0x5a, 0x00))
const tracks = element([0x16, 0x54, 0xae, 0x6b], track(1, stays), track(2))
const cluster = (atTicks: number, ...parts: readonly Buffer[]): Buffer =>
  element([0x1f, 0x43, 0xb6, 0x75], element([0xe7], bytes(atTicks)), ...parts)
const block = (time: number): Buffer =>
  element([0xa3], bytes(0x81, (time >> 8) & 0xff, time & 0xff, 0x80, 1, 2, 3))

describe('the first bytes of a Matroska file', () => {
  it('tell how long a picture stays, and when the first one is shown', () => {
    expect(readSegmentStart(segment(tracks, cluster(20, block(-20), block(0))))).toEqual({
      pictureSeconds: new Map([[1, 0.04]]),
      firstSeconds: 0,
    })
  })

  it('count in the ticks of the file', () => {
    const info = element(
      [0x15, 0x49, 0xa9, 0x66],
      element([0x2a, 0xd7, 0xb1], bytes(0x98, 0x96, 0x80)),
    )
    expect(
      readSegmentStart(
        segment(info, tracks, cluster(10, element([0xa0], element([0xa1], bytes(0x81, 0, 5, 0))))),
      ),
    ).toEqual({ pictureSeconds: new Map([[1, 0.04]]), firstSeconds: 0.15 })
  })

  it('leave open what is not in them', () => {
    expect(readSegmentStart(segment(tracks))?.firstSeconds).toBeNull()
    expect(
      readSegmentStart(segment(tracks, cluster(0, block(0)).subarray(0, 14)))?.firstSeconds,
    ).toBeNull()
    expect(readSegmentStart(Buffer.from('this is only a text'))).toBeNull()
    expect(readSegmentStart(Buffer.alloc(0))).toBeNull()
  })

  it('know elements of unknown length', () => {
    expect(elementAt(bytes(0x1f, 0x43, 0xb6, 0x75, 0xff), 0)).toEqual({
      id: 0x1f43b675,
      bodyStart: 5,
      end: null,
    })
    expect(elementAt(bytes(0xa3, 0x81, 7), 0)).toEqual({ id: 0xa3, bodyStart: 2, end: 3 })
    expect(elementAt(bytes(0xa3, 0x08), 0)).toBeNull()
  })
})
