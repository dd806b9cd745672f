import { describe, expect, it } from 'vitest'
import { searchMoments } from '#recipes/analysis.ts'
import { recipes } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import { boundedRun, boundedStep, plannedResultMs } from '#server/media/bounds.ts'
import { SECRET, assets, payloads, probe } from '#tests/fixtures/probes.ts'

describe.each(Object.entries(recipes))('TRU-01 the bounds of %s', (slug, recipe) => {
  it.each([3000, 61_000, 14_400_000])(
    'TRU-01 every input of the source and every moving file ends, for %i ms',
    (durationMs) => {
      const source = probe({ durationMs })
      const assetsMs = 5000 * recipe.assetIds(payloads[slug]).length
      const plan = recipe.plan(source, payloads[slug], { moments: [], assets, secret: SECRET })
      if (!plan.ok) throw new Error(plan.error.message)
      for (const step of plan.value.steps) {
        const { inputs, args } = boundedStep(step, source)
        for (const input of inputs)
          if (input.from.kind === 'source')
            expect((input.seekMs ?? 0) + (input.durationMs ?? Infinity)).toBeLessThanOrEqual(
              durationMs + 500,
            )
        expect(args.at(-1)).toEqual(step.args.at(-1))
        if (step.outputDurationMs === 0) expect(args).toContain('-frames:v')
        else {
          const words = printArgs({ inputs, args }, () => '/w/file')
          expect(words.filter((word) => word === '-t')).toHaveLength(inputs.length + 1)
          const endS = Number(words[words.lastIndexOf('-t') + 1])
          expect(endS * 1000).toBeCloseTo(step.outputDurationMs + 1000, 0)
        }
      }
      for (const { name, kind } of plan.value.outputs) {
        const plannedMs = plannedResultMs(plan.value, name)
        if (kind === 'image' || kind === 'archive') expect(plannedMs).toBeNull()
        else expect(plannedMs).toBeLessThanOrEqual(durationMs + assetsMs + 50)
      }
    },
  )
})

it('REC-27 a seek into MPEG-TS begins at the key frame before it, and shows nothing of that', () => {
  const wordsAt = (seekMs: number): string => {
    const run = boundedRun(
      { inputs: [{ from: { kind: 'source' }, seekMs, durationMs: 2000 }], args: [] },
      probe({ durationMs: 60_000, leadMs: 5500 }),
    )
    return printArgs(run, () => '/w/file').join(' ')
  }
  expect(wordsAt(20_000)).toBe('-ss 14.500 -itsoffset -5.500 -t 2.000 -i /w/file')
  expect(wordsAt(3000)).toMatch(/^-ss 0\.000 -itsoffset -3\.000 -t 2\.000 -i \/w\/file /)
  expect(wordsAt(0)).toMatch(/^-t 2\.000 -i \/w\/file /)
})

it('SRC-07 all times count from the first picture, unless it comes only a little late', () => {
  const wordsAt = (pictureStartMs: number, more: object = {}, seekMs?: number): string => {
    const source = probe({ durationMs: 60_000, pictureStartMs, ...more })
    const input = { from: { kind: 'source' } as const, ...(seekMs === undefined ? {} : { seekMs }) }
    return printArgs(boundedRun({ inputs: [input], args: [] }, source), () => '/w/file').join(' ')
  }
  expect(wordsAt(100)).toBe('-t 60.250 -i /w/file')
  expect(wordsAt(600)).toBe('-ss 0.600 -t 60.250 -i /w/file')
  expect(wordsAt(600, {}, 20_000)).toBe('-ss 20.600 -t 40.250 -i /w/file')
  expect(wordsAt(600, { leadMs: 5500 })).toMatch(/^-ss 0\.000 -itsoffset -0\.600 -t 60\.250 /)
  const asset = { id: 'intro', kind: 'video' as const, probe: probe({ pictureStartMs: 3000 }) }
  const step = {
    id: 'piece',
    inputs: [{ from: { kind: 'asset' as const, id: 'intro' }, durationMs: 5000 }],
    args: ['x'],
    outputDurationMs: 5000,
    weight: 1,
    needs: { filters: [], encoders: [] },
  }
  expect(printArgs(boundedStep(step, probe(), [asset]), () => '/w/file').join(' ')).toMatch(
    /^-ss 3\.000 -t 5\.000 -i /,
  )
})

it('REC-27 what is read from the beginning of MPEG-TS counts its times from picture and sound', () => {
  const argsOf = (args: readonly string[], leadMs?: number): string => {
    const source = probe({ durationMs: 60_000, ...(leadMs === undefined ? {} : { leadMs }) })
    return boundedRun({ inputs: [{ from: { kind: 'source' } }], args }, source).args.join(' ')
  }
  expect(argsOf(['-vn', 'x'], 5500)).toBe('-map 0:V:0? -map 0:a:0? -c copy -f null - -vn x')
  expect(argsOf(['-vn', 'x'])).toBe('-vn x')
  expect(argsOf(['-frames:v', '1', 'x'], 5500)).toBe('-frames:v 1 x')
})

it('TRU-01 the search for moments reads no more than the measured length', async () => {
  for (const durationMs of [60_000, 7_200_000]) {
    const source = probe({ durationMs })
    await searchMoments(source, (run) => {
      for (const { seekMs = 0, durationMs: readMs = Infinity } of boundedRun(run, source).inputs)
        expect(seekMs + readMs).toBeLessThanOrEqual(durationMs + 500)
      return Promise.resolve(new Uint8Array())
    })
  }
  expect.hasAssertions()
})
