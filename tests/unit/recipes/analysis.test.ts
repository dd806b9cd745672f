import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTooSparse, momentsFrom, planAnalysis, planDenseAnalysis } from '#recipes/analysis.ts'
import { readMetadata } from '#recipes/analysis-text.ts'
import { probe } from '#tests/fixtures/probes.ts'

const picture = (atS: number, luma: number, scene: number): string =>
  [
    `frame:0    pts:${atS * 1000}    pts_time:${atS}`,
    `lavfi.scene_score=${scene}`,
    `lavfi.signalstats.YAVG=${luma}`,
    'lavfi.signalstats.SATAVG=40',
    'lavfi.blur=3.2',
    '',
  ].join('\n')

describe('reading the analysis', () => {
  it('gives brightness, sharpness and scene starts in order of time', () => {
    const [run] = planAnalysis(probe())
    if (run === undefined) throw new Error('no run')
    const moments = momentsFrom(probe(), [
      { run, stdout: picture(8, 16, 0.1) + picture(4, 126, 0.6) },
    ])
    expect(moments).toMatchObject([
      { atMs: 4000, sceneStart: true },
      { atMs: 8000, sceneStart: false, brightness: 0 },
    ])
    expect(moments[0]?.brightness).toBeCloseTo(0.5, 1)
    expect(moments[0]?.score).toBeGreaterThan(moments[1]?.score ?? 1)
  })

  it('survives any text, and progress lines in between', () => {
    expect(
      readMetadata(`out_time=1\n${picture(1, 100, 0.5)}progress=continue\nlavfi.blur=`),
    ).toHaveLength(1)
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(Array.isArray(readMetadata(text + picture(1, 100, 0.5) + text))).toBe(true)
      }),
    )
  })

  it('looks at single places of long sources, at most 240', () => {
    expect(planAnalysis(probe({ durationMs: 14_400_000 }))).toHaveLength(240)
    expect(planAnalysis(probe({ durationMs: 1_260_000 }))).toHaveLength(120)
    expect(planAnalysis(probe({ hasAudio: false }))).toHaveLength(1)
  })

  it('takes a second look when key frames are rare', () => {
    expect(isTooSparse(probe(), [])).toBe(true)
    expect(isTooSparse(probe({ durationMs: 14_400_000 }), [])).toBe(false)
    expect(planDenseAnalysis(probe()).map((run) => run.kind)).toEqual(['picture', 'sound'])
  })
})
