import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { catalogue, recipes } from '#recipes/presets.ts'
import type { RecipePlan } from '#recipes/types.ts'
import { isOffered } from '#server/operations/core/presets/offered.ts'
import { SECRET, probe, probes } from '#tests/fixtures/probes.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

type Preset = components['schemas']['MediaJobTaskPreset']

/** An ffmpeg that has everything anybody asks for. */
const completeFfmpeg = { filters: everything(), encoders: everything(), canRunNode: true }

function everything(): ReadonlySet<string> {
  return new (class extends Set<string> {
    override has(): boolean {
      return true
    }
  })()
}

describe('the catalogue', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(async () => {
    await server.stop()
  })

  it('FMT-01 lists all presets in the order of the screen, with texts, picture and prices', async () => {
    const { client } = await server.signUp()
    const { mediaJobTaskPresets } = (
      await client.get<{ mediaJobTaskPresets: Preset[] }>('/v1/media-job-task-presets')
    ).body
    expect(mediaJobTaskPresets.map(({ _id, isOffered: _isOffered, ...preset }) => preset)).toEqual(
      catalogue,
    )
    expect(new Set(mediaJobTaskPresets.map(({ _id }) => _id)).size).toBe(catalogue.length)
  })

  it('FMT-06 every preset has one price, per unit or by the length of the source', async () => {
    const { client } = await server.signUp()
    const { mediaJobTaskPresets } = (
      await client.get<{ mediaJobTaskPresets: Preset[] }>('/v1/media-job-task-presets')
    ).body
    for (const {
      pricingStrategies: [strategy, ...others],
    } of mediaJobTaskPresets) {
      expect(others).toEqual([])
      if (strategy?.pricingStrategySlug === 'per-unit')
        expect(strategy.coinAmountPerUnit).toBeGreaterThan(0)
      else expect(['source-video-seconds', 'source-video-minutes']).toContain(strategy?.usageUnit)
    }
  })

  it('FMT-01 the capabilities offer the same edits as the catalogue', async () => {
    const { client } = await server.signUp()
    const listed = (
      await client.get<{ mediaJobTaskPresets: Preset[] }>('/v1/media-job-task-presets')
    ).body.mediaJobTaskPresets
    const { capabilities } = (
      await server
        .createClient()
        .get<{ capabilities: components['schemas']['Capabilities'] }>('/v1/capabilities')
    ).body
    expect(capabilities.presets).toEqual(
      listed.map(({ slug, isOffered: offered }) => ({ slug, isOffered: offered })),
    )
  })
})

describe('what is offered', () => {
  it('FMT-01 an edit is offered exactly when ffmpeg can do all of it', () => {
    const findsFaces = true
    for (const { slug } of catalogue) {
      expect([slug, isOffered(slug, [{ ffmpeg: completeFfmpeg, findsFaces }])]).toEqual([
        slug,
        true,
      ])
      expect(isOffered(slug, [{ ffmpeg: null, findsFaces }])).toBe(false)
      const bare = { ...completeFfmpeg, filters: new Set<string>(), encoders: new Set<string>() }
      expect(isOffered(slug, [{ ffmpeg: bare, findsFaces }])).toBe(false)
    }
    const without = [{ ffmpeg: completeFfmpeg, findsFaces: false }]
    expect(isOffered('face-blurred-full-scene', without)).toBe(false)
    expect(isOffered('incognito-full-scene', without)).toBe(false)
    const withoutNode = [{ ffmpeg: { ...completeFfmpeg, canRunNode: false }, findsFaces }]
    expect(isOffered('incognito-full-scene', withoutNode)).toBe(false)
    // Each of them may get it.
    const [all] = [{ ffmpeg: completeFfmpeg, findsFaces }]
    expect(isOffered('face-blurred-full-scene', [all, ...without])).toBe(false)
    expect(isOffered('face-blurred-full-scene', [all, ...withoutNode])).toBe(true)
    expect(isOffered('face-blurred-full-scene', [])).toBe(false)
  })
  it('FMT-01 no option and no video needs a filter or an encoder that an offered edit is without', () => {
    const findsFaces = true
    for (const slug of Object.keys(recipes))
      for (const name of new Set(plansOf(slug).flatMap(needsIn))) {
        const few = without(name)
        const means = { ffmpeg: { ...completeFfmpeg, filters: few, encoders: few }, findsFaces }
        if (!isOffered(slug, [means])) continue
        expect(plansOf(slug, few).flatMap(needsIn), slug).not.toContain(name)
      }
  })
})

function without(name: string): ReadonlySet<string> {
  const all = everything()
  return new (class extends Set<string> {
    override has(each: string): boolean {
      return each !== name && all.has(each)
    }
  })()
}

const needsIn = ({ steps }: RecipePlan): readonly string[] =>
  steps.flatMap(({ needs }) => [...needs.filters, ...needs.encoders])

/** Options that need other filters than those that a form begins with. */
const MORE_OPTIONS: Readonly<Record<string, readonly object[]>> = {
  'tube-cut': [{ targetDuration: 0, introMediaAssetIds: ['a'], outroMediaAssetIds: ['a'] }],
  'uniform-sampling': [{ introMediaAssetIds: ['a'], outroMediaAssetIds: ['a'] }],
  'team-skeet-trailer': [
    {
      introBrandLogoVideoMediaAssetId: 'a',
      disclaimerVideoMediaAssetId: 'a',
      outroBrandLogoVideoMediaAssetId: 'a',
      musicTrackId: 'b',
    },
  ],
  'short-trailer-gif': [{ includeKumshot: true, momentMs: 400 }],
  'incognito-full-scene': [
    { obfuscateVoice: false, denoiseAudio: false },
    { obfuscateVoice: true, denoiseAudio: false },
    { obfuscateVoice: false, denoiseAudio: true },
  ],
}

const MORE_PROBES = [
  probe({ pictureChanges: true }),
  probe({ startsWithoutKey: true }),
  probe({ isInterlaced: true }),
  probe({ audioChannels: 1 }),
  probe({ grain: 9 }),
  probe({ soundWidthDb: 0, pixelFormat: 'yuv420p' }),
  probe({ colorMatrix: 'bt601', audioCodec: 'opus', videoCodec: 'vp9' }),
]

/** What an edit may be, of videos and assets of every kind; what is refused before is left out. */
function plansOf(slug: string, availableFilters = everything()): readonly RecipePlan[] {
  const recipe = recipes[slug]
  const options = [recipe?.typicalPayload, ...(MORE_OPTIONS[slug] ?? [])]
  const sources = [...probes.map(([, each]) => each), ...MORE_PROBES].filter(
    ({ durationMs }) => durationMs < 3_600_000,
  )
  return (['video', 'image'] as const).flatMap((kind) =>
    options.flatMap((payload) =>
      sources.flatMap((source) => {
        const asset = probe({
          durationMs: kind === 'image' ? 0 : 5000,
          width: 640,
          hasAudio: false,
        })
        const plan = recipe?.plan(source, payload, {
          moments: [],
          assets: recipe.assetIds(payload).map((id) => ({ id, kind, probe: asset })),
          music: [{ id: 'b', durationMs: 25_000, beats: { perMinute: 96, firstMs: 0 } }],
          availableFilters,
          availableEncoders: availableFilters,
          secret: SECRET,
        })
        return plan?.ok === true ? [plan.value] : []
      }),
    ),
  )
}
