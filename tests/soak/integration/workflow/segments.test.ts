import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import {
  begunAgain,
  expectOneResult,
  expectTheWhole,
  freezeOne,
  untilWorkersSay,
  watchSegments,
} from '#tests/setup/divided-edit.ts'
import { paidEdit, paidWatermark, saveResult } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { movingClip } from '#tests/setup/segment-figures.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { startWorker } from '#tests/setup/worker.ts'

const CLIP_S = 60
const SEGMENT_S = 6

let server: TestServer
let me: SignedUp
let uploadId: string
let folder: string
let whole: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-shared-'))
  const env = { ONECUT_DIVIDE_FROM_S: '60', ONECUT_SEGMENT_S: String(SEGMENT_S) }
  server = await startTestServer({ env })
  me = await server.signUp()
  const clip = await movingClip('30000/1001', CLIP_S, { size: '640x360' })
  uploadId = await checkedUploads(server)(me.client, clip.path)
  const { jobId, taskId } = await paidTask()
  // There is no other worker yet.
  await renderTask(server.deps, { taskId, stop: AbortSignal.timeout(patience(300)) })
  whole = await resultOf(jobId)
}, patience(400))
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const paidTask = async () => await paidWatermark(me.client, uploadId)

const resultOf = async (jobId: string) => await saveResult(me.client, jobId, folder)

async function startWorkers(count: number): Promise<readonly ChildProcess[]> {
  const started: ChildProcess[] = []
  for (let n = 0; n < count; n += 1) {
    const worker = await startWorker(server)
    onTestFinished(() => void worker.kill('SIGKILL'))
    started.push(worker)
  }
  await untilWorkersSay(server, count)
  return started
}

async function expectNothingLeft(): Promise<void> {
  const left = async () =>
    await readdir(join(server.deps.settings.dataDir, 'store/objects/segments')).catch(() => [])
  await expect.poll(left, { timeout: patience(30) }).toEqual([])
}

describe('a long edit of several worker processes', () => {
  it.each([
    ['is killed', 'other'],
    ['freezes', 'other'],
    ['has the edit and is killed', 'edit'],
  ] as const)(
    'SCL-07 a worker that %s loses what it was making, and nothing that is made',
    async (what, which) => {
      const started = await startWorkers(2)
      const task = await paidTask()
      const watching = watchSegments(server, task.taskId)
      const { worker, making } = await freezeOne(server, { started, ...task }, which)
      // A worker of one slot makes one segment; that of the edit has one in a slot of its own too.
      if (which === 'other') expect(making).toHaveLength(1)
      else expect([1, 2]).toContain(making.length)
      if (what !== 'freezes') worker.kill('SIGKILL')
      // Its leases end by themselves, 15 s after they were renewed.
      const watched = await watching
      worker.kill('SIGCONT')
      expect(begunAgain(watched, CLIP_S / SEGMENT_S)).toEqual(making)
      expect(watched.slots).toEqual(new Set([true, false]))
      await expectTheWhole(await resultOf(task.jobId), whole)
      await expectNothingLeft()
      await expectOneResult(server, task.taskId)
    },
  )

  it('SCL-07 the sound of an edit is made while others make its segments', async () => {
    const wanted = { mediaJobTaskPresetSlug: 'blur-video-and-audio' } as const
    const alone = await paidEdit(me.client, uploadId, wanted)
    await renderTask(server.deps, {
      taskId: alone.taskId,
      stop: AbortSignal.timeout(patience(300)),
    })
    await startWorkers(2)
    const task = await paidEdit(me.client, uploadId, wanted)
    const { attempts, makers } = await watchSegments(server, task.taskId)
    // Its key frames are 4 s apart.
    expect(attempts).toHaveLength(Math.round(CLIP_S / 8))
    expect(makers).toBe(2)
    await expectTheWhole(await resultOf(task.jobId), await resultOf(alone.jobId))
    await expectNothingLeft()
    await expectOneResult(server, task.taskId)
  })
})
