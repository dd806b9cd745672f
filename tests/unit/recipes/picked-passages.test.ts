import { expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment } from '#recipes/types.ts'
import { probe } from '#tests/fixtures/probes.ts'

/** One shot in which something always moves. */
function lively(durationMs: number): readonly Moment[] {
  return Array.from({ length: Math.floor(durationMs / 1000) }, (_, index) => ({
    atMs: index * 1000,
    lengthMs: 1000,
    shows: 'lively' as const,
    score: 0.6,
    startsShot: index === 0,
    stillMs: index * 1000 + 500,
    likeness: (index % 16).toString(16).repeat(48),
  }))
}

it.each([
  ['teaser-15s', 16_200, 15_000, undefined],
  ['teaser-60s', 64_000, 60_000, undefined],
  ['team-skeet-trailer', 62_000, 60_000, undefined],
  ['tube-cut', 40_500, 40_000, { targetDuration: 40_000 }],
])(
  'REC-20 %s of a video that is hardly longer leaves out nothing that is too short to be seen',
  (slug, durationMs, lengthMs, payload) => {
    const recipe = findRecipe(slug)
    const source = probe({ durationMs, frameRate: 25 })
    const options = payload ?? recipe?.typicalPayload
    const line = recipe?.timeline?.(source, options, { moments: lively(durationMs) })
    if (line?.ok !== true) throw new Error(JSON.stringify(line))
    const passages = line.value
    for (const [index, { startMs }] of passages.slice(1).entries())
      expect(startMs - (passages[index]?.endMs ?? 0)).toBeGreaterThanOrEqual(250)
    const last = passages.at(-1)
    const end = (last?.outputStartMs ?? 0) + (last?.endMs ?? 0) - (last?.startMs ?? 0)
    expect(Math.abs(end - lengthMs)).toBeLessThanOrEqual(80)
  },
)
