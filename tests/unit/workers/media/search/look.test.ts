import { describe, expect, it } from 'vitest'
import { disposableOf } from '#workers/media/search/disposable.ts'
import { createLevelMeter } from '#workers/media/search/hear-levels.ts'
import { shrinkArea } from '#workers/media/search/shrink-area.ts'

describe('what a look of the device is made of', () => {
  it('NOW-04 leaves out pictures of H.264 on which no other depends, however they are divided', () => {
    // A parameter set, then a slice: of a picture that others need, or that none needs.
    const needed = [0x67, 0x41]
    const free = [0x67, 0x01]
    const key = [0x67, 0x65]
    const byLength = (headers: readonly number[]) =>
      Uint8Array.from(headers.flatMap((header) => [0, 2, header, 9]))
    const byCode = (headers: readonly number[]) =>
      Uint8Array.from(headers.flatMap((header) => [0, 0, 0, 1, header, 9]))
    // The fifth byte says that lengths have two bytes.
    const counted = disposableOf('avc1.640028', Uint8Array.from([1, 100, 0, 40, 0xfd]))
    const coded = disposableOf('avc3.640028', undefined)
    expect([needed, free, key].map((each) => counted(byLength(each)))).toEqual([false, true, false])
    expect([needed, free, key].map((each) => coded(byCode(each)))).toEqual([false, true, false])
    expect(disposableOf('hvc1.1.6.L93', undefined)(byCode(free))).toBe(false)
    expect(counted(new Uint8Array(0))).toBe(false)
  })

  it('NOW-04 shrinks to the mean of what lies under each pixel, also between two and of ten bits', () => {
    const into = (width: number) => ({ width, height: 1, bytes: new Uint8Array(width) })
    const plane = { offset: 0, stride: 3, step: 1, width: 3, height: 2, unit: 1 } as const
    const small = into(2)
    shrinkArea({ ...plane, values: Uint8Array.from([10, 40, 100, 20, 50, 110]) }, small)
    expect([...small.bytes]).toEqual([25, 85])
    const wide = into(1)
    const values = Uint16Array.from([400, 0, 800, 0, 400, 0, 800, 0])
    shrinkArea({ ...plane, values, stride: 4, step: 2, width: 2, unit: 1 / 4 }, wide)
    expect([...wide.bytes]).toEqual([150])
  })

  it('NOW-04 hears tenths of a second, over the ends of samples, from the start of the part on', () => {
    const meter = createLevelMeter()
    // A tone of 500 Hz whose first half is ten times as loud, in samples of 1024.
    const tone = Float32Array.from({ length: 44_200 }, (_, at) =>
      Math.fround((at < 22_050 ? 0.5 : 0.05) * Math.sin((at * 2 * Math.PI * 500) / 44_100)),
    )
    for (let at = 0; at < tone.length; at += 1024) {
      const channel = tone.subarray(at, at + 1024)
      meter.add([channel, channel], 44_100, (at * 1000) / 44_100 - 100)
    }
    const levels = meter.levels()
    expect(levels.map(({ atMs }) => atMs)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800])
    for (const [index, { loudness }] of levels.entries())
      if (index !== 4) expect(loudness).toBeCloseTo(index < 4 ? -9.03 : -29.03, 0)
  })

  it('NOW-04 hears silence as the server does', () => {
    const meter = createLevelMeter()
    meter.add([new Float32Array(4800)], 48_000, 0)
    expect(meter.levels()).toEqual([{ atMs: 0, loudness: -120 }])
  })
})
