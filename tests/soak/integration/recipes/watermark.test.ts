import { expect, it } from 'vitest'
import { MARK_SIZES, MARK_STRENGTHS } from '#recipes/dynamic-watermark/mark.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { renderKept } from '#tests/setup/kept-render.ts'
import { onGrounds } from '#tests/setup/picture-sources.ts'
import { legibilityOf } from '#tests/setup/watermark-figures.ts'

// `npm test` has the one that is hardest to read.
it.each(MARK_SIZES.flatMap((size) => MARK_STRENGTHS.map((strength) => [size, strength] as const)))(
  'DEL-03 a mark that is %s and %s can be read on a phone on white, black, grey and checks',
  async (size, strength) => {
    const facts = { durationMs: 6000, width: 640, height: 360, frameRate: 5 }
    const plan = findRecipe('dynamic-watermark')?.plan(
      probe({ ...facts, hasAudio: false, audioCodec: null }),
      { text: 'someonesname', size, strength },
      { moments: [], assets: [], secret: SECRET },
    )
    if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
    const made = await renderKept(plan.value, { source: await onGrounds('640x360') })
    for (const [ground, shown] of await legibilityOf(made['dynamic-watermark.mp4'] ?? '')) {
      expect(shown.readable, ground).toBeGreaterThan(0.9)
      expect(shown.heightPx, ground).toBeGreaterThanOrEqual(6)
    }
  },
)
