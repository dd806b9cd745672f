import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsToLookAt, searchMoments, type AnalysisRunner } from '#recipes/analysis.ts'
import { createPacketReader, type PacketSurvey } from '#recipes/analysis-packets.ts'
import { LOOK_BYTES, LOOK_HEIGHT, LOOK_WIDTH } from '#recipes/analysis-picture.ts'
import { readLevels } from '#recipes/analysis-sound.ts'
import type { Moment } from '#recipes/types.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { runs } from '#tests/seeds.ts'

const HOURS = 3_600_000
const nothing: PacketSurvey = { keysMs: [], largeMs: [], sizes: [] }

/** What `framecrc` prints of a picture at 25 a second. */
const packet = (index: number, bytes: number, isKey: boolean): string =>
  `0, ${index - 2}, ${index}, 1, ${bytes}, 0x1${isKey ? '' : ', F=0x0'}\n`

describe('reading what the runs print', () => {
  it('REC-20 finds key frames, sizes and large pictures in text that comes in any pieces', () => {
    const all = Array.from({ length: 100 }, (_, index) =>
      packet(index, index === 60 ? 900 : 100, index % 50 === 0),
    ).join('')
    const text = `#tb 0: 1/25\n#media_type 0: video\n${all}`
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (size) => {
        const reader = createPacketReader()
        for (let at = 0; at < text.length; at += size) reader.read(text.slice(at, at + size))
        const survey = reader.survey()
        expect(survey.keysMs).toEqual([0, 2000])
        expect(survey.largeMs).toEqual([2400])
        expect(survey.sizes).toHaveLength(8)
        expect(survey.sizes[0]).toBe(100)
      }),
      { numRuns: runs(20) },
    )
  })

  it('survives any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const reader = createPacketReader()
        reader.read(`${text}\n#tb 0: 1/25\n${packet(3, 10, true)}${text}`)
        expect(reader.survey().keysMs).toEqual([120])
        expect(Array.isArray(readLevels(text))).toBe(true)
      }),
    )
    const level = 'frame:4 pts:1 pts_time:0.4\nlavfi.astats.Overall.RMS_level='
    expect(readLevels(`${level}-20.5\n${level}-inf\n${level}-1`)).toEqual([
      { atMs: 400, loudness: -20.5 },
      { atMs: 400, loudness: -120 },
      { atMs: 400, loudness: -1 },
    ])
  })
})

describe('which parts are looked at', () => {
  it('REC-20 all of a short source, divided at key frames', () => {
    const parts = partsToLookAt(probe(), { ...nothing, keysMs: [0, 57_000, 61_000, 110_000] })
    expect(parts.toSorted((a, b) => a.startMs - b.startMs).slice(0, 3)).toEqual([
      { startMs: 0, durationMs: 57_000 },
      { startMs: 57_000, durationMs: 53_000 },
      { startMs: 110_000, durationMs: 60_000 },
    ])
    expect(parts.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBe(600_000)
  })

  it('REC-20 eight minutes of two hours, spread over all of it, where most moves', () => {
    const keysMs = Array.from({ length: 1440 }, (_, index) => index * 5000)
    const sizes = Array.from({ length: 14_400 }, (_, index) => (index % 180 > 130 ? 900 : 100))
    const parts = partsToLookAt(probe({ durationMs: 2 * HOURS }), { ...nothing, keysMs, sizes })
    expect(parts).toHaveLength(80)
    expect(parts.every(({ startMs }) => startMs % 5000 === 0)).toBe(true)
    expect(parts.every(({ startMs }) => startMs % 90_000 >= 60_000)).toBe(true)
    // What was looked at when the search must end early is spread, too.
    const early = parts.slice(0, 10).map(({ startMs }) => startMs / 720_000)
    expect(new Set(early.map(Math.floor)).size).toBeGreaterThan(7)
    expect(
      partsToLookAt(probe({ durationMs: 2 * HOURS, width: 3840, height: 2160 }), nothing),
    ).toHaveLength(20)
  })
})

/** A picture of stripes that stand at `shift`; 0 contrast is black. */
function picture(shift: number, contrast: number): Uint8Array {
  const bytes = new Uint8Array(LOOK_BYTES).fill(128)
  for (let at = 0; at < LOOK_WIDTH * LOOK_HEIGHT; at += 1) {
    const x = at % LOOK_WIDTH
    const stripe = Math.sin(((x + shift) / 20) * Math.PI)
    bytes[at] = contrast === 0 ? 16 : Math.round(110 + contrast * stripe)
  }
  return bytes
}

/** Twenty seconds: ten in which stripes move, five in which they stand, five of black. */
const twentySeconds: AnalysisRunner = (run) => {
  if (run.kind === 'survey') return Promise.resolve(new Uint8Array())
  const pictures = Array.from({ length: 120 }, (_, index) => {
    if (index < 60) return picture(index, 50)
    return index < 90 ? picture(20, 90) : picture(0, 0)
  })
  return Promise.resolve(Buffer.concat(pictures))
}

describe('moments', () => {
  const shown = (moments: readonly Moment[], fromMs: number, toMs: number): Set<string> =>
    new Set(
      moments
        .filter(({ atMs, lengthMs }) => atMs >= fromMs && atMs + lengthMs <= toMs)
        .map(({ shows }) => shows),
    )

  it('REC-20 say what moves, what stands still and what is black, and end where a cut is', async () => {
    const moments = await searchMoments(probe({ durationMs: 20_000 }), twentySeconds)
    expect(shown(moments, 300, 9700)).toEqual(new Set(['lively']))
    expect(shown(moments, 10_300, 14_700)).toEqual(new Set(['still']))
    expect(shown(moments, 15_300, 20_000)).toEqual(new Set(['black']))
    const cuts = moments.filter(({ startsShot }) => startsShot).map(({ atMs }) => atMs)
    expect(cuts).toHaveLength(3)
    for (const [index, atMs] of [0, 10_000, 15_000].entries())
      expect(Math.abs((cuts[index] ?? 0) - atMs)).toBeLessThan(200)
    for (const [index, { atMs, lengthMs }] of moments.entries()) {
      expect(lengthMs).toBeLessThanOrEqual(1100)
      expect(atMs + lengthMs).toBeLessThanOrEqual(moments[index + 1]?.atMs ?? Infinity)
    }
  })

  it('REC-20 tell of parts that were not looked at how large their packets are', async () => {
    const moments = await searchMoments(probe({ durationMs: HOURS / 2 }), (run, onText) => {
      if (run.kind === 'survey') {
        const bytes = (index: number): number => (index % 25 === 0 || index < 22_500 ? 900 : 100)
        onText('#tb 0: 1/25\n')
        for (let index = 0; index < 45_000; index += 1)
          onText(packet(index, bytes(index), index % 25 === 0))
        return Promise.resolve(new Uint8Array())
      }
      return Promise.resolve(Buffer.concat([picture(0, 50), picture(9, 50), picture(18, 50)]))
    })
    const unseen = moments.filter(({ shows }) => shows === 'unseen')
    expect(unseen.length).toBeGreaterThan(200)
    const early = unseen.filter(({ atMs }) => atMs < 850_000).map(({ score }) => score)
    const late = unseen.filter(({ atMs }) => atMs > 950_000).map(({ score }) => score)
    expect(Math.min(...early)).toBeGreaterThan(Math.max(...late))
  })

  it('DEL-02 show people who turn away, or are seen in every second picture only, in all of a shot', async () => {
    const face = { left: 0.4, top: 0.3, right: 0.5, bottom: 0.5 }
    const moments = await searchMoments(probe({ durationMs: 20_000 }), twentySeconds, {
      findFaces: (pictures) =>
        Promise.resolve(pictures.map((_, index) => (index < 10 && index % 2 === 1 ? [face] : []))),
    })
    const peopleIn = (fromMs: number, toMs: number): readonly boolean[] =>
      moments
        .filter(({ atMs, lengthMs }) => atMs >= fromMs && atMs + lengthMs <= toMs)
        .map(({ heads = '' }) => heads !== '')
    expect(new Set(peopleIn(0, 9900))).toEqual(new Set([true]))
    // None in the shots after it.
    expect(new Set(peopleIn(10_100, 20_000))).toEqual(new Set([false]))
  })

  it('are none where nothing could be read', async () => {
    expect(await searchMoments(probe(), () => Promise.resolve(new Uint8Array()))).toEqual([])
    expect(await searchMoments(probe(), () => Promise.resolve(null))).toEqual([])
  })
})
