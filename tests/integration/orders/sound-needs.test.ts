import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { TestClient } from '#tests/setup/client.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'
import {
  attestation,
  balance,
  fetchJob,
  payFor,
  requestEdits,
  type MediaJob,
} from '#tests/setup/order.ts'
import { samplesOf } from '#tests/integration/recipes/voice.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, uploadFile, type UploadRequest } from '#tests/setup/upload.ts'

const MUSIC = { mediaJobTaskPresetSlug: 'remove-background-music' } as const
const SOUND_EDITS = [
  MUSIC,
  { mediaJobTaskPresetSlug: 'enhanced-audio-full-scene' },
  { mediaJobTaskPresetSlug: 'denoised-full-scene' },
] as const
/** A voice in the middle, and music: of another pitch in each channel, or the same in both. */
const SOUNDS = { apart: [300, 470], alike: [300, 300] } as const
const VOICE_HZ = 150
const VOICE = `0.3*sin(2*PI*${VOICE_HZ}*t)*gt(sin(6*t),0)`

let server: TestServer
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-sound-needs-'))
  for (const [name, [left, right]] of Object.entries(SOUNDS))
    await ffmpeg([
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=320x180:rate=25:duration=6',
      '-f',
      'lavfi',
      '-i',
      `aevalsrc='${[left, right].map((music) => `${VOICE}+0.2*sin(2*PI*${music}*t)`).join('|')}':s=48000:d=6`,
      ...'-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac -b:a 192k'.split(' '),
      '-movflags',
      '+faststart',
      join(dir, `${name}.mp4`),
    ])
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
    { timeout: 60_000, interval: 100 },
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
  }, 120_000)

  it('REC-15 REC-16 REC-17 every edit of the sound is ordered, paid and made where the channels differ', async () => {
    const { client } = await server.signUp()
    const upload = await uploadFile(client, join(dir, 'apart.mp4'))
    await isChecked(client, upload._id)
    const job = await requestEdits(client, upload._id, SOUND_EDITS)
    await payFor(client, job._id)
    const done = await vi.waitFor(
      async (): Promise<MediaJob> => {
        const now = await fetchJob(client, job._id)
        expect(now.tasks.every(({ status }) => ['succeeded', 'failed'].includes(status))).toBe(true)
        return now
      },
      { timeout: 120_000, interval: 300 },
    )
    expect(done.tasks.map(({ status, errorMessage }) => [status, errorMessage])).toEqual([
      ['succeeded', null],
      ['succeeded', null],
      ['succeeded', null],
    ])
    expect(await balance(client)).toBe(1000 - 30 - 15 - 25)
    const [output] = done.tasks[0]?.outputs ?? []
    if (output?.kind !== 'download-button') throw new Error('There is nothing to download')
    const made = join(dir, 'less-music.mp4')
    await writeFile(made, (await client.get(output.downloadUrl)).bytes)
    const before = await musicOverVoice(join(dir, 'apart.mp4'))
    expect(before - (await musicOverVoice(made))).toBeGreaterThan(10)
  }, 240_000)
})

/** How much louder the tones of the music are than the voice, in dB. */
async function musicOverVoice(path: string): Promise<number> {
  const samples = await samplesOf(path)
  const [voice = 0, left = 0, right = 0] = [VOICE_HZ, ...SOUNDS.apart].map((hz) => {
    const parts = [Math.sin, Math.cos].map((wave) =>
      samples.reduce((sum, each, at) => sum + each * wave((2 * Math.PI * hz * at) / 16_000), 0),
    )
    return parts.reduce((sum, part) => sum + part ** 2, 0)
  })
  return 10 * Math.log10((left + right) / voice)
}
