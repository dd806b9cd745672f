import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { uploadRequests } from '#server/db/schema.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

let server: TestServer
let me: SignedUp
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-findings-'))
  server = await startTestServer({ isWorker: true })
  me = await server.signUp()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const H264 = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-c:a',
  'aac',
] as const

async function checked(
  name: string,
  output: readonly string[],
  more: { readonly size?: string; readonly purpose?: 'media-asset' } = {},
): Promise<UploadRequest> {
  await makeClip(join(folder, name), 2, { size: more.size ?? '854x480', output })
  const { _id } = await uploadBytes(me.client, new Uint8Array(await readFile(join(folder, name))), {
    name,
    ...(more.purpose === undefined ? {} : { purpose: more.purpose }),
  })
  return await vi.waitFor(
    async () => {
      const answer = await me.client.get<{ uploadRequest: UploadRequest }>(
        `/v1/upload-requests/${_id}/metadata`,
      )
      if (answer.status !== 200) throw new Error('still being checked')
      return answer.body.uploadRequest
    },
    { timeout: patience(30), interval: 50 },
  )
}

it('UPL-12 says what the pre-checks found in the stored file, in every answer that holds the upload', async () => {
  const upload = await checked('small.mov', [...H264, '-metadata', 'location=+51.5000-000.1000/'], {
    size: '320x180',
  })
  const findings = [
    { ruleId: 'A12', verdict: 'warn', facts: { width: 320, height: 180 } },
    { ruleId: 'B9', verdict: 'info', facts: { kind: 'place' } },
  ]
  expect(upload.findings).toEqual(findings)
  const list = await me.client.get<{ uploadRequests: readonly UploadRequest[] }>(
    '/v1/upload-requests',
  )
  expect(list.body.uploadRequests.find((each) => each._id === upload._id)?.findings).toEqual(
    findings,
  )
})

it('UPL-12 says nothing of an ordinary video, and of a codec only what turned out', async () => {
  expect((await checked('plain.mp4', H264)).findings).toEqual([])
  expect(
    (await checked('huffman.avi', ['-c:v', 'huffyuv', '-c:a', 'libmp3lame'])).findings,
  ).toEqual([])
})

it('UPL-12 says of a media asset how it will look, not how small it is; of rows older than the checks nothing', async () => {
  const hdr = [
    '-color_primaries',
    'bt2020',
    '-color_trc',
    'smpte2084',
    '-colorspace',
    'bt2020nc',
    ...H264,
  ]
  expect(
    (await checked('intro.mp4', hdr, { size: '320x180', purpose: 'media-asset' })).findings,
  ).toEqual([{ ruleId: 'A17', verdict: 'info', facts: {} }])
  const older = await checked('older.mp4', H264)
  await server.deps.db
    .update(uploadRequests)
    .set({ findings: null })
    .where(eq(uploadRequests.id, older._id))
  expect(
    (await me.client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${older._id}`)).body
      .uploadRequest.findings,
  ).toBeNull()
})
