import { expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { RecipePlan } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { sceneClip, SCENES_S } from '#tests/integration/recipes/clip.ts'
import { similarity, streamsOf } from '#tests/integration/recipes/measure.ts'
import { keptMoments, renderKept } from '#tests/setup/kept-render.ts'

// Like the preview of a teaser, which `npm test` compares.
it('the preview of a tube cut shows each passage as the finished edit does, at 480p', async () => {
  const RATE = 15
  const facts = { width: 960, height: 540, frameRate: RATE, fileName: 'My scene.mp4' }
  const source = probe({ ...facts, durationMs: SCENES_S * 1000 })
  const clip = await sceneClip({ size: '960x540', rate: RATE })
  const moments = await keptMoments(source, clip)
  const recipe = findRecipe('tube-cut')
  const payload = { targetDuration: 12_000 }
  const fileOf = async (
    plan: { readonly ok: true; readonly value: RecipePlan } | { readonly ok: false } | undefined,
  ): Promise<string | undefined> => {
    if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
    return (await renderKept(plan.value, { source: clip }))['tube-cut.mp4']
  }
  const full = await fileOf(recipe?.plan(source, payload, { moments, assets: [], secret: SECRET }))
  const passages = recipe?.timeline?.(source, payload, { moments })
  if (passages?.ok !== true) throw new Error(JSON.stringify(passages))
  expect(passages.value.length).toBeGreaterThan(0)
  for (const { startMs, endMs, output, outputStartMs } of passages.value) {
    const window = { startMs, durationMs: endMs - startMs, output }
    const made = await fileOf(recipe?.preview?.(source, payload, window, { secret: SECRET }))
    const { durationS, video, audio } = await streamsOf(made)
    expect(durationS).toBeLessThan(3.1)
    expect(video).toMatchObject({ codec_name: 'h264', width: 852, height: 480 })
    expect(audio).toMatchObject({ codec_name: 'aac' })
    // The first and last half second belong to fades.
    const places = [
      { path: made, atS: 0.5 },
      { path: full, atS: outputStartMs / 1000 + 0.5 },
    ] as const
    expect(await similarity(...places, Math.min(3, durationS) - 1)).toBeGreaterThan(0.95)
  }
})
