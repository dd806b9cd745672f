import { describe, expect, it } from 'vitest'
import { enoughRead } from '#server/media/measure-packets.ts'
import { createPacketClock, type PacketMeasure } from '#server/media/packet-clock.ts'

const PICTURE = 0
const SOUND = 1

const lengthOf = (lines: readonly string[], hasGapsClosed = false): PacketMeasure | string => {
  const clock = createPacketClock({ streamIndex: PICTURE, soundIndex: SOUND }, hasGapsClosed)
  for (const line of lines) clock.add(line)
  const read = clock.read()
  return read.ok ? read.value : read.error.code
}
/** Pictures 40 ms apart from `fromS` on, without pieces of an edit list. */
const pictures = (count: number, fromS = 0): string[] =>
  Array.from({ length: count }, (_, index) => {
    const at = (fromS + index * 0.04).toFixed(6)
    return `video,0,${at},${at},0.040000,900,__`
  })
const keyed = ([first = '', ...others]: readonly string[]): string[] => [
  first.replace('__', 'K_'),
  ...others,
]
const sound = (fromS: number, untilS: number): string[] => [
  `audio,1,${fromS},${fromS},0.021333,90,K_`,
  `audio,1,${untilS - 0.021333},${untilS - 0.021333},0.021333,90,K_`,
]

describe('TRU-01 the length that the packets have', () => {
  it.each([
    ['the picture alone', pictures(1500), 60_000],
    ['sound that outlasts it', [...pictures(1500), ...sound(0, 60.06)], 60_000],
    [
      'a picture moved back by the sound before it',
      [...pictures(1500, 0.021), ...sound(0, 60)],
      60_000,
    ],
    ['a picture that starts late', [...pictures(1500, 3), ...sound(0, 63)], 60_000],
    ['a picture that is held for its sound', [...pictures(50), ...sound(0, 600)], 600_000],
    ['a second of sound behind the picture', [...pictures(50), ...sound(0, 3)], 2000],
    ['pieces that an edit list hides', ['video,0,-1.0,-1.0,0.04,9,KD', ...pictures(25)], 1000],
    [
      'packets that are only decoded in order',
      ['video,0,N/A,0.0,0.04,9,K_', 'video,0,N/A,0.96,0.04,9,__'],
      1000,
    ],
    [
      'a last packet without a length',
      ['video,0,0.0,0.0,N/A,9,K_', 'video,0,0.5,0.5,N/A,9,__'],
      1000,
    ],
    ['a long hole', [...pictures(25), ...pictures(25, 700)], 701_000],
    [
      'lines of something else',
      ['', 'data,2,900.0,900.0,1.0,9,K_', ...pictures(25), 'side data'],
      1000,
    ],
  ])('TRU-01 %s', (_title, lines, lengthMs) => {
    expect(lengthOf(lines)).toMatchObject({ lengthMs })
  })

  const hide = (lines: readonly string[]): string[] => lines.map((line) => line.replace('__', '_D'))
  it.each([
    ['nothing', pictures(50), false],
    ['what comes before the first picture', [...hide(pictures(5, -0.2)), ...pictures(50)], false],
    ['two pictures behind the end', [...pictures(50), ...hide(pictures(2, 2))], false],
    ['much behind the end', [...pictures(50), ...hide(pictures(20, 2))], true],
    [
      'what leads to a second piece',
      [...pictures(25), ...hide(pictures(5, 0.8)), ...pictures(25, 1)],
      true,
    ],
  ])('REC-27 a copy would show what an edit list hides: %s', (_title, lines, hidesPictures) => {
    expect(lengthOf(lines)).toMatchObject({ hidesPictures })
  })

  it('TRU-01 refuses a jump of the clock where ffmpeg would leave the gap out', () => {
    const jumps = [...pictures(25), ...pictures(25, 700)]
    expect(lengthOf(jumps, true)).toBe('media/clock-jumps')
    expect(lengthOf([...pictures(25), ...pictures(25, 10.9)], true)).toMatchObject({
      lengthMs: 11_900,
    })
  })

  it('TRU-01 says when everything ends, so that a copy that broke off is seen', () => {
    expect(lengthOf([...pictures(250), ...sound(0, 20)])).toMatchObject({
      lengthMs: 20_000,
      endMs: 20_000,
      packets: 250,
      bytes: 225_000,
    })
  })

  it('TRU-01 refuses times that begin again, and takes pictures that are stored out of order', () => {
    expect(lengthOf([...pictures(300), ...pictures(300)])).toBe('media/clock-restarts')
    const slow = [0, 16, 4, 8, 12, 32, 20, 24, 28].map((at) => `video,0,${at}.0,N/A,4.0,9,__`)
    expect(lengthOf(slow)).toMatchObject({ lengthMs: 36_000 })
    expect(lengthOf(['audio,1,0.0,0.0,1.0,9,K_'])).toBe('media/no-packets')
  })
})

describe('REC-22 the rhythm that the packets have', () => {
  const rateOf = (timesMs: readonly number[]): unknown => {
    const read = lengthOf(timesMs.map((at) => `video,0,${at / 1000},${at / 1000},N/A,9,__`))
    return typeof read === 'string' ? read : read.evenRate
  }
  const counted = (count: number, timeOf: (index: number) => number): readonly number[] =>
    Array.from({ length: count }, (_, index) => timeOf(index))

  it('REC-22 is that of the camera where it left pictures out', () => {
    const kept = counted(700, (index) => (index * 1000) / 30).filter((_, index) => index % 7 < 6)
    expect(rateOf(kept)).toBeCloseTo(30, 3)
  })

  it('REC-22 is found in whole milliseconds, out of order, and at the end of a short file', () => {
    expect(rateOf(counted(600, (index) => Math.round((index * 1000) / 60)))).toBeCloseTo(60, 0)
    const reordered = counted(25, (index) => index * 4).flatMap((group) =>
      [0, 3, 1, 2].map((step) => (group + step) * 40),
    )
    expect(rateOf(reordered)).toBeCloseTo(25, 6)
    expect(rateOf([0, 50, 100])).toBeCloseTo(20, 6)
  })

  it('REC-22 is none where every picture waits for another time', () => {
    expect(rateOf([0, 20, 100, 340, 1000, 1030, 5000])).toBeNull()
    expect(rateOf([0])).toBeNull()
  })
})

describe('SRC-02 what edits must know of when picture and sound are shown', () => {
  it.each([
    ['an ordinary picture', [...pictures(50), ...sound(0, 2)], [0, 40, true]],
    ['no sound', pictures(50), [0, 40, null]],
    ['a gap', [...pictures(25), ...pictures(25, 8)], [0, 7040, null]],
    ['a last picture that is held', [...pictures(50), ...sound(0, 600)], [0, 598_040, true]],
    ['a late picture', [...pictures(50, 0.6), ...sound(0, 2.6)], [600, 40, true]],
    ['late sound', [...pictures(50), ...sound(0.3, 2)], [0, 40, false]],
    ['sound that ends early', [...pictures(50), ...sound(0, 1.8)], [0, 40, false]],
    ['sound that goes on a little', [...pictures(50), ...sound(0, 2.2)], [0, 40, false]],
  ])('SRC-02 %s', (_title, lines, [pictureStartMs, longestStayMs, soundFits]) => {
    expect(lengthOf(lines)).toMatchObject({ pictureStartMs, longestStayMs, soundFits })
  })
})

describe('SRC-07 where a recording begins that was taken anywhere', () => {
  it.each([
    ['at its first key frame', [...pictures(15), ...keyed(pictures(50, 0.6))], 600, false],
    ['not where there is no picture', [...pictures(15), ...keyed(pictures(50, 9))], 9000, false],
    [
      'not with pictures of an open group',
      [...keyed(pictures(1, 0.08)), ...pictures(2), ...pictures(49, 0.12)],
      80,
      true,
    ],
    ['as it is where it has no key frame', pictures(50), 0, true],
  ])('SRC-07 %s', (_title, lines, pictureStartMs, startsWithoutKey) => {
    const about = { pictureStartMs, longestStayMs: 40, startsWithoutKey, lengthMs: 2000 }
    expect(lengthOf([...lines, ...sound(0, 2 + pictureStartMs / 1000)], true)).toMatchObject(about)
  })

  it('SRC-07 a jump before its first key frame is one', () => {
    const lines = [...pictures(15), ...keyed(pictures(50, 12))]
    expect(lengthOf(lines, true)).toBe('media/clock-jumps')
  })

  it('SRC-07 nothing is left out by an index, which may not name its first key frame', () => {
    const lines = [...pictures(15), ...keyed(pictures(35, 0.6))]
    const about = { pictureStartMs: 0, lengthMs: 2000, startsWithoutKey: true }
    expect(lengthOf(lines)).toMatchObject(about)
    const [hidden = ''] = keyed(pictures(1, -0.4))
    expect(lengthOf([hidden.replace('K_', 'KD'), ...pictures(50)])).toMatchObject({
      ...about,
      startsWithoutKey: false,
    })
  })
})

describe('REC-27 the time between key frames', () => {
  const gapOf = (keysAt: readonly number[], isBroadcast = true): number | null => {
    const clock = createPacketClock({ streamIndex: PICTURE, soundIndex: null }, isBroadcast)
    for (const [index, line] of pictures(250).entries())
      clock.add(keysAt.includes(index) ? line.replace('__', 'K_') : line)
    const read = clock.read()
    return read.ok ? read.value.keyGapMs : Number.NaN
  }
  it.each([
    ['is the longest', [0, 50, 175, 225], 5000],
    ['does not count what is left out before the first', [150, 225], 3000],
    ['counts what is behind the last', [0, 25, 50], 8000],
    ['is all of it where there is none', [], 10_000],
  ])('%s', (_name, keysAt, expected) => {
    expect(gapOf(keysAt)).toBe(expected)
  })

  it('REC-27 is not asked of formats whose index says which they are', () => {
    expect(gapOf([0, 50], false)).toBeNull()
  })
})

describe('TRU-03 how many packets are enough', () => {
  const soFar = { packets: 1000, bytes: 1e6, longestS: 40 }
  const GB = 1e9
  it.each([
    ['an ordinary file', {}, 1e6, null],
    ['a short clip that is shown sixty times', { bytes: 60e6, packets: 36_000 }, 1e6, null],
    ['sound in the packets of the picture too', { bytes: 10.6 * GB, packets: 1e6 }, 10 * GB, null],
    ['a day of a still screen', { packets: 4.5e6, bytes: 45e6, longestS: 86_400 }, 60e6, null],
    ['the same bytes again and again', { bytes: 100e6 }, 1e6, 'too-much'],
    ['packets without bytes', { packets: 2e6, bytes: 0 }, 1e6, 'too-much'],
    ['more than a day', { longestS: 90_000 }, 1e6, 'too-long'],
  ])('TRU-03 %s', (_title, change, sizeBytes, enough) => {
    expect(enoughRead({ ...soFar, ...change }, sizeBytes)).toBe(enough)
  })

  it('TRU-03 counts what an edit list hides, and no subtitles', () => {
    const clock = createPacketClock({ streamIndex: PICTURE, soundIndex: null })
    for (const line of ['video,0,-1.0,-1.0,0.04,9,KD', 'subtitle,2,0.0,0.0,1.0,7,K_'])
      clock.add(line)
    for (const line of pictures(25)) clock.add(line)
    expect(clock.soFar()).toMatchObject({ packets: 26, bytes: 9 + 25 * 900, longestS: 1 })
  })
})
