import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import {
  choiceOf,
  moved,
  surprised,
  swapped,
  withBan,
  withLock,
  withPoints,
  type MomentBoard,
} from '#recipes/moment-board.ts'
import type { MomentChoice } from '#recipes/moment-choice.ts'
import { teaser15s } from '#recipes/teaser-15s/preset.ts'
import { searchAhead } from '#server/operations/tasks/search-ahead.ts'
import { validateUpload } from '#server/operations/uploads/validate.ts'
import { probe } from '#tests/fixtures/probes.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { CODED_RATE, codesOf, differencesFrom, makeCodedClip } from '#tests/setup/coded-clip.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, uploadFile } from '#tests/setup/upload.ts'
import { startWorker } from '#tests/setup/worker.ts'

type UploadMoments = components['schemas']['UploadMoments']

const SECONDS = 60
let api: TestServer
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-board-'))
  await makeCodedClip(join(dir, 'clip.mp4'), SECONDS)
  api = await startTestServer()
}, 60_000)
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const askFor = (client: TestClient, id: string) =>
  client.get<{ uploadMoments: UploadMoments }>(`/v1/upload-requests/${id}/moments`)

/** A video of one device that was checked and searched. */
async function searchedVideo({ client }: SignedUp): Promise<string> {
  const { _id } = await uploadFile(client, join(dir, 'clip.mp4'))
  const signal = AbortSignal.timeout(60_000)
  await validateUpload(api.deps, { uploadRequestId: _id, signal })
  expect((await askFor(client, _id)).body.uploadMoments).toMatchObject({
    state: 'searching',
    moments: [],
    pictures: null,
  })
  await searchAhead(api.deps, { uploadRequestId: _id, signal })
  return _id
}

/** What the page makes of the answer of the server. */
function boardOf({ source, moments, pictures }: UploadMoments) {
  if (source === null) throw new Error('not checked')
  const film = probe({ ...source, nominalRate: source.nominalRate ?? source.frameRate })
  const rule = teaser15s.recipe.momentRule?.(film) ?? null
  const timeline = teaser15s.recipe.timeline?.(film, {}, { moments })
  if (rule === null || timeline?.ok !== true) throw new Error('nothing to choose')
  const board: MomentBoard = {
    sourceDurationMs: film.durationMs,
    moments,
    placesMs: (pictures?.placesMs ?? []).toSorted((a, b) => a - b),
    rule,
    usualCount: timeline.value.length,
  }
  return { board, begin: choiceOf(timeline.value) }
}

const teaserOf = (moments: MomentChoice) => [
  {
    mediaJobTaskPresetSlug: 'teaser-15s' as const,
    payload: {
      moments: { shown: [...moments.shown], banned: [...moments.banned] },
    },
  },
]

async function deliveredBy(me: SignedUp, jobId: string): Promise<(number | null)[]> {
  const worker = await startWorker(api)
  try {
    await vi.waitFor(
      async () => expect((await fetchJob(me.client, jobId)).tasks[0]?.status).toBe('succeeded'),
      { timeout: 90_000, interval: 200 },
    )
  } finally {
    worker.kill('SIGKILL')
  }
  const [task] = (await fetchJob(me.client, jobId)).tasks
  const path = join(dir, `${jobId}.mp4`)
  const address = `/v1/media-job-tasks/${task?._id}/outputs/${task?.outputs[0]?._id}/download`
  await writeFile(path, await bytesOf(me.client, address))
  return await codesOf(path)
}

async function bytesOf(client: TestClient, path: string): Promise<Buffer> {
  const answer = await client.get(path)
  expect(answer.status).toBe(200)
  return Buffer.from(answer.bytes)
}

describe('the moment board', () => {
  it('REC-21 exactly the moments that were chosen from the answer of the server are delivered, in their order', async () => {
    const me = await api.signUp()
    const id = await searchedVideo(me)
    const { board, begin } = boardOf((await askFor(me.client, id)).body.uploadMoments)
    // As a person does: lock two, ban one, swap one, be surprised, add an own one, and move it.
    const banned = withBan(board, withLock(withLock(begin, 0, true), 3, true), 2)
    const swappedOne = swapped(board, banned ?? begin, 4)
    const other = surprised(board, swappedOne ?? begin, 11)
    const own = { startMs: 20_040, endMs: 22_680 }
    const added = withPoints(board, other, null, own)
    const choice = moved(
      added,
      added.shown.findIndex(({ startMs }) => startMs === own.startMs),
      0,
    )
    expect(banned).not.toBeNull()
    expect(swappedOne).not.toBeNull()
    expect(choice).not.toEqual(begin)
    const job = await requestEdits(me.client, id, teaserOf(choice))
    await payFor(me.client, job._id)
    const codes = await deliveredBy(me, job._id)
    expect(codes).toHaveLength(15 * CODED_RATE)
    expect(differencesFrom(codes, choice.shown, board.rule.overlapMs)).toEqual([])
    expect(differencesFrom(codes, begin.shown, board.rule.overlapMs)).not.toEqual([])
  }, 180_000)

  it('REC-21 every tile is a picture of its place, for the owner only', async () => {
    const me = await api.signUp()
    const id = await searchedVideo(me)
    const { pictures } = (await askFor(me.client, id)).body.uploadMoments
    if (pictures === null) throw new Error('no pictures')
    expect(pictures.placesMs.length).toBeGreaterThan(20)
    expect(pictures).toMatchObject({ tileWidth: 192, tileHeight: 108 })
    const address = pictures.url.replace('/editors/api', '')
    const sheet = join(dir, 'sheet.jpg')
    await writeFile(sheet, await bytesOf(me.client, address))
    for (const index of [0, 9, pictures.placesMs.length - 1]) {
      const { columns, tileWidth, tileHeight } = pictures
      const corner = `${(index % columns) * tileWidth}:${Math.floor(index / columns) * tileHeight}`
      const [code] = await codesOf(sheet, `crop=${tileWidth}:${tileHeight}:${corner}`)
      expect(
        Math.abs((code ?? -99) - ((pictures.placesMs[index] ?? 0) * CODED_RATE) / 1000),
      ).toBeLessThanOrEqual(1)
    }
    const stranger = await api.signUp()
    expect((await stranger.client.get(address)).status).toBe(404)
    expect((await askFor(stranger.client, id)).status).toBe(404)
    expect((await me.client.delete(`/v1/storage/${id}`)).status).toBe(204)
    expect((await me.client.get(address)).status).toBe(404)
    expect(await api.deps.store.head(`moments/${id}.jpg`)).toBeNull()
  }, 120_000)

  it('REC-21 moments that do not fit, or come before the check, are refused before a price', async () => {
    const me = await api.signUp()
    const send = (uploadRequestId: string, shown: MomentChoice['shown']) =>
      me.client.post('/v2/media-jobs', {
        mediaJob: {
          uploadRequestId,
          mediaJobTaskRequests: teaserOf({ shown, banned: [] }),
        },
      })
    const unchecked = (await beginUpload(me.client, 5))._id
    expect((await askFor(me.client, unchecked)).body.uploadMoments.state).toBe('unchecked')
    const whole = [{ startMs: 0, endMs: 15_000, isLocked: true }]
    const field = 'mediaJob.mediaJobTaskRequests.0.payload.moments'
    const refused = {
      status: 422,
      body: { error: { code: 'request/invalid', fields: { [field]: expect.any(String) } } },
    }
    expect(await send(unchecked, whole)).toMatchObject(refused)
    const id = await searchedVideo(me)
    expect(await send(id, [{ startMs: 0, endMs: 9000, isLocked: true }])).toMatchObject(refused)
    expect(await send(id, [{ startMs: 50_000, endMs: 65_000, isLocked: true }])).toMatchObject(
      refused,
    )
    expect((await send(id, whole)).status).toBe(201)
  }, 120_000)
})
