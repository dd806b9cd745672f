import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import type { Moment, PlanContext, RecipePlan, MomentKind, SourceProbe } from '#recipes/types.ts'
import { SECRET, assets, probe, shortPayloads } from '#tests/fixtures/probes.ts'

/**
 * Every preset's plan, to the byte, in `golden-plans/<slug>.txt`. A plan that changes changes what
 * creators get, so its file changes in the same commit: `vitest run --project unit golden-plans -u`
 * writes it. Of further kinds of sources it has the digests.
 */

const SHOWN: readonly MomentKind[] = ['lively', 'calm', 'still', 'lively', 'dark', 'title', 'black']
/** A scene of ten minutes: every kind of stretch, cuts, and holes between them. */
const MOMENTS: readonly Moment[] = Array.from({ length: 60 }, (_, at) => ({
  atMs: at * 10_000 + 500,
  lengthMs: 4000 + (at % 5) * 900,
  shows: SHOWN[at % SHOWN.length] ?? 'calm',
  score: ((at * 37) % 60) / 60,
  startsShot: at % 3 === 0,
  stillMs: at * 10_000 + 1700,
  likeness: String.fromCharCode(97 + (at % 7)).repeat(16),
  ...(at % 11 === 0 ? { isBlurred: true } : {}),
}))

const context: PlanContext = {
  moments: [],
  assets: [...assets, ...logos()],
  music: [{ id: 'track', durationMs: 25_000, beats: { perMinute: 96, firstMs: 0 } }],
  faces: {
    tracks: [
      {
        id: 'face',
        startMs: 1000,
        endMs: 2000,
        certainty: 0.9,
        boxes: [
          { atMs: 1000, x: 0.2, y: 0.2, width: 0.1, height: 0.2 },
          { atMs: 2000, x: 0.3, y: 0.2, width: 0.1, height: 0.2 },
        ],
      },
    ],
    wholly: [{ startMs: 2500, endMs: 2800 }],
  },
  secret: SECRET,
}

/** What options name: videos, and a picture after the edit. */
function logos(): PlanContext['assets'] {
  const logo = probe({ durationMs: 1000, width: 320, height: 180, frameRate: 25 })
  const picture = probe({
    durationMs: 0,
    width: 500,
    height: 400,
    pixelFormat: 'rgba',
    hasAudio: false,
  })
  return [
    ...['preroll', 'postroll', 'intro'].map((id) => ({ id, kind: 'video', probe: logo }) as const),
    { id: 'outro', kind: 'image', probe: picture },
    { id: 'logo', kind: 'image', probe: picture },
  ]
}

const silent = { hasAudio: false, audioCodec: null, audioChannels: 0 }
const sources: readonly (readonly [string, SourceProbe, readonly Moment[]])[] = [
  ['an ordinary source whose moments are known', probe(), MOMENTS],
  ['an upright phone video', probe({ width: 1080, height: 1920, frameRate: 29.87 }), []],
  [
    'a source of odd sizes at film rate, in HDR, without sound',
    probe({ width: 641, height: 359, frameRate: 23.976, isHdr: true, ...silent }),
    [],
  ],
]

/** Each with one more way in which sources differ. */
const others: readonly (readonly [string, SourceProbe, readonly Moment[]])[] = [
  ['three seconds', probe({ durationMs: 3000 }), []],
  ['a little longer than a short teaser', probe({ durationMs: 19_000 }), MOMENTS.slice(0, 2)],
  ['four hours', probe({ durationMs: 14_400_000 }), []],
  [
    'HDR in 4K at 60',
    probe({ width: 3840, height: 2160, frameRate: 59.94, isHdr: true, videoCodec: 'hevc' }),
    MOMENTS,
  ],
  [
    'fields of a broadcast',
    probe({ width: 768, height: 576, frameRate: 25, isInterlaced: true, fieldOrder: 'top' }),
    MOMENTS,
  ],
  ['a phone that leaves pictures out', probe({ frameRate: 25.78, nominalRate: 30 }), MOMENTS],
  ['pictures that come late', probe({ frameRate: 25, pictureLateMs: 80, videoCodec: 'mpeg4' }), []],
  [
    'a transport stream with several tracks',
    probe({ leadMs: 4000, isAdts: true, tracks: { picture: 1, sound: 2 } }),
    MOMENTS,
  ],
  ['pictures of changing sizes', probe({ pictureChanges: true, colorMatrix: 'bt601' }), MOMENTS],
  ['pictures that stay for a minute', probe({ frameRate: 1, longestStayMs: 60_000 }), []],
]

function printed(plan: RecipePlan): string {
  const place = (each: { readonly kind: string }): string =>
    'name' in each || 'id' in each ? `<${Object.values(each).join(' ')}>` : `<${each.kind}>`
  return [
    ...plan.files.map(({ name, text }) => `file ${name}: ${JSON.stringify(text)}`),
    ...(plan.masks ?? []).map((mask) => `mask ${JSON.stringify(mask)}`),
    ...plan.steps.map((step) => {
      const { id, tool = 'ffmpeg', weight, outputDurationMs, skipWithin } = step
      const skips = skipWithin === undefined ? '' : ` skips ${JSON.stringify(skipWithin)}`
      const hidden = step.secret === undefined ? '' : ' with a secret'
      return `${id}: ${tool}${hidden}, ${outputDurationMs} ms, weight ${weight}${skips}\n  ${printArgs(step, place).join(' ')}`
    }),
    ...plan.outputs.map((output) => `output ${JSON.stringify(output)}`),
  ].join('\n')
}

describe('the plan to the byte', () => {
  it.each(Object.entries(recipes))('NOW-03 of %s is the one that is kept', async (slug, recipe) => {
    const texts = sources.map(([name, source, moments]) => {
      const plan = recipe.plan(source, shortPayloads[slug], { ...context, moments })
      return `# ${name}\n${plan.ok ? printed(plan.value) : JSON.stringify(plan.error)}\n`
    })
    const digests = [shortPayloads[slug], recipe.fullPayload].flatMap((payload, at) =>
      others.map(([name, source, moments]) => {
        const plan = recipe.plan(source, payload, { ...context, moments })
        const text = plan.ok ? printed(plan.value) : JSON.stringify(plan.error)
        const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
        return `# ${name}${at === 0 ? '' : ', with every option'}: ${digest}\n`
      }),
    )
    const all = [...texts, digests.join('')].join('\n')
    await expect(all).toMatchFileSnapshot(`golden-plans/${slug}.txt`)
  })
})
