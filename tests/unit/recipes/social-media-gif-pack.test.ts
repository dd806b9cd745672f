import { expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import { probe, SECRET } from '#tests/fixtures/probes.ts'

it.each([
  [1080, 1080],
  [3840, 2160],
  [720, 1280],
])(
  'REC-03 each GIF of a video of %i by %i stays below 10 MB at its last try, whatever it shows',
  (width, height) => {
    const plan = findRecipe('social-media-gif-pack')?.plan(probe({ width, height }), undefined, {
      moments: [],
      assets: [],
      secret: SECRET,
    })
    if (plan?.ok !== true) throw new Error('no plan')
    for (const id of ['gif-square', 'gif-wide', 'gif-upright']) {
      const [best, ...smaller] = plan.value.steps.filter((step) => step.id.startsWith(id))
      expect(best?.skipWithin).toBeUndefined()
      for (const { skipWithin } of smaller)
        expect(skipWithin).toEqual({ name: `${id}.gif`, bytes: 10_000_000 })
      const last = smaller.at(-1)
      const printed = last === undefined ? '' : printArgs(last, () => '').join(' ')
      const [, w, h] = /crop=(\d+):(\d+)/.exec(printed) ?? []
      const frames = Math.ceil(((last?.outputDurationMs ?? Infinity) / 1000) * 12.5)
      // 12 bits for each pixel is the most that its codes can take.
      expect(Number(w) * Number(h) * frames * 1.5).toBeLessThan(10_000_000)
    }
  },
)
