import { execFileSync, type ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isLostConnection } from '#server/db/lost-connection.ts'
import { mediaJobTasks, taskOutputs } from '#server/db/schema.ts'
import {
  claimTask,
  giveUpTask,
  saveProgress,
  succeedTask,
} from '#server/operations/processing/tasks/claim.ts'
import { createRenderSlots } from '#server/operations/workflows/slot-work.ts'
import { isLeased, takeLease } from '#server/operations/core/lease.ts'
import { renderLeased } from '#server/operations/processing/rendering/render.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import { makeClip } from '#tests/setup/media.ts'
import { fetchJob, paidWatermark } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { startWorker as startWorkerOf } from '#tests/setup/worker.ts'

let server: TestServer
let me: SignedUp
let uploadChecked: ReturnType<typeof checkedUploads>
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-crash-'))
  await makeClip(join(dir, 'clip.mp4'), 30, { size: '640x360' })
  await makeClip(join(dir, 'short.mp4'), 2, { size: '160x90' })
  server = await startTestServer()
  me = await server.signUp()
  uploadChecked = checkedUploads(server)
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

async function startWorker(env = {}): Promise<ChildProcess> {
  const worker = await startWorkerOf(server, env)
  // A test that fails leaves none behind, which would take the tasks of the next ones.
  onTestFinished(() => void worker.kill('SIGKILL'))
  return worker
}

const paidTask = async (clip: string) =>
  await paidWatermark(me.client, await uploadChecked(me.client, join(dir, clip)))
const rowOf = async (taskId: string) =>
  (await server.deps.db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId)))[0]
/** Waits until an attempt of a task has made something. */
const untilRendering = async (taskId: string, attempt: number): Promise<void> =>
  await vi.waitFor(
    async () => {
      const row = await rowOf(taskId)
      expect(row?.attempt).toBe(attempt)
      expect(row?.progressRatio).toBeGreaterThan(0.02)
    },
    { timeout: patience(30), interval: 50 },
  )
/** As `ps` names it: T is stopped. */
const stateOf = ({ pid }: ChildProcess): string =>
  execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
/** Ends a task that waits, so that no slot of a later test makes it. */
async function giveUp(taskId: string): Promise<void> {
  const claimed = await claimTask(server.deps, { taskId })
  if (claimed === null) throw new Error('The task could not be claimed')
  await giveUpTask(server.deps, { ...claimed, failure: { message: 'no', supportLog: null } })
}
const ffmpegsOf = (taskId: string): number => {
  const list = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  return list
    .split('\n')
    .filter((line) => line.includes(`task-${taskId}`) && !line.includes('<defunct>')).length
}

describe('a worker that dies or freezes', () => {
  it('JOB-08 SCL-03 a killed render leaves no ffmpeg behind and goes on in another worker; one that freezes loses it to the next, and publishes nothing when it wakes up', async () => {
    const { jobId, taskId } = await paidTask('clip.mp4')
    const first = await startWorker()
    await untilRendering(taskId, 1)
    const gone = new Promise((resolve) => first.once('exit', resolve))
    first.kill('SIGKILL')
    await gone
    await expect.poll(() => ffmpegsOf(taskId)).toBe(0)
    expect((await rowOf(taskId))?.status).toBe('started')

    const frozen = await startWorker({ TEST_STOP_AT_PROGRESS: '1' })
    await untilRendering(taskId, 2)
    await expect.poll(() => stateOf(frozen)).toMatch(/^T/)
    // As 15 s later.
    await server.deps.db.execute(sql`update leases set expires_at = now()`)
    await startWorker()
    await vi.waitFor(async () => expect((await rowOf(taskId))?.status).toBe('succeeded'), {
      timeout: patience(60),
      interval: 200,
    })
    const made = async () =>
      await server.deps.db.select().from(taskOutputs).where(eq(taskOutputs.taskId, taskId))
    const outputs = await made()
    expect(outputs).toHaveLength(1)
    frozen.kill('SIGCONT')
    const scratch = join(server.deps.settings.dataDir, 'scratch')
    // What the killed one left has gone with the start of the next worker.
    const ownFolders = async () =>
      (await readdir(scratch)).filter((name) => name.startsWith(`task-${taskId}`))
    await expect.poll(ownFolders, { timeout: patience(30) }).toEqual([])
    expect(ffmpegsOf(taskId)).toBe(0)
    expect(await rowOf(taskId)).toMatchObject({
      status: 'succeeded',
      attempt: 3,
      tries: 0,
      progressRatio: 1,
    })
    expect(await made()).toEqual(outputs)
    const files = await readdir(join(server.deps.settings.dataDir, 'store/objects/outputs', taskId))
    expect(files).toEqual(['3'])
    expect((await fetchJob(me.client, jobId)).tasks[0]?.refundedCoinAmount).toBe(0)
  })

  it('JOB-08 a worker that is stopped hands its task back without using up a try', async () => {
    const { taskId } = await paidTask('clip.mp4')
    const worker = await startWorker()
    await untilRendering(taskId, 1)
    const gone = new Promise((resolve) => worker.once('exit', resolve))
    worker.kill('SIGTERM')
    await gone
    expect(ffmpegsOf(taskId)).toBe(0)
    expect(await rowOf(taskId)).toMatchObject({
      status: 'created',
      attempt: 1,
      tries: 0,
      progressRatio: 0,
    })
    expect(
      (await readdir(join(server.deps.settings.dataDir, 'scratch'))).filter((name) =>
        name.includes(taskId),
      ),
    ).toEqual([])
    await giveUp(taskId)
  })
})

describe('a worker that loses its lease', () => {
  it('JOB-08 hands its task back without using up a try', async () => {
    const { taskId } = await paidTask('clip.mp4')
    const lease = await takeLease(server.deps, { taskId })
    if (lease === null) throw new Error('The task could not be leased')
    // The renewal tells of it up to 3 s later (leases.test.ts), and an edit may be made by then.
    const [lost, stop] = [new AbortController(), new AbortController()]
    const rendered = renderLeased(server.deps, {
      taskId,
      lease: { ...lease, lost: lost.signal },
      stop: stop.signal,
    })
    const failed = expect(rendered).rejects.toThrow(/another process has it/)
    await vi.waitFor(() => expect(ffmpegsOf(taskId)).toBeGreaterThan(0), {
      timeout: patience(30),
      interval: 20,
    })
    lost.abort(new Error('The lease is lost: another process has it'))
    await failed
    await lease.release()
    expect(ffmpegsOf(taskId)).toBe(0)
    expect(await rowOf(taskId)).toMatchObject({ status: 'created', attempt: 1, tries: 0 })

    const query = server.deps.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
    expect(await query.then(() => null, isLostConnection)).toBe(true)
    const wrong = server.deps.db.execute(sql`select 1 / 0`)
    expect(await wrong.then(() => null, isLostConnection)).toBe(false)
    await giveUp(taskId)
  })
})

describe('a message of a leased task', () => {
  it('SCL-03 is queued again for the end of the lease that it meets', async () => {
    const { taskId } = await paidTask('short.mp4')
    const { db } = server.deps
    await db.execute(sql`delete from pgboss.job where name = 'render-task'`)
    await db.execute(sql`insert into leases (name, owner, expires_at)
      values (${`task:${taskId}`}, 'frozen', now() + interval '15 seconds')`)
    const stop = new AbortController().signal
    await createRenderSlots(server.deps, { longSlots: 1 }).serve(stop)
    await renderTask(server.deps, { taskId, stop })
    const { rows } = await db.execute<{ id: string; is_after: boolean }>(sql`
      select data->>'taskId' as id, start_after > expires_at as is_after
      from pgboss.job, leases where pgboss.job.name = 'render-task' and state = 'created'
        and leases.name = ${`task:${taskId}`} and data->>'taskId' = ${taskId}`)
    expect(rows).toEqual([{ id: taskId, is_after: true }])
    expect((await rowOf(taskId))?.attempt).toBe(0)
    await db.execute(sql`delete from leases`)
    await renderTask(server.deps, { taskId, stop })
    expect(await rowOf(taskId)).toMatchObject({ status: 'succeeded', attempt: 1 })
  })
})

describe('two workers and one task', () => {
  it('JOB-08 only one works at a time', async () => {
    const { taskId } = await paidTask('short.mp4')
    const lease = await takeLease(server.deps, { taskId })
    expect(lease).not.toBeNull()
    expect(await takeLease(server.deps, { taskId })).toBeNull()
    await renderTask(server.deps, { taskId, stop: AbortSignal.timeout(patience(30)) })
    expect((await rowOf(taskId))?.status).toBe('created')
    await lease?.release()
    expect(await isLeased(server.deps, { taskId })).toBe(false)
    await Promise.all(
      [1, 2, 3].map(
        async () =>
          await renderTask(server.deps, { taskId, stop: AbortSignal.timeout(patience(30)) }),
      ),
    )
    expect(await rowOf(taskId)).toMatchObject({ status: 'succeeded', attempt: 1 })
    expect(
      await server.deps.db.select().from(taskOutputs).where(eq(taskOutputs.taskId, taskId)),
    ).toHaveLength(1)
  })

  it('JOB-08 an older attempt can neither report, publish nor fail a task', async () => {
    const { taskId } = await paidTask('short.mp4')
    const older = await claimTask(server.deps, { taskId })
    const newer = await claimTask(server.deps, { taskId })
    if (older === null || newer === null) throw new Error('The task could not be claimed')
    expect(await saveProgress(server.deps, { task: older.task, ratio: 0.5 })).toBe(false)
    expect(await succeedTask(server.deps, { task: older.task, outputs: [] })).toBe(false)
    await giveUpTask(server.deps, {
      task: older.task,
      failure: { message: 'no', supportLog: null },
    })
    expect(await rowOf(taskId)).toMatchObject({ status: 'started', attempt: 2 })
    expect(await saveProgress(server.deps, { task: newer.task, ratio: 0.5 })).toBe(true)
  })

  it('JOB-10 a task that is cut off a hundred times fails and is refunded, and no sooner', async () => {
    const { jobId, taskId } = await paidTask('short.mp4')
    for (let crash = 0; crash < 100; crash += 1)
      expect(await claimTask(server.deps, { taskId })).not.toBeNull()
    expect(await claimTask(server.deps, { taskId })).toBeNull()
    const [task] = (await fetchJob(me.client, jobId)).tasks
    expect(task).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringMatching(/interrupted/) as unknown,
    })
    expect(task?.refundedCoinAmount).toBeGreaterThan(0)
  })
})
