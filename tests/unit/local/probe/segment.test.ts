import { describe, expect, it } from 'vitest'
import { elementAt } from '#checks/ebml.ts'
import { readSegmentStart, tagsOffset, trackEnds } from '#src/local/probe/segment.ts'

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
const block = (time: number, number = 1): Buffer =>
  element([0xa3], bytes(0x80 | number, (time >> 8) & 0xff, time & 0xff, 0x80, 1, 2, 3))

describe('the first bytes of a Matroska file', () => {
  it('tell how long a picture stays, and when the first one is shown', () => {
    expect(readSegmentStart(segment(tracks, cluster(20, block(-20), block(0))))).toEqual({
      pictureSeconds: new Map([[1, 0.04]]),
      firstSeconds: 0,
      trackSeconds: new Map([[1, 0]]),
      trackBlocks: new Map([[1, 2]]),
    })
  })

  it('TRU-01 tell when each track begins: sound moves the picture back', () => {
    const start = readSegmentStart(segment(tracks, cluster(0, block(0, 2), block(21), block(61))))
    expect(start?.firstSeconds).toBe(0)
    expect(start?.trackSeconds).toEqual(
      new Map([
        [2, 0],
        [1, 0.021],
      ]),
    )
  })

  it('SRC-07 tell when a picture begins that comes in a later cluster than its sound', () => {
    const start = readSegmentStart(
      segment(tracks, cluster(0, block(0, 2), block(190, 2)), cluster(200, block(21))),
    )
    expect(start?.trackSeconds.get(1)).toBe(0.221)
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
    ).toEqual({
      pictureSeconds: new Map([[1, 0.04]]),
      firstSeconds: 0.15,
      trackSeconds: new Map([[1, 0.15]]),
      trackBlocks: new Map([[1, 1]]),
    })
  })

  it('leave open what is not in them', () => {
    expect(readSegmentStart(segment(tracks))?.firstSeconds).toBeNull()
    expect(
      readSegmentStart(segment(tracks, cluster(0, block(0)).subarray(0, 14)))?.firstSeconds,
    ).toBeNull()
    expect(readSegmentStart(Buffer.from('this is only a text'))).toBeNull()
    expect(readSegmentStart(Buffer.alloc(0))).toBeNull()
  })

  it('TRU-01 tell when the picture ends, by the tags in front of the clusters or behind them', () => {
    const uid = (id: readonly number[], ...value: readonly number[]) => element(id, bytes(...value))
    const named = element(
      [0x16, 0x54, 0xae, 0x6b],
      track(1, uid([0x73, 0xc5], 9, 8, 7, 6, 5, 4, 3, 2)),
      track(2, uid([0x73, 0xc5], 7)),
    )
    const tag = (name: string, value: string, ...target: readonly number[]): Buffer =>
      element(
        [0x73, 0x73],
        element([0x63, 0xc0], uid([0x63, 0xc5], ...target)),
        element(
          [0x67, 0xc8],
          element([0x45, 0xa3], Buffer.from(name)),
          element([0x44, 0x87], Buffer.from(value)),
        ),
      )
    const tags = element(
      [0x12, 0x54, 0xc3, 0x67],
      tag('DURATION', '00:01:00.040000000\0\0', 9, 8, 7, 6, 5, 4, 3, 2),
      tag('DURATION', '01:01:30.5', 0, 7),
      tag('TITLE', '00:09:00', 7),
      tag('DURATION', 'for ever', 7),
    )
    const ends = new Map([
      [1, 60.04],
      [2, 3690.5],
    ])
    const front = segment(named, tags, cluster(0, block(0)))
    expect(front.subarray(tagsOffset(front) ?? 0)).toEqual(front.subarray(front.indexOf(tags)))
    expect(trackEnds(front, front.subarray(tagsOffset(front) ?? 0))).toEqual(ends)
    const seekHead = (position: number): Buffer =>
      element(
        [0x11, 0x4d, 0x9b, 0x74],
        element(
          [0x4d, 0xbb],
          element([0x53, 0xab], bytes(0x12, 0x54, 0xc3, 0x67)),
          element([0x53, 0xac], bytes(position >> 8, position & 0xff)),
        ),
      )
    const before = [seekHead(0), named, cluster(0, block(0))]
    const position = Buffer.concat(before).length
    const back = segment(seekHead(position), ...before.slice(1), tags)
    const head = back.subarray(0, back.length - tags.length)
    expect(tagsOffset(head)).toBe(back.indexOf(tags))
    expect(trackEnds(head, back.subarray(tagsOffset(head) ?? 0))).toEqual(ends)
    expect(tagsOffset(segment(named, cluster(0, block(0))))).toBeNull()
    expect(trackEnds(head, bytes(1, 2, 3))).toEqual(new Map())
  })

  it('know elements of unknown length', () => {
    expect(elementAt(bytes(0x1f, 0x43, 0xb6, 0x75, 0xff), 0)).toEqual({
      id: 0x1f43b675,
      start: 0,
      bodyStart: 5,
      end: null,
    })
    expect(elementAt(bytes(0xa3, 0x81, 7), 0)).toEqual({ id: 0xa3, start: 0, bodyStart: 2, end: 3 })
    expect(elementAt(bytes(0xa3, 0x08), 0)).toBeNull()
  })
})
