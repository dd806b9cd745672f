import { expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'

const recipe = findRecipe('incognito-full-scene')
const faces = {
  tracks: [
    {
      id: 'one',
      startMs: 0,
      endMs: 1000,
      boxes: [{ atMs: 0, x: 0.1, y: 0.1, width: 0.2, height: 0.2 }],
      certainty: 1,
    },
  ],
  wholly: [],
}

function planOf(
  options: { readonly obfuscateVoice: boolean; readonly denoiseAudio: boolean },
  source: SourceProbe = probe(),
): RecipePlan {
  const plan = recipe?.plan(source, options, { moments: [], assets: [], secret: SECRET, faces })
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return plan.value
}

it.each([
  [{ obfuscateVoice: false, denoiseAudio: false }, ['loudness', 'incognito'], 'source'],
  [
    { obfuscateVoice: true, denoiseAudio: false },
    ['voices', 'masked', 'loudness', 'incognito'],
    'masked.pcm',
  ],
  [
    { obfuscateVoice: false, denoiseAudio: true },
    ['samples', 'noise', 'loudness', 'incognito'],
    'quiet.pcm',
  ],
  [
    { obfuscateVoice: true, denoiseAudio: true },
    ['samples', 'noise', 'voices', 'masked', 'loudness', 'incognito'],
    'masked.pcm',
  ],
])('REC-19 %j hides faces and makes its sound in one encode', (options, steps, heard) => {
  const plan = planOf(options)
  expect(plan.steps.map(({ id }) => id)).toEqual(steps)
  expect(plan.masks?.map(({ cover }) => cover)).toEqual([faces])
  expect(plan.steps.filter(({ needs }) => needs.encoders.includes('libx264'))).toHaveLength(1)
  const last = plan.steps.at(-1)
  if (last === undefined) throw new Error('no step')
  const args = printArgs(last, (place) => ('name' in place ? place.name : place.kind))
  expect(args.filter((_, at) => args[at - 1] === '-i')).toEqual(
    heard === 'source' ? ['source', 'faces.png'] : ['source', 'faces.png', heard],
  )
  const streams = args.filter((_, at) => args[at - 1] === '-map')
  expect(streams).toEqual(['[v]', heard === 'source' ? '0:a:0' : '2:a:0'])
  const masks = plan.steps.filter(
    ({ tool, secret }) => tool === 'voice-filter' && secret === SECRET,
  )
  expect(masks.map(({ id }) => id)).toEqual(options.obfuscateVoice ? ['masked'] : [])
  // Other users of a machine see what a program is called with.
  for (const step of plan.steps)
    expect(printArgs(step, ({ kind }) => kind).join(' ')).not.toContain(SECRET)
})

it('REC-19 without a review it hides the whole picture, and it is not made of a silent video', () => {
  const given = { moments: [], assets: [], secret: SECRET }
  const options = { obfuscateVoice: true, denoiseAudio: false }
  const plan = recipe?.plan(probe(), options, given)
  expect(plan).toMatchObject({
    ok: true,
    value: { masks: [{ cover: { tracks: [], wholly: [{ startMs: 0, endMs: 610_000 }] } }] },
  })
  expect(recipe?.plan(probe({ hasAudio: false }), options, given)).toEqual({
    ok: false,
    error: {
      code: 'recipe/source-unusable',
      message:
        'This video has no sound, so there is only its picture to change, which Face Blur does.',
    },
  })
})

it('OPT-06 takes two boxes, each ticked or not', () => {
  expect(recipe?.validate({ obfuscateVoice: true, denoiseAudio: false })).toEqual({
    ok: true,
    value: { obfuscateVoice: true, denoiseAudio: false },
  })
  expect(recipe?.validate({})).toEqual({
    ok: true,
    value: { obfuscateVoice: false, denoiseAudio: false },
  })
  for (const field of ['obfuscateVoice', 'denoiseAudio'])
    expect(recipe?.validate({ [field]: 'yes' })).toEqual({
      ok: false,
      error: {
        code: 'recipe/options-invalid',
        field,
        message: 'Please tick the box or leave it empty',
      },
    })
  expect(recipe?.validate('yes').ok).toBe(false)
})

it('OPT-06 lets changed voices be heard before, and says why there is nothing else to hear', () => {
  const window = { startMs: 0, durationMs: 5000 }
  const preview = (obfuscateVoice: boolean) =>
    recipe?.preview?.(probe(), { obfuscateVoice, denoiseAudio: false }, window, { secret: SECRET })
  expect(preview(true)).toMatchObject({
    ok: true,
    value: { outputs: [{ name: 'before.wav' }, { name: 'after.wav' }] },
  })
  expect(preview(false)).toMatchObject({
    ok: false,
    error: {
      message:
        'Only changed voices can be heard here: faces are found, and noise is taken off, on the server.',
    },
  })
})
