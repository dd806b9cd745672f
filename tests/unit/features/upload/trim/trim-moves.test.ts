import { describe, expect, it } from 'vitest'
import { readTime } from '#src/features/upload/trim/read-time.ts'
import { leapOf, moveEnd, stepEnd, wholeOf } from '#src/features/upload/trim/trim-moves.ts'
import type { Trim, TrimPlaces } from '#src/local/uploads/page/trim.ts'

/** A minute with a place every 2.5 s to begin at, and a picture every 20 ms to end behind. */
const STARTS = Array.from({ length: 24 }, (_, place) => place * 2500)
const places: TrimPlaces = {
  durationMs: 60_000,
  startsMs: STARTS,
  sizeOf: ({ fromMs, toMs }) => toMs - fromMs,
  snap: ({ fromMs, toMs }) => {
    const from = Math.min(Math.round(fromMs / 2500) * 2500, 57_500)
    return { fromMs: from, toMs: Math.max(from + 20, Math.round(toMs / 20) * 20) }
  },
}
const PART: Trim = { fromMs: 10_000, toMs: 20_000 }

describe('the handles of a trim', () => {
  it('NOW-02 go to the nearest place where the video can be cut', () => {
    expect(moveEnd(places, PART, 'fromMs', 3900)).toEqual({ fromMs: 5000, toMs: 20_000 })
    expect(moveEnd(places, PART, 'toMs', 30_008)).toEqual({ fromMs: 10_000, toMs: 30_000 })
  })

  it('NOW-02 stay within the video and do not pass each other', () => {
    expect(moveEnd(places, PART, 'fromMs', -1)).toEqual({ fromMs: 0, toMs: 20_000 })
    expect(moveEnd(places, PART, 'toMs', 99_000)).toEqual({ fromMs: 10_000, toMs: 60_000 })
    expect(moveEnd(places, PART, 'fromMs', 50_000)).toEqual(PART)
    expect(moveEnd(places, PART, 'toMs', 0)).toEqual({ fromMs: 10_000, toMs: 10_020 })
  })

  it('NOW-02 step over the places one by one, by leaps, and as far as they go', () => {
    expect(stepEnd(places, PART, 'fromMs', 1).fromMs).toBe(12_500)
    expect(stepEnd(places, PART, 'fromMs', -1).fromMs).toBe(7500)
    expect(stepEnd(places, PART, 'toMs', leapOf(places)).toMs).toBe(25_000)
    expect(stepEnd(places, PART, 'fromMs', Infinity).fromMs).toBe(17_500)
    expect(stepEnd(places, PART, 'fromMs', -Infinity).fromMs).toBe(0)
    expect(stepEnd(places, PART, 'toMs', Infinity).toMs).toBe(60_000)
    expect(stepEnd(places, PART, 'toMs', -Infinity).toMs).toBe(12_500)
    expect(stepEnd(places, wholeOf(places), 'toMs', 1)).toEqual({ fromMs: 0, toMs: 60_000 })
  })

  it('NOW-02 step past a place so near that it is none of its own', () => {
    const dense = { ...places, startsMs: [...STARTS, 12_400].toSorted((a, b) => a - b) }
    expect(stepEnd(dense, { ...PART, fromMs: 12_500 }, 'fromMs', -1).fromMs).toBe(10_000)
  })
})

describe('a typed time', () => {
  const typed = (end: keyof Trim, text: string) => readTime({ places, trim: PART, end }, text)

  it('NOW-02 moves its end, and is told where the video is cut instead', () => {
    expect(typed('fromMs', '0:07.5')).toEqual({
      ok: true,
      trim: { fromMs: 7500, toMs: 20_000 },
      note: null,
    })
    expect(typed('fromMs', '8')).toMatchObject({
      trim: { fromMs: 7500 },
      note: '0:07.5 is the nearest place to 0:08 where your video can be cut.',
    })
    expect(typed('toMs', '٣٠')).toMatchObject({ trim: { toMs: 30_000 }, note: null })
  })

  it.each([
    ['fromMs', 'soon', 'Please enter the time as minutes and seconds, for example 1:23.4.'],
    ['fromMs', '0:20', 'Please let it begin before 0:20, where it ends.'],
    ['toMs', '0:10', 'Please let it end after 0:10, where it begins.'],
    ['toMs', '1:01', 'Your video ends at 1:00.'],
  ] as const)('NOW-02 %s: %s is refused with a reason', (end, text, error) => {
    expect(typed(end, text)).toEqual({ ok: false, error })
  })
})
