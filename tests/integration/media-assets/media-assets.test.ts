import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import {
  deletionLog,
  mediaAssets,
  mediaJobs,
  mediaJobTasks,
  uploadRequests,
} from '#server/db/schema.ts'
import { probeFile } from '#server/media/probe.ts'
import { sweepAssets } from '#server/operations/media/media-assets/delete.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, uploadFile } from '#tests/setup/upload.ts'
import { rawPictures } from '#tests/setup/raw-pictures.ts'

type MediaAsset = components['schemas']['MediaAsset']
type Room = components['schemas']['MediaAssetRoom']
interface List {
  readonly mediaAssets: readonly MediaAsset[]
  readonly mediaAssetRoom: Room
}

let server: TestServer
let me: SignedUp
let other: SignedUp
let dir: string
let now = Date.now()
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-assets-'))
  server = await startTestServer({
    isWorker: true,
    clock: () => new Date(now),
    env: { ONECUT_ACCOUNT_ASSETS_GB: '1' },
  })
  me = await server.signUp()
  other = await server.signUp()
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Makes a file by ffmpeg, sends it as an asset and names it. */
async function sendAsset(
  { client }: SignedUp,
  name: string,
  make: readonly string[],
): Promise<MediaAsset> {
  const { _id } = await uploadFile(client, await keptClip(name, make), {
    name,
    purpose: 'media-asset',
  })
  const named = await client.post<{ mediaAsset: MediaAsset }>('/v1/media-assets', {
    mediaAsset: { uploadRequestId: _id, name },
  })
  expect(named.status).toBe(201)
  return named.body.mediaAsset
}

async function listOf({ client }: SignedUp): Promise<List> {
  return (await client.get<List>('/v1/media-assets')).body
}

/** The asset once `isReady` says so of its format. */
async function settled(
  person: SignedUp,
  id: string,
  isReady: (format: NonNullable<MediaAsset['format']>) => boolean,
): Promise<MediaAsset> {
  return await vi.waitFor(
    async () => {
      const asset = (await listOf(person)).mediaAssets.find(({ _id }) => _id === id)
      if (asset?.format == null || !isReady(asset.format)) throw new Error('still processing')
      return asset
    },
    { timeout: patience(30), interval: 50 },
  )
}

const isPlayable = (format: NonNullable<MediaAsset['format']>): boolean =>
  'previewUrl' in format && format.previewUrl !== null

/** Red, green and blue of a place (0..1) of a picture. */
async function colorAt(picture: Uint8Array, x: number, y: number): Promise<readonly number[]> {
  await writeFile(join(dir, 'seen.jpg'), picture)
  const filter = `crop=2:2:iw*${x}:ih*${y},scale=1:1:flags=area,format=rgb24`
  return [...(await rawPictures(join(dir, 'seen.jpg'), filter))]
}

async function probeBytes(bytes: Uint8Array) {
  await writeFile(join(dir, 'seen.mp4'), bytes)
  const never = new AbortController().signal
  const probed = await probeFile(await testFfmpeg(), join(dir, 'seen.mp4'), 'seen.mp4', dir, never)
  if (!probed.ok) throw new Error(probed.error.detail)
  return probed.value
}

it('AST-04 shows a video by its brightest picture and a loop, a sound by its beginning, a logo on grey', async () => {
  // Black for most of its time, as intros are; green from 85 % on.
  const intro = await sendAsset(me, 'intro.mp4', [
    '-f',
    'lavfi',
    '-i',
    'color=black:size=1280x720:rate=10:duration=8.5',
    '-f',
    'lavfi',
    '-i',
    'color=0x00ff00:size=1280x720:rate=10:duration=1.5',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=10',
    '-filter_complex',
    '[0][1]concat=n=2:v=1[v]',
    '-map',
    '[v]',
    '-map',
    '2:a',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
  ])
  const song = await sendAsset(me, 'song.mp3', ['-f', 'lavfi', '-i', 'sine=duration=40'])
  const logo = await sendAsset(me, 'logo.png', [
    '-f',
    'lavfi',
    '-i',
    'color=red:size=200x100,format=rgba,geq=r=255:g=0:b=0:a=255*gt(X\\,W/2)',
    '-frames:v',
    '1',
    '-update',
    '1',
  ])
  const shownIntro = await settled(me, intro._id, isPlayable)
  expect(shownIntro).toMatchObject({
    name: 'intro.mp4',
    sizeBytes: expect.any(Number) as number,
    format: {
      slug: 'video',
      duration: expect.closeTo(10_000, -2) as number,
      width: 1280,
      height: 720,
    },
  })
  const shownSong = await settled(me, song._id, isPlayable)
  expect(shownSong.format).toMatchObject({
    slug: 'audio',
    duration: expect.closeTo(40_000, -2) as number,
  })
  const shownLogo = await settled(me, logo._id, () => true)
  expect(shownLogo.format).toMatchObject({
    slug: 'image',
    width: 200,
    height: 100,
    // Its left half is transparent.
    drawn: { width: 99, height: 100, isTransparent: true },
  })
  const list = await listOf(me)
  expect(list.mediaAssets.map(({ name }) => name)).toEqual(['logo.png', 'song.mp3', 'intro.mp4'])
  expect(list.mediaAssetRoom).toEqual({
    count: 3,
    maxCount: 200,
    bytes: list.mediaAssets.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    maxBytes: 1e9,
  })

  const picture = await me.client.get(`/v1/media-assets/${intro._id}/thumbnail`)
  const headers = Object.fromEntries(picture.headers)
  expect([picture.status, headers]).toMatchObject([
    200,
    {
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  ])
  const [red = 255, green = 0] = await colorAt(picture.bytes, 0.5, 0.5)
  expect(red < 40 && green > 200).toBe(true)
  const again = await me.client.get(`/v1/media-assets/${intro._id}/thumbnail`, {
    headers: { 'if-none-match': headers['etag'] ?? '' },
  })
  expect(again.status).toBe(304)
  const loop = await me.client.get(`/v1/media-assets/${intro._id}/preview`)
  expect(loop.headers.get('content-type')).toBe('video/mp4')
  expect((await probeBytes(loop.bytes)).source).toMatchObject({
    durationMs: 6000,
    isHdr: false,
    width: 852,
    height: 480,
    hasAudio: false,
    videoCodec: 'h264',
  })
  const beginning = await me.client.get(`/v1/media-assets/${song._id}/preview`, {
    headers: { range: 'bytes=0-99' },
  })
  expect([beginning.status, beginning.bytes.length]).toEqual([206, 100])
  const heard = await me.client.get(`/v1/media-assets/${song._id}/preview`)
  expect(heard.headers.get('content-type')).toBe('audio/mp4')
  const { claimedMs, source } = await probeBytes(heard.bytes)
  expect([Math.round(claimedMs / 1000), source.audioCodec]).toEqual([30, 'aac'])
  const { bytes } = await me.client.get(`/v1/media-assets/${logo._id}/thumbnail`)
  const ground = await colorAt(bytes, 0.1, 0.5)
  expect(ground.every((part) => Math.abs(part - 128) < 12)).toBe(true)
  expect((await colorAt(bytes, 0.9, 0.5))[0]).toBeGreaterThan(220)

  for (const file of ['thumbnail', 'preview'])
    expect((await other.client.get(`/v1/media-assets/${intro._id}/${file}`)).status).toBe(404)
})

it('AST-04 renames an asset, and deletes it with every byte of it', async () => {
  const person = await server.signUp()
  const asset = await sendAsset(person, 'bye.mp3', ['-f', 'lavfi', '-i', 'sine=duration=2'])
  await settled(person, asset._id, isPlayable)
  const renamed = await person.client.patch<{ mediaAsset: MediaAsset }>(
    `/v1/media-assets/${asset._id}`,
    { mediaAsset: { name: '  Closing sound ' } },
  )
  expect(renamed.body.mediaAsset.name).toBe('Closing sound')
  const { store, db } = server.deps
  const [upload] = await db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, asset.uploadRequestId))
  const keys = [upload?.objectKey ?? '', `previews/${asset.uploadRequestId}.mp4`]
  for (const key of keys) expect(await store.head(key)).not.toBeNull()
  expect((await person.client.delete(`/v1/media-assets/${asset._id}`)).status).toBe(204)
  for (const key of keys) expect(await store.head(key)).toBeNull()
  expect((await listOf(person)).mediaAssets).toEqual([])
  expect((await listOf(person)).mediaAssetRoom).toMatchObject({ count: 0, bytes: 0 })
  for (const path of ['/preview', '/thumbnail'])
    expect((await person.client.get(`/v1/media-assets/${asset._id}${path}`)).status).toBe(404)
  expect((await person.client.delete(`/v1/media-assets/${asset._id}`)).status).toBe(404)
  const back = await person.client.post<{ error: { code: string } }>('/v1/media-assets', {
    mediaAsset: { uploadRequestId: asset.uploadRequestId, name: 'Again' },
  })
  expect([back.status, back.body.error.code]).toEqual([409, 'uploads/aborted'])
  const log = await db.select().from(deletionLog).where(eq(deletionLog.userId, person.userId))
  expect(log.map(({ what, doneAt }) => [what, doneAt !== null])).toEqual([
    ['source', true],
    ['picture', true],
  ])
})

it('AST-04 keeps a deleted asset for the edits that may still be paid, and refuses for those that are', async () => {
  const person = await server.signUp()
  const asset = await sendAsset(person, 'kept.mp3', ['-f', 'lavfi', '-i', 'sine=duration=2'])
  await settled(person, asset._id, isPlayable)
  const { db, store } = server.deps
  const { jobId, taskIds } = await storeJob(server.deps, person.userId, ['tube-cut'])
  const [taskId = ''] = taskIds
  const payload = { targetDuration: 0, introMediaAssetIds: [asset._id], outroMediaAssetIds: [] }
  await db.update(mediaJobTasks).set({ payload }).where(eq(mediaJobTasks.id, taskId))
  const setStarted = async (workflowStartedAt: Date | null): Promise<unknown> =>
    await db.update(mediaJobs).set({ workflowStartedAt }).where(eq(mediaJobs.id, jobId))

  await setStarted(new Date(now))
  const refused = await person.client.delete<{ error: { code: string } }>(
    `/v1/media-assets/${asset._id}`,
  )
  expect([refused.status, refused.body.error.code]).toEqual([409, 'media-assets/in-use'])

  await setStarted(null)
  expect((await person.client.delete(`/v1/media-assets/${asset._id}`)).status).toBe(204)
  expect((await listOf(person)).mediaAssets).toEqual([])
  await sweepAssets(server.deps)
  expect(await store.head(`previews/${asset.uploadRequestId}.mp4`)).not.toBeNull()

  await db.update(mediaJobTasks).set({ status: 'canceled' }).where(eq(mediaJobTasks.id, taskId))
  await sweepAssets(server.deps)
  expect(await store.head(`previews/${asset.uploadRequestId}.mp4`)).toBeNull()
  expect(await db.select().from(mediaAssets).where(eq(mediaAssets.id, asset._id))).toEqual([])
})

it('AST-04 refuses what the assets of an account have no room for, and removes what got no name', async () => {
  const person = await server.signUp()
  const begin = async (name: string, sizeBytes: number) =>
    await person.client.post<{ error?: { code: string; message: string } }>('/v2/upload-requests', {
      uploadRequest: {
        idempotencyKey: crypto.randomUUID(),
        purpose: 'media-asset',
        upload: {
          provider: 's3-multipart',
          metadata: { clientFilename: name, clientFileSize: sizeBytes },
        },
      },
    })
  const tooMuch = await begin('intro.mp4', 1e9 + 1)
  expect([tooMuch.status, tooMuch.body.error]).toEqual([
    422,
    {
      code: 'media-assets/account-full',
      message:
        'Your media assets may take up to 1 GB together, and with this one they would take 1.1 GB. Delete some first, or choose a smaller file.',
    },
  ])
  expect((await begin('logo.svg', 1000)).body.error?.message).toBe(
    'SVG images cannot be used. Please export it as PNG and upload that.',
  )
  const { db } = server.deps
  const { _id } = await beginUpload(person.client, 1000, {
    name: 'logo.png',
    purpose: 'media-asset',
  })
  const [row] = await db.select().from(uploadRequests).where(eq(uploadRequests.id, _id))
  if (row === undefined) throw new Error('the upload was not stored')
  await db.insert(uploadRequests).values(
    Array.from({ length: 199 }, () => {
      const id = crypto.randomUUID()
      const ended = { state: 'validated', uploadEndedAt: new Date(now) } as const
      return { ...row, ...ended, id, idempotencyKey: id, objectKey: `uploads/${id}` }
    }),
  )
  expect((await begin('one-more.png', 1000)).body.error?.code).toBe('media-assets/too-many')
  await db.update(uploadRequests).set({ state: 'failed' }).where(eq(uploadRequests.id, _id))
  expect((await listOf(person)).mediaAssetRoom).toMatchObject({ count: 199, bytes: 200_000 })
  await person.client.delete(`/v1/upload-requests/${_id}`)
  expect((await listOf(person)).mediaAssetRoom).toMatchObject({ count: 199, bytes: 199_000 })
  expect((await begin('the-last.png', 1000)).status).toBe(201)
  now += 8 * 86_400_000
  await sweepAssets(server.deps)
  await sweepAssets(server.deps)
  expect((await begin('one-more.png', 1000)).status).toBe(201)
})
