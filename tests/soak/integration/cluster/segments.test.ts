import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import {
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openMeter, type Meter } from '#scripts/pool/meter.ts'
import { mediaJobTasks, taskOutputs, workers } from '#server/db/schema.ts'
import { createS3Client } from '#server/object-store/s3/client.ts'
import { CEPH_TREE, startCeph } from '#tests/setup/ceph.ts'
import { joinWorker, startCluster, workerMachine, type Cluster } from '#tests/setup/cluster.ts'
import {
  begunAgain,
  expectOneResult,
  expectTheWhole,
  freezeOne,
  untilWorkersSay,
  watchSegments,
} from '#tests/setup/divided-edit.ts'
import { paidWatermark, saveResult } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { payer } from '#tests/setup/payments.ts'
import { movingClip } from '#tests/setup/segment-figures.ts'
import type { SignedUp } from '#tests/setup/server.ts'
import { uploadFile, type UploadRequest } from '#tests/setup/upload.ts'
import { startWorker } from '#tests/setup/worker.ts'

const CLIP_S = 48
const SEGMENT_S = 6
/** Those of servers are a minute; each costs the start of a tool, which is much of a short one. */
const LONG_CLIP_S = 240
const HOUR_S = 3600
const USUAL_SEGMENT_S = 60

const NO_METER = 'The system counts no processor time of groups'

/** A worker process and the folder that it alone has. */
interface Machine {
  readonly folder: string
  readonly worker: ChildProcess
}

describe.skipIf(CEPH_TREE === null)(
  'a long edit of workers that share a bucket and no folder (ONECUT_CEPH_DIR)',
  () => {
    let ceph: Awaited<ReturnType<typeof startCeph>>
    let s3: S3Client
    let cluster: Cluster
    let me: SignedUp
    let uploadId: string
    let longId: string
    let whole: string

    beforeAll(async () => {
      ceph = await startCeph(CEPH_TREE ?? '')
      s3 = createS3Client(ceph.place)
      cluster = await startCluster(ceph.place, {
        ONECUT_DIVIDE_FROM_S: '30',
        ONECUT_SEGMENT_S: String(SEGMENT_S),
      })
      me = await cluster.api.signUp()
      uploadId = await checked(CLIP_S)
      longId = await checked(LONG_CLIP_S)
      // There is no other worker yet.
      const { jobId } = await paidTask()
      await untilMade()
      whole = await resultOf(jobId)
      await cluster.worker.stop()
    }, patience(400))
    afterAll(async () => {
      s3?.destroy()
      await cluster?.stop()
      await ceph?.stop()
    })

    async function checked(seconds: number, rate = '30000/1001'): Promise<string> {
      const clip = await movingClip(rate, seconds, { size: '640x360' })
      const { _id } = await uploadFile(me.client, clip.path)
      const address = `/v1/upload-requests/${_id}`
      const read = async () =>
        (await me.client.get<{ uploadRequest: UploadRequest }>(address)).body.uploadRequest
      await vi.waitFor(async () => expect((await read()).state).toBe('validated'), {
        timeout: patience(90 + seconds / 4),
        interval: 200,
      })
      return _id
    }

    const paidTask = async (id = uploadId) => await paidWatermark(me.client, id)
    const resultOf = async (jobId: string) => await saveResult(me.client, jobId, cluster.folder)

    /** Until every edit has been made. */
    async function untilMade(): Promise<void> {
      const { db } = cluster.api.deps
      const { status } = mediaJobTasks
      await vi.waitFor(
        async () =>
          expect(await db.selectDistinct({ status }).from(mediaJobTasks)).toEqual([
            { status: 'succeeded' },
          ]),
        { timeout: patience(300), interval: 200 },
      )
    }

    async function startMachine(
      folder: string,
      { settings = {}, ...place }: NonNullable<Parameters<typeof startWorker>[2]> = {},
    ): Promise<Machine> {
      await mkdir(folder, { recursive: true })
      const own = { ...(await workerMachine(cluster.api, folder)), ...settings }
      const worker = await startWorker(cluster.api, {}, { ...place, settings: own })
      onTestFinished(() => void worker.kill('SIGKILL'))
      return { folder, worker }
    }

    /** So many new machines, and no others. */
    async function startMachines(
      count: number,
      place?: Parameters<typeof startMachine>[1],
    ): Promise<readonly Machine[]> {
      await cluster.api.deps.db.delete(workers)
      const machines: Machine[] = []
      for (let n = 0; n < count; n += 1)
        machines.push(await startMachine(join(cluster.folder, randomUUID()), place))
      await untilWorkersSay(cluster.api, count)
      return machines
    }

    /** What lies in the scratch folder of a machine, without the names of processes and copies. */
    async function scratchOf({ folder }: Machine): Promise<readonly string[]> {
      const paths = await readdir(join(folder, 'scratch/onecut-scratch'), { recursive: true })
      return paths
        .map((path) => path.replace(/^copies-[^/]+/, 'copies').replace(/[.][^/]*$/, ''))
        .toSorted()
    }

    /** In the bucket are the files that rows name, and nothing of a segment. */
    async function expectNothingLeft(): Promise<void> {
      const Bucket = ceph.place.bucket
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }))
      const keys = Contents.map(({ Key = '' }) => Key)
      const outputs = await cluster.api.deps.db.select().from(taskOutputs)
      expect(keys.filter((key) => key.startsWith('segments/'))).toEqual([])
      expect(keys.filter((key) => key.startsWith('outputs/'))).toEqual(
        outputs.map(({ objectKey }) => objectKey).toSorted(),
      )
      const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }))
      expect(Uploads).toEqual([])
    }

    it('SCL-01 SCL-07 SCL-08 is that of one worker also where one is killed, and leaves nothing in the bucket and the folders but one copy of the video on each machine', async () => {
      const machines = await startMachines(3)
      const task = await paidTask()
      const watching = watchSegments(cluster.api, task.taskId)
      const started = machines.map(({ worker }) => worker)
      const { worker, making } = await freezeOne(cluster.api, { started, ...task }, 'other')
      worker.kill('SIGKILL')
      const watched = await watching
      expect(watched.makers).toBe(3)
      expect(begunAgain(watched, CLIP_S / SEGMENT_S)).toEqual(making)
      await expectTheWhole(await resultOf(task.jobId), whole)
      await expectOneResult(cluster.api, task.taskId)
      await expectNothingLeft()
      const others = machines.filter((each) => each.worker !== worker)
      for (const machine of others)
        await expect
          .poll(async () => await scratchOf(machine), { timeout: patience(30) })
          .toEqual(['copies', `copies/${uploadId}`])
      const killed = machines.find((each) => each.worker === worker)
      if (killed === undefined) throw new Error('No machine has the worker')
      expect((await scratchOf(killed)).join(' ')).toContain('segment-')
      const again = await startMachine(killed.folder)
      expect(await scratchOf(again)).toEqual([])
    })

    /** What an edit of the video takes so many new machines, with all that they start. */
    async function costOf(count: number, { meter, id }: { meter: Meter; id: string }) {
      const settings = { ONECUT_SEGMENT_S: String(USUAL_SEGMENT_S) }
      const machines = await startMachines(count, { settings, wrap: meter.wrap })
      const own = async () => await sumOf(machines, async ({ worker }) => await ownSeconds(worker))
      const [before, ownBefore] = [meter.seconds(), await own()]
      const { taskId } = await paidTask(id)
      const { makers } = await watchSegments(cluster.api, taskId)
      const processorS = meter.seconds() - before
      // The rest is of the tools.
      const ownS = (await own()) - ownBefore
      for (const { worker } of machines) {
        const gone = once(worker, 'exit')
        worker.kill('SIGTERM')
        await gone
      }
      const made = await cluster.api.deps.db
        .select()
        .from(taskOutputs)
        .where(eq(taskOutputs.taskId, taskId))
      const bytes = made.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
      return { count, makers, processorS, ownS, bytes, load: loadavg()[0] }
    }

    /** Of one edit by so many machines after each other; null where nothing counts it. */
    async function costsOf(counts: readonly number[], id: string) {
      const figures = []
      for (const [round, count] of counts.entries()) {
        const meter = openMeter(`workers-${round}`)
        if (meter === null) return null
        try {
          figures.push(await costOf(count, { meter, id }))
        } finally {
          await meter.close()
        }
      }
      return figures
    }

    it('SCL-07 is made by one, two and four workers, and says what processor time they take', async ({
      skip,
    }) => {
      // The first again at last: the difference of both is that of the machine.
      const figures = await costsOf([1, 2, 4, 1], longId)
      if (figures === null) return skip(NO_METER)
      console.info('workers, and processor seconds of one edit', figures)
      // One alone makes it whole.
      expect(figures.map(({ makers }) => makers > 1)).toEqual([false, true, true, false])
    })

    it('SCL-07 of an hour is made by one and by four workers, says what work they do for each processor second, and its file is a hundredth larger at most', async ({
      skip,
    }) => {
      const person = payer(me.client)
      const session = await person.buy(10_000)
      await person.press(session, 'pay')
      await person.look(session)
      const checker = await joinWorker(cluster.api, join(cluster.folder, 'checker'))
      onTestFinished(async () => await checker.stop())
      const hourId = await checked(HOUR_S, '15/1')
      await checker.stop()
      const figures = await costsOf([1, 4], hourId)
      if (figures === null) return skip(NO_METER)
      const [one, four] = figures
      if (one === undefined || four === undefined) throw new Error('No figures')
      const [work, bytes] = [one.processorS / four.processorS, four.bytes / one.bytes]
      console.info('an hour by one and by four workers', figures, { work, bytes })
      expect([one.makers > 1, four.makers > 1]).toEqual([false, true])
      expect(bytes).toBeLessThan(1.01)
    })
  },
)

async function sumOf<T>(list: readonly T[], of: (each: T) => Promise<number>): Promise<number> {
  return (await Promise.all(list.map(of))).reduce((sum, each) => sum + each, 0)
}

/** Processor time of a process since its start, without what it has started. */
async function ownSeconds({ pid }: ChildProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
