import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningServer } from '#server/process/startup.ts'
import { CEPH_TREE, startCeph } from '#tests/setup/ceph.ts'
import { startCluster, type Cluster } from '#tests/setup/cluster.ts'
import { makeClip } from '#tests/setup/media.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import type { SignedUp } from '#tests/setup/server.ts'
import { uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

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
    let cluster: Cluster
    let me: SignedUp
    let uploadId: string

    beforeAll(async () => {
      ceph = await startCeph(CEPH_TREE ?? '')
      cluster = await startCluster(ceph.place)
      me = await cluster.api.signUp()
    }, patience(90))
    afterAll(async () => {
      await cluster?.stop()
      await ceph?.stop()
    })

    it('SCL-01 SCL-02 a video goes to the store, is checked, edited and downloaded, and no byte of it is in a folder of the API', async () => {
      const { api, folder } = cluster
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
      expect(await copiesOf(cluster.worker)).toEqual([uploadId])
    })
  },
)
