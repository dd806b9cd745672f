import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { TestClient } from '#tests/setup/client.ts'
import {
  attestation,
  balance,
  fetchJob,
  payFor,
  requestEdits,
  type MediaJob,
} from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { makeVoiceOverMusic, MUSIC_HZ, musicOverVoice } from '#tests/setup/voice-over-music.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, uploadFile, type UploadRequest } from '#tests/setup/upload.ts'

const MUSIC = { mediaJobTaskPresetSlug: 'remove-background-music' } as const
const SOUND_EDITS = [
  MUSIC,
  { mediaJobTaskPresetSlug: 'enhanced-audio-full-scene' },
  { mediaJobTaskPresetSlug: 'denoised-full-scene' },
] as const
/** Music of another pitch in each channel, or the same in both. */
const SOUNDS = { apart: MUSIC_HZ, alike: [MUSIC_HZ[0], MUSIC_HZ[0]] } as const

let server: TestServer
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-sound-needs-'))
  for (const [name, [left, right]] of Object.entries(SOUNDS))
    await makeVoiceOverMusic(join(dir, `${name}.mp4`), 6, [left, right])
  server = await startTestServer({ isWorker: true, env: { ONECUT_WORKERS: '1' } })
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Waits for the check of the whole file, which measures how much its channels differ. */
const isChecked = (client: TestClient, id: string): Promise<void> =>
  vi.waitFor(
    async () => {
      const { body } = await client.get<{ uploadRequest: UploadRequest }>(
        `/v1/upload-requests/${id}`,
      )
      expect(body.uploadRequest.isValidated).toBe(true)
    },
    { timeout: patience(60), interval: 100 },
  )

const order = (client: TestClient, mediaJobId: string) =>
  client.post('/v1/orders', { order: { mediaJobId, attestation } })

describe('what an edit of the sound needs of it', () => {
  it('REC-17 turning music down is refused before a price where both channels have the same, and nothing is charged', async () => {
    const { client } = await server.signUp()
    // Chosen before the file is here, as people do while it uploads.
    const bytes = await readFile(join(dir, 'alike.mp4'))
    const upload = await beginUpload(client, bytes.length)
    const job = await requestEdits(client, upload._id, [MUSIC])
    const parts = await sendParts(client, upload, bytes)
    expect(await order(client, job._id)).toMatchObject({
      status: 409,
      body: { error: { code: 'orders/metadata-pending' } },
    })
    await client.patch(`/v1/upload-requests/${upload._id}`, {
      uploadRequest: { upload: { parts } },
    })
    await isChecked(client, upload._id)
    const refusal = {
      status: 422,
      body: {
        error: {
          code: 'presets/needs-sound',
          message:
            'Voices and music of this video are in one channel, so "Remove Background Music" cannot turn the music down by itself. Nothing was charged.',
        },
      },
    }
    expect(await order(client, job._id)).toMatchObject(refusal)
    const again = await client.post('/v2/media-jobs', {
      mediaJob: { uploadRequestId: upload._id, mediaJobTaskRequests: SOUND_EDITS },
    })
    expect(again).toMatchObject(refusal)
    expect(await fetchJob(client, job._id)).toMatchObject({ orderIsPlaced: false, orderId: null })
    expect(await balance(client)).toBe(1000)
  })

  it('REC-17 turning music down is ordered, paid and made where the channels differ', async () => {
    const { client } = await server.signUp()
    const upload = await uploadFile(client, join(dir, 'apart.mp4'))
    await isChecked(client, upload._id)
    const job = await requestEdits(client, upload._id, [MUSIC])
    await payFor(client, job._id)
    const done = await vi.waitFor(
      async (): Promise<MediaJob> => {
        const now = await fetchJob(client, job._id)
        expect(now.tasks.every(({ status }) => ['succeeded', 'failed'].includes(status))).toBe(true)
        return now
      },
      { timeout: patience(120), interval: 300 },
    )
    expect(done.tasks.map(({ status, errorMessage }) => [status, errorMessage])).toEqual([
      ['succeeded', null],
    ])
    expect(await balance(client)).toBe(1000 - 30)
    const [output] = done.tasks[0]?.outputs ?? []
    if (output?.kind !== 'download-button') throw new Error('There is nothing to download')
    const made = join(dir, 'less-music.mp4')
    await writeFile(made, (await client.get(output.downloadUrl)).bytes)
    const before = await musicOverVoice(join(dir, 'apart.mp4'))
    expect(before - (await musicOverVoice(made))).toBeGreaterThan(10)
  })
})
