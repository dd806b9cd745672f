import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moved, surprised, swapped, withBan, withLock, withPoints } from '#recipes/moment-board.ts'
import type { MomentChoice } from '#recipes/moment-choice.ts'
import { MOVING_RATE } from '#recipes/moment-video.ts'
import { requestOfMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { CODED_RATE, codedClip, codesOf, differencesFrom } from '#tests/setup/coded-clip.ts'
import {
  askForMoments,
  boardFrom,
  bytesOf,
  download,
  madeBy,
  searchedVideo,
} from '#tests/setup/moments.ts'
import { payFor, requestEdits } from '#tests/setup/order.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload } from '#tests/setup/upload.ts'

const SECONDS = 40
let api: TestServer
let dir: string
let clip: string
let me: SignedUp
/** The upload of the clip, which was searched. */
let id: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-board-'))
  clip = await codedClip(SECONDS)
  api = await startTestServer()
  me = await api.signUp()
  id = await searchedVideo(api, me, clip)
})
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const teaserOf = (moments: MomentChoice) => [
  {
    mediaJobTaskPresetSlug: 'teaser-15s' as const,
    payload: {
      moments: { shown: [...moments.shown], banned: [...moments.banned] },
    },
  },
]

const tubeCut = {
  mediaJobTaskPresetSlug: 'tube-cut',
  payload: { targetDuration: 20_000, introMediaAssetIds: [], outroMediaAssetIds: [] },
} satisfies TaskRequest
/** Those whose moments can be chosen, beside teasers. */
const FORMATS: readonly TaskRequest[] = [
  { mediaJobTaskPresetSlug: 'still-pack' },
  { mediaJobTaskPresetSlug: 'social-media-gif-pack' },
  tubeCut,
  { mediaJobTaskPresetSlug: 'short-trailer-gif', payload: { includeKumshot: true } },
  { mediaJobTaskPresetSlug: 'team-skeet-thumbnail-video' },
]

const ask = (mediaJobTaskRequests: readonly TaskRequest[], uploadRequestId = id) =>
  me.client.post<{ error?: { fields: Readonly<Record<string, string>> } }>('/v2/media-jobs', {
    mediaJob: { uploadRequestId, mediaJobTaskRequests },
  })

/** The address of something, without what the client puts before it. */
const addressOf = (shown: { readonly url: string } | null): string =>
  (shown?.url ?? '').replace('/editors/api', '')

describe('the moment board', () => {
  it('REC-21 tiles and video show the pictures of their places, for the owner only', async () => {
    const { pictures, video } = (await askForMoments(me.client, id)).body.uploadMoments
    if (pictures === null || video === null) throw new Error('no pictures')
    expect(pictures.placesMs.length).toBeGreaterThan(20)
    expect(pictures).toMatchObject({ tileWidth: 192, tileHeight: 108 })
    const address = addressOf(pictures)
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
    const moving = join(dir, 'moving.mp4')
    const videoAddress = addressOf(video)
    const bytes = await bytesOf(me.client, videoAddress)
    await writeFile(moving, bytes)
    expect(video.stretches).toMatchObject([{ startMs: 0, atMs: 0 }])
    const codes = await codesOf(moving)
    expect(codes.length).toBeGreaterThan((SECONDS - 2) * MOVING_RATE)
    const late = codes.map((code, index) => (code ?? -99) - (index * CODED_RATE) / MOVING_RATE)
    expect(late.filter((frames) => Math.abs(frames) > CODED_RATE / MOVING_RATE)).toEqual([])
    const range = { headers: { range: 'bytes=10-19' } }
    const part = await me.client.get(videoAddress, range)
    expect([part.status, Buffer.from(part.bytes)]).toEqual([206, bytes.subarray(10, 20)])
    const stored = () => me.client.get<{ storage: { usedBytes: number } }>('/v1/storage')
    expect((await stored()).body.storage.usedBytes).toBe((await stat(clip)).size + bytes.length)
    const stranger = await api.signUp()
    expect((await askForMoments(stranger.client, id)).status).toBe(404)
    for (const each of [address, videoAddress])
      expect((await stranger.client.get(each)).status).toBe(404)
  })

  it('REC-21 moments that do not fit are refused before a price; of a video on its way the device knows them', async () => {
    const send = (uploadRequestId: string, shown: MomentChoice['shown']) =>
      ask(teaserOf({ shown, banned: [] }), uploadRequestId)
    const unchecked = (await beginUpload(me.client, 5))._id
    expect((await askForMoments(me.client, unchecked)).body.uploadMoments.state).toBe('unchecked')
    const whole = [{ startMs: 0, endMs: 15_000, isLocked: true }]
    const field = 'mediaJob.mediaJobTaskRequests.0.payload.moments'
    const refused = {
      status: 422,
      body: { error: { code: 'request/invalid', fields: { [field]: expect.any(String) } } },
    }
    expect((await send(unchecked, whole)).status).toBe(201)
    expect(await send(id, [{ startMs: 0, endMs: 9000, isLocked: true }])).toMatchObject(refused)
    expect(await send(id, [{ startMs: 50_000, endMs: 65_000, isLocked: true }])).toMatchObject(
      refused,
    )
    expect((await send(id, whole)).status).toBe(201)
    const still = { startMs: 0, endMs: 1, isLocked: true }
    const wrong = [
      [{ mediaJobTaskPresetSlug: 'still-pack' }, still, 'shows 12 moments, not 1'],
      [tubeCut, { ...still, endMs: 30_000 }, '10 s too long for 20 s'],
    ] as const
    for (const [request, one, words] of wrong) {
      const answer = await ask([requestOfMoments(request, { shown: [one], banned: [] })])
      expect(answer).toMatchObject(refused)
      expect(answer.body.error?.fields[field]).toContain(words)
    }
  })

  it('REC-21 every format takes the moments of its board', async () => {
    const found = (await askForMoments(me.client, id)).body.uploadMoments
    const requests = FORMATS.map((request) =>
      requestOfMoments(request, boardFrom(request, found).begin),
    )
    // They take the place of what was asked for before.
    expect((await ask(requests)).status).toBe(200)
  })

  it('REC-21 exactly the moments that were chosen from the answer of the server are delivered, in their order', async () => {
    const { board, begin } = boardFrom(
      { mediaJobTaskPresetSlug: 'teaser-15s' },
      (await askForMoments(me.client, id)).body.uploadMoments,
    )
    const { overlapMs } = board.rule.slots === null ? board.rule : { overlapMs: 0 }
    // As a person does: lock two, ban one, swap one, be surprised, add an own one, and move it.
    const banned = withBan(board, withLock(withLock(begin, 0, true), 3, true), 2)
    const swappedOne = swapped(board, banned ?? begin, 4)
    const other = surprised(board, swappedOne ?? begin, 11)
    const own = { startMs: 20_040, endMs: 22_680 }
    const added = withPoints(board, other, null, own)
    const choice = moved(
      board,
      added,
      added.shown.findIndex(({ startMs }) => startMs === own.startMs),
      0,
    )
    expect(banned).not.toBeNull()
    expect(swappedOne).not.toBeNull()
    expect(choice).not.toEqual(begin)
    const job = await requestEdits(me.client, id, teaserOf(choice))
    await payFor(me.client, job._id)
    const task = await madeBy(api, me.client, job._id)
    const path = join(dir, 'teaser.mp4')
    await download(me.client, task, 0, path)
    const codes = await codesOf(path)
    expect(codes).toHaveLength(15 * CODED_RATE)
    expect(differencesFrom(codes, choice.shown, overlapMs)).toEqual([])
    expect(differencesFrom(codes, begin.shown, overlapMs)).not.toEqual([])
  })

  it('REC-21 what shows the moments goes with the video', async () => {
    const { pictures, video } = (await askForMoments(me.client, id)).body.uploadMoments
    expect((await me.client.delete(`/v1/storage/${id}`)).status).toBe(204)
    for (const shown of [pictures, video])
      expect((await me.client.get(addressOf(shown))).status).toBe(404)
    for (const ending of ['jpg', 'mp4'])
      expect(await api.deps.store.head(`moments/${id}.${ending}`)).toBeNull()
  })
})
