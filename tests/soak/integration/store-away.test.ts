import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mediaJobTasks } from '#server/db/schema.ts'
import { CEPH_TREE, startCeph } from '#tests/setup/ceph.ts'
import type { TestAnswer } from '#tests/setup/client.ts'
import { startCluster, type Cluster } from '#tests/setup/cluster.ts'
import { startCutRelay, type CutRelay } from '#tests/setup/cut-relay.ts'
import { makeClip } from '#tests/setup/media.ts'
import { fetchJob, payFor, requestEdits, type MediaJob } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import type { SignedUp } from '#tests/setup/server.ts'
import { beginUpload, sendParts, uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

const AWAY_MS = 60_000
const WATERMARK = {
  mediaJobTaskPresetSlug: 'dynamic-watermark',
  payload: { text: '@me' },
} as const

/** The refusal that says when to come again, and nothing of what was asked. */
function expectRefused({ status, body, headers }: TestAnswer, what: string): void {
  expect({ what, status, body }).toMatchObject({
    status: 503,
    body: { error: { code: 'system/unavailable' } },
  })
  expect(headers.get('retry-after')).toBe('1')
}

describe.skipIf(CEPH_TREE === null).each(['broken', 'silent'] as const)(
  'a store whose connections are %s for a minute (ONECUT_CEPH_DIR)',
  (how) => {
    let ceph: Awaited<ReturnType<typeof startCeph>>
    let relay: CutRelay
    let cluster: Cluster
    let me: SignedUp
    let port: number

    beforeAll(async () => {
      ceph = await startCeph(CEPH_TREE ?? '')
      port = Number(new URL(ceph.place.endpoint ?? '').port)
      relay = await startCutRelay(port)
      const place = { ...ceph.place, endpoint: `http://127.0.0.1:${relay.port}` }
      cluster = await startCluster(place)
      me = await cluster.api.signUp()
    }, patience(90))
    afterAll(async () => {
      await cluster?.stop()
      await relay?.close()
      await ceph?.stop()
    })

    const read = async (id: string): Promise<UploadRequest> =>
      (await me.client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`)).body
        .uploadRequest
    const untilChecked = async (id: string): Promise<void> =>
      await expect
        .poll(async () => (await read(id)).state, { timeout: patience(90) })
        .toBe('validated')
    const taskOf = async ({ _id }: MediaJob) => (await fetchJob(me.client, _id)).tasks[0]
    const untilMade = async (job: MediaJob): Promise<void> =>
      await expect
        .poll(async () => (await taskOf(job))?.status, { timeout: patience(120) })
        .toBe('succeeded')
    const rowOf = async (job: MediaJob) =>
      (
        await cluster.api.deps.db
          .select()
          .from(mediaJobTasks)
          .where(eq(mediaJobTasks.mediaJobId, job._id))
      )[0]
    const order = async (uploadId: string): Promise<MediaJob> => {
      const job = await requestEdits(me.client, uploadId, [WATERMARK])
      await payFor(me.client, job._id)
      return job
    }
    const clip = async (seconds: number, size: string): Promise<Buffer> => {
      const path = join(cluster.folder, `${randomUUID()}.mp4`)
      await makeClip(path, seconds, { size })
      return await readFile(path)
    }

    it('SCL-04 loses nothing of an upload, a check, an edit and a download, and costs no attempt', async () => {
      const { client } = me
      const ready = await uploadBytes(client, await clip(4, '320x180'))
      await untilChecked(ready._id)
      const finished = await order(ready._id)
      await untilMade(finished)
      const file = (await taskOf(finished))?.outputs[0]
      if (file?.kind !== 'download-button') throw new Error('The edit has no download')

      const long = await uploadBytes(client, await clip(20, '1280x720'))
      await untilChecked(long._id)
      const bytes = await clip(6, '320x180')
      const sent = await beginUpload(client, bytes.length)
      const parts = await sendParts(client, sent, bytes)
      const complete = async () =>
        await client.patch(`/v1/upload-requests/${sent._id}`, {
          uploadRequest: { upload: { parts } },
        })

      const made = await order(long._id)
      await expect
        .poll(async () => (await rowOf(made))?.progressRatio ?? 0, { timeout: patience(60) })
        .toBeGreaterThan(0.02)
      const arrived = await uploadBytes(client, await clip(5, '320x180'))
      relay.cut(how)
      const awayUntil = performance.now() + AWAY_MS

      const asked = { partNumbers: [1] }
      expectRefused(await client.get(file.downloadUrl), 'download')
      expectRefused(await client.get(`/v1/upload-requests/${sent._id}`), 'read')
      expectRefused(await client.post(`/v1/upload-requests/${sent._id}/part-urls`, asked), 'urls')
      expectRefused(await complete(), 'complete')
      const idempotencyKey = randomUUID()
      const begin = async () =>
        await client.post('/v2/upload-requests', {
          uploadRequest: {
            idempotencyKey,
            upload: {
              provider: 's3-multipart',
              metadata: { clientFilename: 'new.mp4', clientFileSize: 1000 },
            },
          },
        })
      expectRefused(await begin(), 'begin')
      expect((await client.get('/v1/media-jobs/paginated')).status).toBe(200)
      await setTimeout(Math.max(0, awayUntil - performance.now()))
      relay.lead(port)

      expect((await begin()).status).toBeLessThan(300)
      expect((await complete()).status).toBe(200)
      await untilChecked(sent._id)
      await untilChecked(arrived._id)
      await untilMade(made)
      expect(await rowOf(made)).toMatchObject({ attempt: 1, tries: 0 })
      const download = await client.get(file.downloadUrl)
      expect([download.status, download.bytes.length]).toEqual([200, file.sizeBytes])
      expect(cluster.api.logged.filter(({ level }) => level === 'error')).toEqual([])
    })
  },
)
