import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { catalogue } from '#recipes/presets.ts'
import { isOffered } from '#server/operations/presets/offered.ts'
import { createFakeFaceSearch } from '#tests/fakes/face-search.ts'
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

  it('FMT-01 lists all 19 presets in the order of the screen, with texts, picture and prices', async () => {
    const { client } = await server.signUp()
    const { mediaJobTaskPresets } = (
      await client.get<{ mediaJobTaskPresets: Preset[] }>('/v1/media-job-task-presets')
    ).body
    expect(mediaJobTaskPresets.map(({ _id, isOffered: _isOffered, ...preset }) => preset)).toEqual(
      catalogue,
    )
    expect(new Set(mediaJobTaskPresets.map(({ _id }) => _id)).size).toBe(19)
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
    const faces = createFakeFaceSearch()
    for (const { slug } of catalogue) {
      expect([slug, isOffered(slug, { ffmpeg: completeFfmpeg, faces })]).toEqual([slug, true])
      expect(isOffered(slug, { ffmpeg: null, faces })).toBe(false)
      const bare = { ...completeFfmpeg, filters: new Set<string>(), encoders: new Set<string>() }
      expect(isOffered(slug, { ffmpeg: bare, faces })).toBe(false)
    }
    const without = { ffmpeg: completeFfmpeg, faces: null }
    expect(isOffered('face-blurred-full-scene', without)).toBe(false)
    expect(isOffered('incognito-full-scene', without)).toBe(false)
    const withoutNode = { ffmpeg: { ...completeFfmpeg, canRunNode: false }, faces }
    expect(isOffered('incognito-full-scene', withoutNode)).toBe(false)
  })
})
