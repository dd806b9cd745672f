import { describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { boundedStep } from '#server/media/bounds.ts'
import {
  heaviestOf,
  refuseLoad,
  refuseSparse,
  searchCpuSeconds,
  stepCpuSeconds,
} from '#server/media/cost.ts'
import { SECRET, payloads, probe } from '#tests/fixtures/probes.ts'

describe('TRU-01 what a video may cost', () => {
  it.each([
    ['a phone', 3840 * 2160, 60, 50e6],
    ['8K of a camera', 8192 * 4320, 60, 400e6],
    ['a still screen in 4K', 3840 * 2160, 60, 400e3],
    ['a still picture for an hour', 3840 * 2160, 25, 2e3],
    ['slow motion', 1920 * 1080, 240, 40e6],
  ])('TRU-01 %s is taken', (_title, pixelsPerPicture, picturesPerSecond, bitsPerSecond) => {
    expect(refuseLoad({ pixelsPerPicture, picturesPerSecond, bitsPerSecond })).toBeNull()
  })

  it.each([
    ['more than 8K', 8192 * 8192, 10, 100e6, /larger than 8K/],
    ['a thousand pictures a second', 64 * 64, 1000, 1e6, /more than 480 pictures/],
    ['8K at 120', 8192 * 4320, 120, 800e6, /larger and faster/],
    ['8K of nothing', 8192 * 4096, 30, 60e3, /than its file has data for/],
  ])(
    'TRU-01 %s is refused with a sentence',
    (_title, pixelsPerPicture, picturesPerSecond, bitsPerSecond, words) => {
      expect(refuseLoad({ pixelsPerPicture, picturesPerSecond, bitsPerSecond })).toMatch(words)
    },
  )

  it('TRU-01 pictures that are too few for any edit are refused with a sentence', () => {
    const load = { pixelsPerPicture: 64 * 64, bitsPerSecond: 1e3 }
    expect(refuseSparse({ ...load, picturesPerSecond: 0.49 })).toMatch(/less than one picture/)
    expect(refuseSparse({ ...load, picturesPerSecond: 0.5 })).toBeNull()
  })

  it('TRU-01 processor time follows length, size and rate of the heaviest file', () => {
    const step = (source: ReturnType<typeof probe>): number => {
      const plan = recipes['dynamic-watermark']?.plan(source, payloads['dynamic-watermark'], {
        moments: [],
        assets: [],
        secret: SECRET,
      })
      const first = plan?.ok === true ? plan.value.steps[0] : undefined
      if (first === undefined) throw new Error('no plan')
      return stepCpuSeconds({ ...first, ...boundedStep(first, source) }, heaviestOf(source, []))
    }
    const minute = step(probe({ durationMs: 60_000 }))
    // Pure noise of 1080p took 385 s a minute when the rates were measured.
    expect(minute).toBeGreaterThan(2 * 385)
    expect(minute).toBeLessThan(4 * 385)
    expect(step(probe({ durationMs: 600_000 })) / minute).toBeCloseTo(10, 0)
    expect(step(probe({ durationMs: 60_000, width: 3840, height: 2160 })) / minute).toBeCloseTo(
      4,
      0,
    )
    expect(step(probe({ durationMs: 60_000, width: 128, height: 72, frameRate: 25 }))).toBeLessThan(
      45,
    )
    const intro = { probe: probe({ width: 3840, height: 2160, frameRate: 0 }) }
    expect(heaviestOf(probe({ width: 640, height: 360 }), [intro])).toEqual({
      pixelsPerPicture: 3840 * 2160,
      picturesPerSecond: 30,
    })
  })

  it('TRU-01 a still of a day costs no more than the pictures around it', () => {
    const day = probe({ durationMs: 86_400_000, width: 3840, height: 2160, frameRate: 60 })
    const plan = recipes['still-pack']?.plan(day, payloads['still-pack'], {
      moments: [],
      assets: [],
      secret: SECRET,
    })
    if (plan?.ok !== true) throw new Error('no plan')
    for (const step of plan.value.steps.filter(({ id }) => id !== 'contact-sheet'))
      expect(
        stepCpuSeconds({ ...step, ...boundedStep(step, day) }, heaviestOf(day, [])),
      ).toBeLessThan(1800)
  })

  it('TRU-01 a search for moments ends within four minutes of processor time, and sooner for a small file', () => {
    const film = probe({ durationMs: 7_200_000 })
    expect(searchCpuSeconds(film, 8e9)).toBe(240)
    expect(searchCpuSeconds(film, 400_000)).toBeLessThan(31)
    expect(searchCpuSeconds(probe({ durationMs: 60_000 }), 90e6)).toBeLessThan(70)
    expect(searchCpuSeconds(probe({ durationMs: 3000, width: 128, height: 72 }), 9e6)).toBeLessThan(
      31,
    )
  })
})
