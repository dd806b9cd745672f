import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import type { S3Place } from '#server/object-store/s3/place.ts'
import { startServer, type RunningServer } from '#server/process/startup.ts'
import { CEPH_TREE, startCeph } from '#tests/setup/ceph.ts'
import { makeClip } from '#tests/setup/media.ts'
import { withoutSearches } from '#tests/setup/no-searches.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

/** The settings that reach a bucket. */
function envOf(place: S3Place): Record<string, string> {
  return {
    S3_BUCKET: place.bucket,
    S3_ENDPOINT: place.endpoint ?? '',
    S3_ACCESS_KEY_ID: place.accessKeyId,
    S3_SECRET_ACCESS_KEY: place.secretAccessKey,
  }
}

/** Uploads of which a worker has a copy. */
async function copiesOf({ deps }: RunningServer): Promise<string[]> {
  const { scratchDir } = deps.settings
  const [folder = ''] = (await readdir(scratchDir)).filter((name) => name.startsWith('copies-'))
  return await readdir(join(scratchDir, folder))
}

describe.skipIf(CEPH_TREE === null)(
  'an API and a worker that share no folder (ONECUT_CEPH_DIR)',
  () => {
    let ceph: Awaited<ReturnType<typeof startCeph>>
    let api: TestServer
    let worker: RunningServer
    let folder: string
    let me: SignedUp
    let uploadId: string

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'onecut-cluster-'))
      ceph = await startCeph(CEPH_TREE ?? '')
      const env = envOf(ceph.place)
      api = await startTestServer({ env: { ...env, FFMPEG_PATH: '' } })
      const { settings, db } = api.deps
      const connection = { ...inject('postgres'), database: db.$client.options.database ?? '' }
      const settingsOfWorker = readSettings({
        NODE_ENV: 'test',
        ...env,
        ONECUT_ROLE: 'worker',
        ONECUT_DATA_DIR: join(folder, 'worker'),
        ONECUT_SCRATCH_DIR: join(folder, 'scratch'),
        ONECUT_KEYS: await readFile(settings.keysFile, 'utf8'),
      })
      worker = await startServer(
        settingsOfWorker,
        createLog(() => undefined),
        {
          replacements: { connection },
        },
      )
      withoutSearches(worker.deps)
      me = await api.signUp()
    }, patience(90))
    afterAll(async () => {
      await worker?.stop()
      await api?.stop()
      await ceph?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    it('SCL-01 SCL-02 a video goes to the store, is checked, edited and downloaded, and no byte of it is in a folder of the API', async () => {
      const clip = join(folder, `${randomUUID()}.mp4`)
      await makeClip(clip, 4, { size: '320x180' })
      const { _id } = await uploadBytes(me.client, await readFile(clip))
      const read = async () =>
        (await me.client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${_id}`)).body
          .uploadRequest
      await expect
        .poll(async () => (await read()).state, { timeout: patience(60) })
        .toBe('validated')
      const job = await requestEdits(me.client, _id, [
        { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@me' } },
      ])
      await payFor(me.client, job._id)
      const task = async () => (await fetchJob(me.client, job._id)).tasks[0]
      await expect
        .poll(async () => (await task())?.status, { timeout: patience(60) })
        .toBe('succeeded')
      expect(await readdir(join(api.deps.settings.dataDir, 'store'))).toEqual([])
      // What the API asked of the store while the video came: no part was among it.
      const figures = await api.deps.metrics.text()
      expect(figures).toContain(
        'onecut_store_calls_total{call="CompleteMultipartUpload",outcome="ok"}',
      )
      expect(figures).not.toContain('call="UploadPart"')
      const file = (await task())?.outputs[0]
      if (file?.kind !== 'download-button') throw new Error('The edit has no download')
      const download = await me.client.get(file.downloadUrl)
      expect([download.status, download.bytes.length]).toEqual([200, file.sizeBytes])
      uploadId = _id
    })

    it('SCL-08 its check and its edit read one copy on the worker', async () => {
      expect(await copiesOf(worker)).toEqual([uploadId])
    })
  },
)
