import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { SAMPLE_LIFE_MS, SAMPLES_PER_DAY } from '#server/budgets.ts'
import { rateEvents, samples, uploadRequests } from '#server/db/schema.ts'
import { probeFile } from '#server/media/probe.ts'
import { sampleKeyOf } from '#server/operations/media/storage/keys.ts'
import { dropOldSamples, makeSample } from '#server/operations/processing/samples/make.ts'
import { createFakeFaceSearch } from '#tests/fakes/face-search.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import { makeClip, testFfmpeg } from '#tests/setup/media.ts'
import { payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Sample = components['schemas']['Sample']
interface Answer {
  readonly sample: Sample
}
interface Refusal {
  readonly error: { readonly code: string }
}

let api: TestServer
let dir: string
let uploadChecked: ReturnType<typeof checkedUploads>
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-samples-'))
  await makeClip(join(dir, 'clip.mp4'), 2, { size: '160x90' })
  api = await startTestServer()
  uploadChecked = checkedUploads(api)
})
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const video = async ({ client }: SignedUp): Promise<string> =>
  await uploadChecked(client, join(dir, 'clip.mp4'))
const addressOf = (id: string): string => `/v1/upload-requests/${id}/samples`

async function ask({ client }: SignedUp, id: string, slug: string, payload?: object) {
  const sample = { mediaJobTaskPresetSlug: slug, ...(payload === undefined ? {} : { payload }) }
  return await client.post<Answer & Refusal>(addressOf(id), { sample })
}

const make = async (sampleId: string, deps = api.deps): Promise<void> =>
  await makeSample(deps, {
    sampleId,
    signal: AbortSignal.timeout(patience(60)),
    isLastAttempt: true,
  })

async function made(me: SignedUp, id: string, slug: string, payload?: object): Promise<Sample> {
  const { body } = await ask(me, id, slug, payload)
  await make(body.sample._id)
  return (await me.client.get<Answer>(`${addressOf(id)}/${body.sample._id}`)).body.sample
}

/** What one side of a sample is, as a player reads it. */
async function sideOf(me: SignedUp, sample: Sample, side: 'before' | 'after') {
  const url = (sample.urls?.[side] ?? '').replace(/^.*?(?=\/v1\/)/, '')
  const path = join(dir, `${sample._id}-${side}.mp4`)
  await writeFile(path, (await me.client.get(url)).bytes)
  const signal = AbortSignal.timeout(patience(20))
  const probe = await probeFile(await testFfmpeg(), path, 'a.mp4', dir, signal)
  if (!probe.ok) throw new Error('the sample cannot be read')
  return probe.value.source
}

it('DEL-05 the server shows a passage before and after an edit of the sound, made by its plan', async () => {
  const me = await api.signUp()
  const id = await video(me)
  const asked = await ask(me, id, 'enhanced-audio-full-scene')
  expect(asked).toMatchObject({ status: 200, body: { sample: { state: 'waiting', urls: null } } })
  const sample = await made(me, id, 'enhanced-audio-full-scene')
  expect(sample).toMatchObject({ _id: asked.body.sample._id, state: 'ready', shows: 'picture' })
  for (const side of ['before', 'after'] as const)
    expect(await sideOf(me, sample, side)).toMatchObject({ width: 160, height: 90, hasAudio: true })
  // Asked for again it is there; other options are another one.
  expect((await ask(me, id, 'enhanced-audio-full-scene')).body.sample).toEqual(sample)
})

it('DEL-05 the whole picture is marked, and what small pictures lose is shown at its own size', async () => {
  const me = await api.signUp()
  const id = await video(me)
  const text = { text: 'creator.example' }
  const marked = await made(me, id, 'dynamic-watermark', text)
  expect([marked.state, marked.shows]).toEqual(['ready', 'picture'])
  const denoised = await made(me, id, 'denoised-full-scene')
  expect([denoised.state, denoised.shows]).toEqual(['ready', 'detail'])
  // Other options are another sample.
  const other = await ask(me, id, 'dynamic-watermark', { text: 'another.example' })
  expect(other.body.sample).toMatchObject({ state: 'waiting' })
})

it('DEL-05 a sample is refused of passages, before the check, without a sound, and too many a day', async () => {
  const me = await api.signUp()
  const id = await video(me)
  const codeOf = async (slug: string) => (await ask(me, id, slug)).body.error.code
  expect(await codeOf('teaser-15s')).toBe('presets/not-offered')
  const isIt = eq(uploadRequests.id, id)
  await api.deps.db.update(uploadRequests).set({ state: 'completed' }).where(isIt)
  expect(await codeOf('denoised-full-scene')).toBe('uploads/not-complete')
  const [{ probe } = { probe: {} }] = await api.deps.db
    .update(uploadRequests)
    .set({ state: 'validated' })
    .where(isIt)
    .returning({ probe: uploadRequests.probe })
  const at = api.deps.clock()
  const key = `samples:${me.userId}`
  await api.deps.db
    .insert(rateEvents)
    .values(Array.from({ length: SAMPLES_PER_DAY }, () => ({ key, at })))
  const refused = await ask(me, id, 'denoised-full-scene')
  expect([refused.status, refused.body.error.code]).toEqual([429, 'request/too-many'])
  const silent = { ...(probe as object), hasAudio: false }
  await api.deps.db.update(uploadRequests).set({ probe: silent }).where(isIt)
  expect(await codeOf('enhanced-audio-full-scene')).toBe('presets/needs-sound')
})

it('DEL-05 the search for faces of a sample counts as time that costs no tokens', async () => {
  const me = await api.signUp()
  const id = await video(me)
  const { sample } = (await ask(me, id, 'face-blurred-full-scene')).body
  const key = eq(rateEvents.key, `processor:${me.userId}`)
  const before = await api.deps.db.$count(rateEvents, key)
  const fake = createFakeFaceSearch()
  const find: typeof fake.find = async (searched) => {
    searched.allowance?.spend(100)
    return await fake.find(searched)
  }
  await make(sample._id, { ...api.deps, faces: { find } })
  expect(fake.searched).toHaveLength(1)
  expect(await api.deps.db.$count(rateEvents, key)).toBeGreaterThanOrEqual(before + 100)
})

it('DEL-05 a sample whose last try a server left has failed, and is made when it is asked for again', async () => {
  const me = await api.signUp()
  const id = await video(me)
  const { sample } = (await ask(me, id, 'denoised-full-scene')).body
  const read = async () => (await me.client.get<Answer>(`${addressOf(id)}/${sample._id}`)).body
  expect((await read()).sample.state).toBe('waiting')
  const before = new Date(api.deps.clock().getTime() - 21 * 60_000)
  await api.deps.db.update(samples).set({ createdAt: before }).where(eq(samples.id, sample._id))
  expect((await read()).sample).toMatchObject({ state: 'failed', urls: null })
  const again = (await ask(me, id, 'denoised-full-scene')).body.sample
  expect(again).toMatchObject({ state: 'waiting' })
  expect(again._id).not.toBe(sample._id)
})

it('DEL-05 a sample lets paid edits go first for a while, goes with its video, and after a day', async () => {
  const me = await api.signUp()
  const id = await video(me)
  const job = await requestEdits(me.client, id, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  await payFor(me.client, job._id)
  const { sample } = (await ask(me, id, 'example-low-resolution-video')).body
  const stateOf = async () =>
    (await me.client.get<Answer>(`${addressOf(id)}/${sample._id}`)).body.sample?.state
  await make(sample._id)
  expect(await stateOf()).toBe('waiting')
  const later = (ms: number) => ({
    ...api.deps,
    clock: () => new Date(api.deps.clock().getTime() + ms),
  })
  await make(sample._id, later(31_000))
  expect(await stateOf()).toBe('ready')
  const key = sampleKeyOf({ id: sample._id, uploadRequestId: id }, 'after')
  expect(await api.deps.store.head(key)).not.toBeNull()
  await dropOldSamples(later(SAMPLE_LIFE_MS + 1000))
  expect(await api.deps.store.head(key)).toBeNull()

  const mine = await api.signUp()
  const own = await video(mine)
  const kept = await made(mine, own, 'example-low-resolution-video')
  expect((await mine.client.call('DELETE', `/v1/storage/${own}`)).status).toBe(204)
  const left = sampleKeyOf({ id: kept._id, uploadRequestId: own }, 'before')
  expect(await api.deps.store.head(left)).toBeNull()
  expect(await api.deps.db.$count(samples, eq(samples.uploadRequestId, own))).toBe(0)
})
