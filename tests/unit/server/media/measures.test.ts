import { describe, expect, it, vi } from 'vitest'
import { createMeasures, type Measured } from '#server/media/measures.ts'

const FOUND: Measured = { durationMs: 61_000, hasAudio: true }

interface Run {
  readonly key: string
  readonly end: (found: Measured | null) => void
}

/** Measurements that end when the test says so. */
function world(atOnce = 2) {
  const runs: Run[] = []
  let now = 0
  const measures = createMeasures({
    atOnce,
    patienceMs: 8_000,
    restMs: 30_000,
    clock: () => new Date(now),
  })
  const ask = (key: string): Promise<Measured | null> =>
    measures.share(
      key,
      () =>
        new Promise((resolve) => {
          runs.push({ key, end: resolve })
        }),
    )
  return {
    measures,
    ask,
    runs,
    keys: () => runs.map(({ key }) => key),
    pass: (ms: number) => {
      now += ms
    },
  }
}

/** Lets promises settle. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

describe('measures for prices', () => {
  it('JOB-04 one run answers all who ask of the same file at once', async () => {
    const { ask, runs, keys } = world()
    const asked = Array.from({ length: 20 }, () => ask('a'))
    await settle()
    expect(keys()).toEqual(['a'])
    runs[0]?.end(FOUND)
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 20 }, () => FOUND))
  })

  it('JOB-04 never runs more at once than allowed, and goes on in the order of asking', async () => {
    const { ask, runs, keys } = world(2)
    const asked = ['a', 'b', 'c', 'd'].map(ask)
    await settle()
    expect(keys()).toEqual(['a', 'b'])
    runs[1]?.end(FOUND)
    await settle()
    expect(keys()).toEqual(['a', 'b', 'c'])
    runs[0]?.end(FOUND)
    await settle()
    expect(keys()).toEqual(['a', 'b', 'c', 'd'])
    for (const { end } of runs) end(FOUND)
    expect(await Promise.all(asked)).toEqual([FOUND, FOUND, FOUND, FOUND])
  })

  it('gives the place back when a run fails', async () => {
    const { measures, ask, runs } = world(1)
    await expect(measures.share('a', () => Promise.reject(new Error('gone')))).rejects.toThrow(
      'gone',
    )
    const next = ask('a')
    await settle()
    runs[0]?.end(FOUND)
    expect(await next).toEqual(FOUND)
  })

  it('does not keep anybody waiting for a place longer than patience lasts', async () => {
    vi.useFakeTimers()
    try {
      const { ask, keys } = world(1)
      void ask('a')
      const second = ask('b')
      await vi.advanceTimersByTimeAsync(8_000)
      expect(await second).toBeNull()
      expect(keys()).toEqual(['a'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not measure a file again and again that could not be measured', async () => {
    const { ask, runs, keys, pass } = world()
    const first = ask('a')
    await settle()
    runs[0]?.end(null)
    expect(await first).toBeNull()
    expect(await ask('a')).toBeNull()
    expect(keys()).toEqual(['a'])
    pass(30_000)
    void ask('a')
    await settle()
    expect(keys()).toEqual(['a', 'a'])
  })
})
