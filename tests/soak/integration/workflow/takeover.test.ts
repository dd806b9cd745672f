import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { mediaJobTasks, taskOutputs, workers } from '#server/db/schema.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import { untilWorkersSay } from '#tests/setup/divided-edit.ts'
import { paidWatermark } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { movingClip } from '#tests/setup/segment-figures.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { startWorker } from '#tests/setup/worker.ts'

/** Its last tenth takes long enough to be seen, and it is made whole. */
const CLIP_S = 120
const LONGEST_S = 30
/** What a process that wakes up does, it does at once. */
const WOKEN_MS = 5_000

let server: TestServer
let me: SignedUp
let uploadId: string
beforeAll(async () => {
  server = await startTestServer()
  me = await server.signUp()
  const clip = await movingClip('30000/1001', CLIP_S, { size: '640x360' })
  uploadId = await checkedUploads(server)(me.client, clip.path)
}, patience(200))
afterAll(() => server.stop())

const rowOf = async (taskId: string) =>
  (await server.deps.db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId)))[0]
const outputsOf = async (taskId: string) =>
  await server.deps.db.select().from(taskOutputs).where(eq(taskOutputs.taskId, taskId))

/** The process that has the edit, by a lease that has not ended. */
async function makerOf(taskId: string): Promise<number | null> {
  const { rows } = await server.deps.db.execute<{ owner: string }>(
    sql`select owner from leases where name = ${`task:${taskId}`} and expires_at > now()`,
  )
  return rows[0] === undefined ? null : Number(rows[0].owner.split('/')[2])
}

async function startTwo(): Promise<readonly ChildProcess[]> {
  await server.deps.db.delete(workers)
  const started = [await startWorker(server), await startWorker(server)]
  for (const worker of started) onTestFinished(() => void worker.kill('SIGKILL'))
  await untilWorkersSay(server, 2)
  return started
}

it.each([
  ['SIGSTOP', 0.05],
  ['SIGSTOP', 0.5],
  ['SIGSTOP', 0.9],
  ['SIGKILL', 0.05],
  ['SIGKILL', 0.5],
  ['SIGKILL', 0.9],
] as const)(
  'SCL-03 the edit of a worker that gets %s when it is made by %f goes on in another one within 30 s, and has one result',
  async (signal, ratio) => {
    const started = await startTwo()
    const { taskId } = await paidWatermark(me.client, uploadId)
    const made = async (): Promise<number> => (await rowOf(taskId))?.progressRatio ?? 0
    await expect.poll(made, { timeout: patience(120), interval: 20 }).toBeGreaterThan(ratio)
    const first = await makerOf(taskId)
    const lost = started.find(({ pid }) => pid === first)
    if (lost === undefined) throw new Error('No worker has the edit')
    const from = performance.now()
    lost.kill(signal)
    const isTaken = async () => ![null, first].includes(await makerOf(taskId))
    await expect.poll(isTaken, { timeout: patience(60), interval: 50 }).toBe(true)
    const takenAfterS = (performance.now() - from) / 1000
    console.info(signal, 'at', ratio, 'taken over after', takenAfterS, 's')
    await vi.waitFor(async () => expect((await rowOf(taskId))?.status).toBe('succeeded'), {
      timeout: patience(180),
      interval: 200,
    })
    const outputs = await outputsOf(taskId)
    expect(outputs).toHaveLength(1)
    if (signal === 'SIGSTOP') {
      lost.kill('SIGCONT')
      await setTimeout(WOKEN_MS)
      expect(await outputsOf(taskId)).toEqual(outputs)
    }
    expect(await rowOf(taskId)).toMatchObject({ status: 'succeeded', attempt: 2, tries: 0 })
    expect(takenAfterS).toBeLessThan(LONGEST_S)
    for (const worker of started) {
      const gone = worker.exitCode ?? worker.signalCode ?? once(worker, 'exit')
      worker.kill('SIGKILL')
      await gone
    }
  },
)
