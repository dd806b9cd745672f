import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { steadyFrameRate } from '#recipes/encoding.ts'
import { catalogue, findRecipe, recipes } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import type { PlanContext, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { boundedStep } from '#server/media/bounds.ts'
import { SECRET, assets as named, payloads, probe, probes } from '#tests/fixtures/probes.ts'

const context: PlanContext = { moments: [], assets: named, secret: SECRET }

function planOf(
  slug: string,
  source: SourceProbe,
  payload: unknown = payloads[slug],
  given: PlanContext = context,
): RecipePlan {
  const plan = findRecipe(slug)?.plan(source, payload, given)
  if (plan?.ok !== true) throw new Error(`no plan for ${slug}: ${JSON.stringify(plan)}`)
  return plan.value
}

const argsOf = (plan: RecipePlan): string =>
  plan.steps
    .flatMap((step) =>
      printArgs(step, (place) => `/w/${'name' in place ? place.name : place.kind}`),
    )
    .join(' ')

describe.each(Object.keys(recipes))('the plan of %s', (slug) => {
  it('SRC-01 reads nothing of a source but the tracks that are taken', () => {
    const source = probe({ tracks: { picture: 1, sound: 2 } })
    const read = planOf(slug, source).steps.flatMap((step) => {
      const run = boundedStep(step, source)
      const printed = printArgs(run, () => '/w/file').join(' ')
      return [...printed.matchAll(/(?:-map |\[)(\d+)(:[Vva](?::\d+)?|)[\]? ]/g)].flatMap(
        ([, input, stream]) => (run.inputs[Number(input)]?.from.kind === 'source' ? [stream] : []),
      )
    })
    expect(read).not.toEqual([])
    expect(read.filter((stream) => stream !== ':V:1' && stream !== ':a:2')).toEqual([])
  })

  it.each(probes)(
    'names every file it makes, keeps no trace of the source and asks only for what it uses: %s',
    (_, source) => {
      if (findRecipe(slug)?.needs.sound !== false && !source.hasAudio)
        return expect(findRecipe(slug)?.plan(source, {}, context)).toMatchObject({
          ok: false,
          error: { code: 'recipe/source-unusable' },
        })
      const plan = planOf(slug, source)
      const made = new Set([
        ...plan.files.map(({ name }) => name),
        ...(plan.masks ?? []).map(({ name }) => name),
        ...plan.outputs.filter(({ kind }) => kind === 'archive').map(({ name }) => name),
      ])
      for (const step of plan.steps) {
        const target = step.args.at(-1)
        if (step.tool === 'loudness-meter') {
          expect(target).toBe('-')
          continue
        }
        if (
          typeof target === 'string' ||
          target === undefined ||
          target.kind === 'filter' ||
          !('name' in target)
        )
          throw new Error('a step must end with its file')
        for (const { from } of step.inputs)
          if (from.kind === 'scratch' || from.kind === 'output') expect(made).toContain(from.name)
        for (const arg of step.args)
          if (typeof arg !== 'string' && (arg.kind === 'scratch' || arg.kind === 'output'))
            made.add(arg.name)
        const args = printArgs(step, () => '/w/file').join(' ')
        // Samples have no tags.
        if (step.tool === undefined) expect(args).toContain('-map_metadata -1 -map_chapters -1')
        expect(args).not.toMatch(/undefined|NaN|Infinity|e-\d/)
        expect(step.weight).toBeGreaterThan(0)
        for (const encoder of step.needs.encoders)
          if (encoder !== 'aac' || !args.includes('-c:a copy')) expect(args).toContain(encoder)
      }
      for (const output of plan.outputs) {
        expect(made).toContain(output.name)
        expect(output.fileName).toMatch(/^[A-Za-z0-9._-]+$/)
        expect(output.buttonText.length).toBeLessThanOrEqual(40)
        for (const member of output.members ?? []) expect(made).toContain(member)
      }
      if (!source.hasAudio) expect(argsOf(plan)).not.toContain('[0:a')
      if (source.isHdr) expect(argsOf(plan)).toMatch(/tonemap|-c:v libx265 .*-pix_fmt yuv420p10le/)
    },
  )

  it('refuses a source without a picture, and has its place in the catalogue', () => {
    expect(findRecipe(slug)?.plan(probe({ width: 0 }), payloads[slug], context)).toMatchObject({
      ok: false,
      error: { code: 'recipe/source-unusable' },
    })
    expect(catalogue.map((preset) => preset.slug)).toContain(slug)
  })
})

describe('teasers', () => {
  it.each([
    ['teaser-15s', 15_000],
    ['teaser-60s', 60_000],
  ])('%s is exactly as long as it says, or as the source', (slug, lengthMs) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 4 * 3_600_000 }),
        fc.constantFrom(23.976, 24, 25, 29.97, 30, 50, 59.94, 60, 120),
        (durationMs, frameRate) => {
          const step = planOf(slug, probe({ durationMs, frameRate })).steps.at(-1)
          expect(
            Math.abs((step?.outputDurationMs ?? 0) - Math.min(lengthMs, durationMs)),
          ).toBeLessThan(45)
        },
      ),
    )
  })

  it('have six and fourteen cuts, and seek instead of decoding four hours', () => {
    const plan = planOf('teaser-60s', probe({ durationMs: 14_400_000 }))
    expect(plan.steps).toHaveLength(16)
    expect(planOf('teaser-15s', probe()).steps).toHaveLength(8)
    // The last two measure and join what the others made.
    for (const step of plan.steps.slice(0, -2))
      expect(printArgs(step, () => '').slice(0, 2)).toEqual([
        '-ss',
        expect.stringMatching(/^\d+\.\d{3}$/),
      ])
  })
})

describe('tube cut', () => {
  const framesMs = (plan: RecipePlan): number => plan.steps.at(-1)?.outputDurationMs ?? 0

  it('OPT-02 makes six minutes unless told otherwise, in passages of eight seconds or more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8000, max: 3_000_000 }), (targetDuration) => {
        const plan = planOf('tube-cut', probe({ durationMs: 3_600_000 }), { targetDuration })
        expect(Math.abs(framesMs(plan) - targetDuration)).toBeLessThan(1000)
        for (const step of plan.steps.slice(0, -1))
          expect(step.outputDurationMs).toBeGreaterThanOrEqual(7950)
      }),
    )
    expect(Math.round(framesMs(planOf('tube-cut', probe(), {})))).toBe(360_000)
  })

  it.each([
    [{ targetDuration: 0 }],
    [{ targetDuration: null }],
    [{ targetDuration: '' }],
    [{ targetDuration: 9_000_000 }],
  ])('OPT-02 keeps the full length for %j', (payload) => {
    expect(framesMs(planOf('tube-cut', probe(), payload))).toBe(600_000)
  })

  it('OPT-02 refuses what is not a length', () => {
    const problemOf = (payload: unknown) => findRecipe('tube-cut')?.validate(payload)
    expect(problemOf({ targetDuration: -1 })).toMatchObject({
      ok: false,
      error: { message: 'Negative target duration is not allowed' },
    })
    for (const targetDuration of ['abc', Number.NaN, {}])
      expect(problemOf({ targetDuration })).toMatchObject({
        ok: false,
        error: { message: 'Please enter required fields' },
      })
    expect(problemOf({ introMediaAssetIds: [7] })).toMatchObject({
      ok: false,
      error: { field: 'introMediaAssetIds' },
    })
  })

  it('OPT-03 puts the chosen assets at both ends and says which one is missing', () => {
    const assets = [
      {
        id: 'a',
        kind: 'video',
        probe: probe({ durationMs: 4000, width: 640, height: 640, hasAudio: false }),
      },
      { id: 'b', kind: 'image', probe: probe({ durationMs: 0 }) },
    ] as const
    const payload = { targetDuration: 60_000, introMediaAssetIds: ['a'], outroMediaAssetIds: ['b'] }
    expect(findRecipe('tube-cut')?.assetIds(payload)).toEqual(['a', 'b'])
    const plan = planOf('tube-cut', probe(), payload, { moments: [], assets, secret: SECRET })
    expect(Math.round(framesMs(plan))).toBe(67_000)
    expect(plan.steps[0]?.inputs.map(({ from }) => from)).toEqual([{ kind: 'asset', id: 'a' }])
    expect(findRecipe('tube-cut')?.plan(probe(), payload, context)).toMatchObject({
      ok: false,
      error: { code: 'recipe/asset-missing', assetId: 'a' },
    })
  })
})

describe('presets without options', () => {
  it('take no payload or an empty one and refuse unknown fields', () => {
    const validate = (payload: unknown) => findRecipe('teaser-15s')?.validate(payload).ok
    expect([undefined, null, {}].map(validate)).toEqual([true, true, true])
    expect([{ text: 'x' }, 'text', 7].map(validate)).toEqual([false, false, false])
  })
})

describe('the frame rate of shortened edits', () => {
  it.each([
    [23.976, '24000/1001'],
    [24, '24'],
    [25, '25'],
    [29.97, '30000/1001'],
    [30, '30'],
    [48, '24'],
    [50, '25'],
    [59.94, '30000/1001'],
    [60, '30'],
    [120, '30'],
    [29.87, '30000/1001'],
    [0, '25'],
    [15, '15'],
    [1, '10'],
    [6, '12'],
    [0.4, '10'],
  ])('%d becomes %s', (frameRate, text) => {
    expect(steadyFrameRate({ frameRate }).text).toBe(text)
  })
})
