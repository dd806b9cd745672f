import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GetObjectCommand, S3Client, type GetObjectCommandOutput } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { mediaJobTasks } from '#server/db/schema.ts'
import type { RunningServer } from '#server/process/startup.ts'
import { CEPH_TREE, startCeph } from '#tests/setup/ceph.ts'
import { joinWorker, startCluster, type Cluster } from '#tests/setup/cluster.ts'
import { makeClip } from '#tests/setup/media.ts'
import { fetchJob, paidWatermark, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'
import type { SignedUp } from '#tests/setup/server.ts'
import { uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

/** Uploads of which a worker has a copy. */
async function copiesOf({ deps }: RunningServer): Promise<readonly string[]> {
  const { scratchDir } = deps.settings
  const [folder = ''] = (await readdir(scratchDir)).filter((name) => name.startsWith('copies-'))
  return (await readdir(join(scratchDir, folder))).map((name) => name.split('.')[0] ?? '')
}

/** How many bytes of a file this process has got from its store since the test began. */
function watchReads(): (objectKey: string) => Promise<number> {
  const send = vi.spyOn(S3Client.prototype, 'send')
  return async (objectKey) => {
    const { calls, results } = send.mock
    let bytes = 0
    for (const [n, [command]] of calls.entries()) {
      if (!(command instanceof GetObjectCommand) || command.input.Key !== objectKey) continue
      const answer = (await results[n]?.value) as GetObjectCommandOutput | undefined
      bytes += answer?.ContentLength ?? 0
    }
    return bytes
  }
}

describe.skipIf(CEPH_TREE === null)(
  'an API and a worker that share no folder (ONECUT_CEPH_DIR)',
  () => {
    let ceph: Awaited<ReturnType<typeof startCeph>>
    let cluster: Cluster
    let me: SignedUp
    let uploadId: string
    let readOf: ReturnType<typeof watchReads>

    beforeAll(async () => {
      readOf = watchReads()
      ceph = await startCeph(CEPH_TREE ?? '')
      cluster = await startCluster(ceph.place)
      me = await cluster.api.signUp()
    }, patience(90))
    afterAll(async () => {
      vi.restoreAllMocks()
      await cluster?.stop()
      await ceph?.stop()
    })

    it('SCL-01 SCL-02 SCL-08 a video goes to the store, is fetched once to be checked and edited, and is downloaded, and no byte of it is in a folder of the API', async () => {
      const { api, folder } = cluster
      const clip = join(folder, `${randomUUID()}.mp4`)
      await makeClip(clip, 4, { size: '320x180' })
      const bytes = await readFile(clip)
      const { _id } = await uploadBytes(me.client, bytes)
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
      expect(await readOf(`uploads/${_id}`)).toBe(bytes.length)
      uploadId = _id
    })

    it('SCL-05 SCL-08 nine more edits of it read the copy on the worker, and fetch nothing of the video', async () => {
      const figure = async (name: string): Promise<number> => {
        const text = await cluster.worker.deps.metrics.text()
        const line = text.split('\n').find((each) => each.startsWith(`${name} `))
        return Number(line?.split(' ')[1] ?? 0)
      }
      const fetched = await figure('onecut_copy_bytes_total{how="fetched"}')
      const here = await figure('onecut_copy_bytes_total{how="here"}')
      for (let n = 0; n < 9; n += 1) await paidWatermark(me.client, uploadId)
      const { db } = cluster.api.deps
      const { status } = mediaJobTasks
      await expect
        .poll(async () => await db.selectDistinct({ status }).from(mediaJobTasks), {
          timeout: patience(120),
        })
        .toEqual([{ status: 'succeeded' }])
      expect(await copiesOf(cluster.worker)).toEqual([uploadId])
      expect(await readOf(`uploads/${uploadId}`)).toBe(0)
      expect(await figure('onecut_copy_bytes_total{how="fetched"}')).toBe(fetched)
      expect(await figure('onecut_copy_bytes_total{how="here"}')).toBe(here + 9 * fetched)
      const preset = '{preset="dynamic-watermark"}'
      expect(await figure(`onecut_edits_made_total${preset}`)).toBe(10)
      expect(await figure(`onecut_edit_processor_seconds_total${preset}`)).toBeGreaterThan(0)
    })

    it('SCL-08 a worker that has not got a video makes a teaser of the parts that it shows', async () => {
      const { api, folder } = cluster
      const clip = join(folder, `${randomUUID()}.mp4`)
      await ffmpeg([
        ...'-f lavfi -i testsrc2=s=480x270:r=15:d=240,noise=alls=60:allf=t'.split(' '),
        ...`-c:v libx264 -preset ultrafast -g 30 -qp 12 ${clip}`.split(' '),
      ])
      const bytes = await readFile(clip)
      const { _id } = await uploadBytes(me.client, bytes)
      const stateOf = async () =>
        (await me.client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${_id}`)).body
          .uploadRequest.state
      await expect.poll(stateOf, { timeout: patience(120) }).toBe('validated')
      await cluster.worker.stop()
      const other = await joinWorker(api, join(folder, 'other'))
      onTestFinished(async () => await other.stop())
      const shown = [20_000, 90_000, 160_000].map((startMs) => ({
        startMs,
        endMs: startMs + 5_167,
        isLocked: false,
      }))
      const job = await requestEdits(me.client, _id, [
        { mediaJobTaskPresetSlug: 'teaser-15s', payload: { moments: { shown, banned: [] } } },
      ])
      const before = await readOf(`uploads/${_id}`)
      expect(before).toBe(bytes.length)
      await payFor(me.client, job._id)
      const task = async () => (await fetchJob(me.client, job._id)).tasks[0]
      await expect
        .poll(async () => (await task())?.status, { timeout: patience(120) })
        .toBe('succeeded')
      const fetched = (await readOf(`uploads/${_id}`)) - before
      expect(fetched).toBeGreaterThan(0)
      expect(fetched).toBeLessThan(0.3 * bytes.length)
    })
  },
)
