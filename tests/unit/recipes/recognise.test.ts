import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planPrints, PRINT_BYTES, printParts, printSpans, STEP_MS } from '#recipes/picture-print.ts'
import { compareVideos, isSameVideo, type PrintSpan } from '#recipes/recognise.ts'

/** What a film shows at a time: brightness of each of the 16 by 9 parts. */
type Film = (atMs: number) => (column: number, row: number) => number

const room = (column: number, row: number) => 120 + 60 * Math.sin(column * 1.3 + row * row * 0.7)
/** A room in which something walks about its own way. */
const walk =
  (speed: number): Film =>
  (atMs) => {
    const x = 8 + 6 * Math.sin((atMs / 1000) * speed)
    const y = 4 + 3 * Math.sin((atMs / 1000) * speed * 1.618 + 2)
    return (column, row) => {
      const inside = Math.min(1, Math.max(0, 3 - Math.hypot(column - x, row - y)))
      return inside * 230 + (1 - inside) * room(column, row)
    }
  }
/** Another place every seven seconds. */
const scenes =
  (seed: number): Film =>
  (atMs) => {
    const place = seed * 100 + Math.floor(atMs / 7000)
    return (column, row) =>
      128 + 90 * Math.sin(column * (1 + (place % 7)) + row * (place % 11) + place * place)
  }

function pictureOf(film: Film, atMs: number): Uint8Array {
  const at = film(atMs)
  return Uint8Array.from({ length: PRINT_BYTES }, (_, index) => at(index % 16, index >> 4))
}
function known(film: Film, seconds: number): Uint8Array {
  const print = new Uint8Array(seconds * PRINT_BYTES)
  for (let second = 0; second < seconds; second += 1)
    print.set(pictureOf(film, second * 1000), second * PRINT_BYTES)
  return print
}
/** A new video: `change` of what the film shows, from `fromMs` on. */
function spansOf(
  film: Film,
  seconds: number,
  fromMs = 0,
  change: (value: number) => number = (value) => value,
): PrintSpan[] {
  return printSpans(seconds * 1000).map(({ startMs, durationMs }) => {
    const count = durationMs / STEP_MS
    const pictures = new Uint8Array(count * PRINT_BYTES)
    for (let at = 0; at < count; at += 1)
      pictures.set(pictureOf(film, fromMs + startMs + at * STEP_MS).map(change), at * PRINT_BYTES)
    return { startMs, pictures }
  })
}
const compare = async (print: Uint8Array, spans: readonly PrintSpan[]) =>
  await compareVideos(print, spans, async () => undefined)

describe('TRU-09 a held video is recognised by its pictures', () => {
  it.each([
    ['a film of many places', scenes(3)],
    ['one room', walk(0.9)],
  ])('%s: whole, cut out, brighter, and as a part of a longer one', async (_what, film) => {
    const print = known(film, 180)
    for (const spans of [
      spansOf(film, 180),
      spansOf(film, 60, 41_300),
      spansOf(film, 180, 0, (value) => value * 0.8 + 20),
      spansOf((atMs) => (atMs < 60_000 ? scenes(8)(atMs) : film(atMs - 60_000)), 200),
    ]) {
      const found = await compare(print, spans)
      expect(found && isSameVideo(found)).toBe(true)
    }
  })

  it('says where the copy begins', async () => {
    const found = await compare(known(walk(0.9), 180), spansOf(walk(0.9), 60, 41_200))
    expect(found?.offsetMs).toBe(41_200)
  })

  it.each([
    ['other places', scenes(3), scenes(4)],
    ['the same room at another time', walk(0.9), walk(1.37)],
    [
      'one cut between the same two rooms',
      (atMs: number) => (atMs < 90_000 ? walk(0.9)(atMs) : scenes(5)(0)),
      (atMs: number) => (atMs < 90_000 ? walk(1.37)(atMs) : scenes(5)(0)),
    ],
    ['nothing that moves', () => room, () => room],
    ['black', () => () => 16, () => () => 16],
    [
      'the same title of ten seconds',
      (atMs: number) => (atMs < 10_000 ? scenes(9)(atMs) : scenes(3)(atMs)),
      (atMs: number) => (atMs < 10_000 ? scenes(9)(atMs) : scenes(4)(atMs)),
    ],
  ])('is not taken for another one: %s', async (_what, film, other) => {
    const found = await compare(known(film, 180), spansOf(other, 180))
    expect(found !== null && isSameVideo(found)).toBe(false)
  })

  it('says nothing of a video that is too short to compare', async () => {
    expect(await compare(known(scenes(3), 180), spansOf(scenes(3), 4))).toBeNull()
  })

  it('lets other work in', async () => {
    let pauses = 0
    await compareVideos(known(scenes(3), 180), spansOf(scenes(3), 180), async () => {
      pauses += 1
    })
    expect(pauses).toBeGreaterThan(2)
  })
})

it('TRU-09 the whole of a video is read, parts that are spread over it first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 400, max: 20_000_000 }), (durationMs) => {
      const parts = printParts(durationMs)
      const sorted = parts.toSorted((a, b) => a.startMs - b.startMs)
      expect(sorted.map(({ startMs }) => startMs)).toEqual(sorted.map((_, index) => index * 60_000))
      expect(parts.reduce((sum, part) => sum + part.durationMs, 0)).toBe(durationMs)
      for (const { startMs, durationMs: lengthMs } of printSpans(durationMs))
        expect(startMs + lengthMs).toBeLessThanOrEqual(durationMs)
    }),
  )
  expect(
    printParts(3_600_000)
      .map(({ startMs }) => startMs / 60_000)
      .slice(0, 6),
  ).toEqual([0, 16, 32, 48, 8, 24])
  expect(planPrints([{ startMs: 0, durationMs: 60_000 }], 1000).maxBytes).toBe(62 * PRINT_BYTES)
})
