import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PresetSlug } from '#recipes/define-preset.ts'
import { catalogue, recipes } from '#recipes/presets.ts'
import { mediaAssets, uploadRequests } from '#server/db/schema.ts'
import { refusalOf, type TaskRequest } from '#src/local/edits/task-requests.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation } from '#tests/setup/order.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const SOURCE_MS = 100_000
const ID = '0197a3f2-7c1e-7b90-a111-5d2c8e4f0a01'
const OTHER_ID = '0197a3f2-7c1e-7b90-a111-5d2c8e4f0a02'

/** What a form refuses of one preset, and what it takes, beside which nothing else is wrong. */
interface Refusals {
  /** Left out for a preset without options. */
  readonly taken?: object
  /** What is different in each refused payload. */
  readonly refused: readonly object[]
  /** A length of the video for which even what is taken is refused. */
  readonly tooShortMs?: number
}

const ENDS = { introMediaAssetIds: [], outroMediaAssetIds: [] }
const NOTHING: Refusals = { refused: [] }

/** Every preset, so that the compiler asks for those of a new one. */
const FORMS: Readonly<Record<PresetSlug, Refusals>> = {
  'teaser-15s': { refused: [], tooShortMs: 15_999 },
  'teaser-60s': { refused: [], tooShortMs: 60_999 },
  'teaser-square': { refused: [], tooShortMs: 15_999 },
  'teaser-upright': { refused: [], tooShortMs: 15_999 },
  'dynamic-watermark': {
    taken: { text: '@name' },
    refused: [
      { text: '' },
      { text: '  ' },
      { text: '😀' },
      { text: 'x'.repeat(65) },
      { text: undefined },
      { text: undefined, logoMediaAssetId: '' },
      { text: '@name', logoMediaAssetId: ID },
    ],
  },
  'tube-cut': {
    taken: { targetDuration: 12_000, ...ENDS },
    refused: [
      { targetDuration: -1 },
      { targetDuration: 5_000 },
      { targetDuration: 11_999 },
      { targetDuration: 0 },
      { targetDuration: SOURCE_MS - 999 },
      { targetDuration: SOURCE_MS },
      { targetDuration: 360_000 },
      { targetDuration: 1e9, introMediaAssetIds: [ID] },
      { targetDuration: '12000' },
      { targetDuration: 5_000, introMediaAssetIds: [ID] },
      { introMediaAssetIds: Array.from({ length: 11 }, () => ID) },
    ],
    tooShortMs: 12_999,
  },
  'uniform-sampling': {
    taken: {
      maximumDuration: 10_000,
      segmentCount: 10,
      offsetStartMs: 0,
      offsetEndMs: 0,
      ...ENDS,
    },
    refused: [
      { maximumDuration: 9_999 },
      { maximumDuration: SOURCE_MS - 999 },
      { maximumDuration: 300_000 },
      { segmentCount: 1 },
      { segmentCount: 61 },
      { segmentCount: 2.5 },
      { offsetStartMs: -1 },
      { offsetStartMs: 99_000, offsetEndMs: 99_000 },
      { offsetStartMs: 99_000, offsetEndMs: 99_000, outroMediaAssetIds: [ID] },
      { offsetStartMs: SOURCE_MS - 999, introMediaAssetIds: [ID] },
      { offsetStartMs: 50_000, offsetEndMs: 39_001 },
      { maximumDuration: 50_000, offsetStartMs: 49_001 },
    ],
    tooShortMs: 10_999,
  },
  'short-trailer-gif': {
    taken: { includeKumshot: true, momentMs: 5_000 },
    refused: [{ momentMs: null }, { momentMs: -1 }, { momentMs: SOURCE_MS + 1_000 }],
    tooShortMs: 4_000,
  },
  'team-skeet-trailer': {
    taken: { introBrandLogoVideoMediaAssetId: ID, outroBrandLogoVideoMediaAssetId: OTHER_ID },
    refused: [
      { introBrandLogoVideoMediaAssetId: '' },
      { outroBrandLogoVideoMediaAssetId: null },
      { introBrandLogoVideoMediaAssetId: '', outroBrandLogoVideoMediaAssetId: '' },
    ],
  },
  'incognito-full-scene': {
    taken: { obfuscateVoice: true, denoiseAudio: false },
    refused: [{ obfuscateVoice: 'yes' }],
  },
  'blur-video-and-audio': NOTHING,
  'denoised-full-scene': NOTHING,
  'enhanced-audio-full-scene': NOTHING,
  'example-high-resolution-video': NOTHING,
  'example-low-resolution-video': NOTHING,
  'face-blurred-full-scene': NOTHING,
  'remove-background-music': NOTHING,
  'social-media-gif-pack': NOTHING,
  'still-pack': NOTHING,
  'team-skeet-thumbnail-video': NOTHING,
  'voice-mask-full-scene': NOTHING,
}

let server: TestServer
let me: SignedUp
beforeAll(async () => {
  server = await startTestServer()
  me = await server.signUp()
})
afterAll(async () => {
  await server.stop()
})

/** A request as it comes over the wire, which may be of any shape. */
function requestOf(slug: PresetSlug, payload: object | undefined): TaskRequest {
  const request: unknown = {
    mediaJobTaskPresetSlug: slug,
    ...(payload === undefined ? {} : { payload }),
  }
  return request as TaskRequest
}

/** What the API says of it for a video of this length: the code of its refusal, null for none. */
async function askApi(request: TaskRequest, durationMs: number): Promise<string | null> {
  const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'], durationMs)
  const { status, body } = await me.client.post<{
    mediaJob?: { tasks: readonly unknown[] }
    error?: { code: string }
  }>('/v2/media-jobs', {
    mediaJob: { uploadRequestId: uploadId, mediaJobTaskRequests: [request] },
  })
  expect(status < 300).toBe(body.error === undefined)
  return body.error?.code ?? null
}

describe('what the form of a preset refuses', () => {
  it.each(catalogue)('DEL-01 $slug: the API refuses it too', async ({ slug, hasOptions }) => {
    const { taken, refused, tooShortMs } = FORMS[slug]
    expect(refused.length > 0).toBe(hasOptions)
    expect(taken !== undefined).toBe(hasOptions)
    // Ids that no asset has are refused for another reason, after the rule of the form.
    const fine = requestOf(slug, taken)
    expect(refusalOf(fine, SOURCE_MS)).toBeNull()
    expect(await askApi(fine, SOURCE_MS)).not.toBe('request/invalid')
    for (const different of refused) {
      const request = requestOf(slug, { ...taken, ...different })
      expect(refusalOf(request, SOURCE_MS), JSON.stringify(different)).not.toBeNull()
      expect([different, await askApi(request, SOURCE_MS)]).toEqual([different, 'request/invalid'])
    }
    if (tooShortMs === undefined) return
    expect(refusalOf(fine, tooShortMs)).not.toBeNull()
    expect(await askApi(fine, tooShortMs)).toBe('request/invalid')
    expect(await askApi(fine, tooShortMs + 1)).not.toBe('request/invalid')
  })

  it('DEL-01 every preset that looks at the length of a video has one that is too short for it', () => {
    for (const { slug } of catalogue)
      expect([slug, FORMS[slug].tooShortMs !== undefined]).toEqual([
        slug,
        recipes[slug]?.dependsOnLength,
      ])
  })

  it('DEL-01 OPT-04 an image among the videos of a brand, which its form does not offer, is refused', async () => {
    const { db, clock, newId } = server.deps
    const ids = { video: newId(), image: newId() }
    for (const mediaKind of ['video', 'image'] as const) {
      const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'], 2_000)
      await db.update(uploadRequests).set({ mediaKind }).where(eq(uploadRequests.id, uploadId))
      const owned = { userId: me.userId, uploadRequestId: uploadId, createdAt: clock() }
      await db.insert(mediaAssets).values({ id: ids[mediaKind], name: mediaKind, ...owned })
    }
    const brand = (outroBrandLogoVideoMediaAssetId: string) =>
      requestOf('team-skeet-trailer', {
        introBrandLogoVideoMediaAssetId: ids.video,
        outroBrandLogoVideoMediaAssetId,
      })
    expect(await askApi(brand(ids.image), SOURCE_MS)).toBe('media-assets/wrong-kind')
    expect(await askApi(brand(ids.video), SOURCE_MS)).toBeNull()
  })

  it('DEL-03 a picture that cannot be a logo is refused with what to do, and so are a video and a deleted one', async () => {
    const { db, clock, newId } = server.deps
    const assetOf = async (mediaKind: 'image' | 'video', different: object) => {
      const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'], 2_000)
      const logo = { ...probe({ width: 400, height: 300, pixelFormat: 'rgba' }), ...different }
      await db
        .update(uploadRequests)
        .set({ mediaKind, probe: logo })
        .where(eq(uploadRequests.id, uploadId))
      const id = newId()
      const owned = { userId: me.userId, uploadRequestId: uploadId, createdAt: clock() }
      await db.insert(mediaAssets).values({ id, name: 'logo', ...owned })
      return id
    }
    const asked = async (logoMediaAssetId: string) =>
      await askApi(requestOf('dynamic-watermark', { logoMediaAssetId }), SOURCE_MS)
    const drawn = { x: 0, y: 0, width: 1, height: 1, isOpaque: false }
    expect(await asked(await assetOf('image', {}))).toBeNull()
    expect(await asked(await assetOf('image', { drawn }))).toBeNull()
    for (const unfit of [
      { pixelFormat: 'yuvj420p' },
      { drawn: { ...drawn, isOpaque: true } },
      { drawn: { ...drawn, width: 0, height: 0 } },
      { drawn: { ...drawn, width: 0.2, height: 0.1 } },
      { width: 100, height: 90 },
      { width: 2000, height: 100 },
    ])
      expect([unfit, await asked(await assetOf('image', unfit))]).toEqual([
        unfit,
        'request/invalid',
      ])
    expect(await asked(await assetOf('video', {}))).toBe('media-assets/wrong-kind')
    const deleted = await assetOf('image', {})
    await db.update(mediaAssets).set({ deletedAt: clock() }).where(eq(mediaAssets.id, deleted))
    expect(await asked(deleted)).toBe('media-assets/not-found')
  })

  it('DEL-01 what was chosen before the length of the video was known is refused at the order, in one sentence', async () => {
    const job = await storeJob(server.deps, me.userId, ['teaser-15s'], 12_400)
    const answer = await me.client.post<{ error: { code: string; message: string } }>(
      '/v1/orders',
      { order: { mediaJobId: job.jobId, attestation } },
    )
    expect([answer.status, answer.body.error]).toEqual([
      422,
      expect.objectContaining({
        code: 'presets/unfit-options',
        message:
          'teaser-15s: Your video is 12 s long, so a teaser of 15 s would be all of it: please choose another edit.',
      }),
    ])
  })
})
