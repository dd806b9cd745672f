import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { mediaJobTasks, taskOutputs } from '#server/db/schema.ts'
import { renderTask } from '#server/operations/processing/rendering/render.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import { fetchJob, paidWatermark } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { likenessTo, movingClip, streamsOf, worstTime } from '#tests/setup/segment-figures.ts'
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

async function resultOf(jobId: string): Promise<string> {
  const [output] = (await fetchJob(me.client, jobId)).tasks[0]?.outputs ?? []
  if (output?.kind !== 'download-button') throw new Error('The edit has no file')
  const path = join(folder, `${jobId}.mp4`)
  await writeFile(path, (await me.client.get(output.downloadUrl)).bytes)
  return path
}

async function startWorkers(count: number): Promise<readonly ChildProcess[]> {
  const started: ChildProcess[] = []
  for (let n = 0; n < count; n += 1) {
    const worker = await startWorker(server)
    onTestFinished(() => void worker.kill('SIGKILL'))
    started.push(worker)
  }
  await vi.waitFor(
    async () => {
      const { rows } = await server.deps.db.execute(
        sql`select from workers where heartbeat_at > now() - interval '20 seconds'`,
      )
      expect(rows.length).toBeGreaterThanOrEqual(count)
    },
    { timeout: patience(60), interval: 100 },
  )
  return started
}

interface Held {
  /** Which process has the edit. */
  readonly edit: number
  /** Which has a segment that has been begun, by its number. */
  readonly segments: readonly { readonly pid: number; readonly n: number }[]
}

async function heldOf(taskId: string): Promise<Held> {
  const { rows } = await server.deps.db.execute<{ owner: string; n: number | null }>(sql`
    select l.owner, s.n from leases l left join task_segments s on l.name = 'segment:' || s.id
    where l.expires_at > now() and (l.name = ${`task:${taskId}`}
      or (s.task_id = ${taskId} and s.state = 'started' and s.progress_ratio > 0))`)
  const pidOf = (owner = ''): number => Number(owner.split('/')[2])
  return {
    edit: pidOf(rows.find(({ n }) => n === null)?.owner),
    segments: rows.flatMap(({ owner, n }) => (n === null ? [] : [{ pid: pidOf(owner), n }])),
  }
}

/**
 * Freezes the worker that has the edit, or another one that makes a segment of it, and says which
 * segments it was making.
 */
async function freeze(
  started: readonly ChildProcess[],
  taskId: string,
  which: 'edit' | 'other',
): Promise<{ readonly worker: ChildProcess; readonly making: readonly number[] }> {
  const pid = await vi.waitFor(
    async () => {
      const { edit, segments } = await heldOf(taskId)
      const others = segments.filter((each) => each.pid !== edit)
      expect(others).not.toEqual([])
      return which === 'edit' ? edit : (others[0]?.pid ?? 0)
    },
    { timeout: patience(60), interval: 20 },
  )
  const worker = started.find((each) => each.pid === pid)
  if (worker === undefined) throw new Error(`No worker is ${pid}`)
  worker.kill('SIGSTOP')
  // What it had sent to the database has been done by then.
  await setTimeout(500)
  const { rows } = await server.deps.db.execute<{ n: number }>(sql`
    select s.n from task_segments s join leases l on l.name = 'segment:' || s.id
    where s.task_id = ${taskId} and s.state = 'started' and split_part(l.owner, '/', 3) = ${String(pid)}
    order by s.n`)
  return { worker, making: rows.map(({ n }) => n) }
}

/** Notes how often each segment was begun, until the edit has ended. */
async function watch(
  taskId: string,
): Promise<{ attempts: readonly number[]; slots: Set<boolean> }> {
  const attempts: number[] = []
  const slots = new Set<boolean>()
  for (;;) {
    const [task] = await server.deps.db
      .select()
      .from(mediaJobTasks)
      .where(eq(mediaJobTasks.id, taskId))
    const { rows } = await server.deps.db.execute<{ n: number; attempt: number; slot: boolean }>(
      sql`select n, attempt, has_slot as slot from task_segments
        where task_id = ${taskId} and state <> 'dropped' and attempt > 0 order by n`,
    )
    for (const { n, attempt, slot } of rows) {
      attempts[n] = Math.max(attempts[n] ?? 0, attempt)
      slots.add(slot)
    }
    if (task?.status !== 'created' && task?.status !== 'started') return { attempts, slots }
    await setTimeout(30)
  }
}

async function expectTheWhole({ jobId, taskId }: { jobId: string; taskId: string }): Promise<void> {
  const joined = await resultOf(jobId)
  const [one, other] = [await streamsOf(whole), await streamsOf(joined)]
  expect(other.facts).toEqual(one.facts)
  expect(worstTime(one.pictureTimes, other.pictureTimes)).toBe(0)
  expect(other.sound).toEqual(one.sound)
  expect(await likenessTo(joined, whole)).toBeGreaterThan(0.97)
  const left = async () =>
    await readdir(join(server.deps.settings.dataDir, 'store/objects/segments')).catch(() => [])
  await expect.poll(left, { timeout: patience(30) }).toEqual([])
  const { rows } = await server.deps.db.execute(sql`select from task_segments`)
  expect(rows).toEqual([])
  const outputs = await server.deps.db
    .select()
    .from(taskOutputs)
    .where(eq(taskOutputs.taskId, taskId))
  expect(outputs).toHaveLength(1)
}

/** Which segments were begun again, after the edit of two workers has ended. */
function begunAgain(attempts: readonly number[]): readonly number[] {
  expect(attempts).toHaveLength(CLIP_S / SEGMENT_S)
  expect(Math.max(...attempts)).toBe(2)
  return attempts.flatMap((attempt, n) => (attempt === 2 ? [n] : []))
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
      const watched = watch(task.taskId)
      const { worker, making } = await freeze(started, task.taskId, which)
      // A worker of one slot makes one segment; that of the edit has one in a slot of its own too.
      if (which === 'other') expect(making).toHaveLength(1)
      else expect([1, 2]).toContain(making.length)
      if (what !== 'freezes') worker.kill('SIGKILL')
      // Its leases end by themselves, 15 s after they were renewed.
      const { attempts, slots } = await watched
      worker.kill('SIGCONT')
      expect(begunAgain(attempts)).toEqual(making)
      expect(slots).toEqual(new Set([true, false]))
      await expectTheWhole(task)
    },
  )
})
