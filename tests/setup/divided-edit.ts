/** Worker processes that make one edit in segments, and what becomes of it. */
import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { mediaJobTasks, taskOutputs } from '#server/db/schema.ts'
import { patience } from './patience.ts'
import { likenessTo, streamsOf, worstTime } from './segment-figures.ts'
import type { TestServer } from './server.ts'

/** Waits until so many worker processes have said that they are there. */
export async function untilWorkersSay({ deps }: TestServer, count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await deps.db.execute(
        sql`select from workers where heartbeat_at > now() - interval '20 seconds'`,
      )
      expect(rows.length).toBeGreaterThanOrEqual(count)
    },
    { timeout: patience(60), interval: 100 },
  )
}

interface Held {
  /** Which process has the edit. */
  readonly edit: number
  /** Which has a segment that has been begun, by its number. */
  readonly segments: readonly { readonly pid: number; readonly n: number }[]
}

async function heldOf({ deps }: TestServer, taskId: string): Promise<Held> {
  const { rows } = await deps.db.execute<{ owner: string; n: number | null }>(sql`
    select l.owner, s.n from leases l left join task_segments s on l.name = 'segment:' || s.id
    where l.expires_at > now() and (l.name = ${`task:${taskId}`}
      or (s.task_id = ${taskId} and s.state = 'started' and s.progress_ratio > 0))`)
  const pidOf = (owner = ''): number => Number(owner.split('/')[2])
  return {
    edit: pidOf(rows.find(({ n }) => n === null)?.owner),
    segments: rows.flatMap(({ owner, n }) => (n === null ? [] : [{ pid: pidOf(owner), n }])),
  }
}

interface Shared {
  readonly started: readonly ChildProcess[]
  readonly taskId: string
}

/**
 * Freezes the worker that has the edit, or another one that makes a segment of it, and says which
 * segments it was making.
 */
export async function freezeOne(
  server: TestServer,
  { started, taskId }: Shared,
  which: 'edit' | 'other',
): Promise<{ readonly worker: ChildProcess; readonly making: readonly number[] }> {
  const pid = await vi.waitFor(
    async () => {
      const { edit, segments } = await heldOf(server, taskId)
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

interface Watched {
  /** How often each segment was begun. */
  readonly attempts: readonly number[]
  /** Whether segments were made in slots of their own, in that of their edit, or in both. */
  readonly slots: ReadonlySet<boolean>
  /** How many processes made segments. */
  readonly makers: number
}

/** Notes what happens to the segments of an edit until it has ended. */
export async function watchSegments({ deps }: TestServer, taskId: string): Promise<Watched> {
  const attempts: number[] = []
  const slots = new Set<boolean>()
  const makers = new Set<string>()
  for (;;) {
    const [task] = await deps.db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId))
    const { rows } = await deps.db.execute<{
      n: number
      attempt: number
      slot: boolean
      owner: string | null
    }>(sql`
      select s.n, s.attempt, s.has_slot as slot, l.owner
      from task_segments s left join leases l on l.name = 'segment:' || s.id
      where s.task_id = ${taskId} and s.state <> 'dropped' and s.attempt > 0 order by s.n`)
    for (const { n, attempt, slot, owner } of rows) {
      attempts[n] = Math.max(attempts[n] ?? 0, attempt)
      slots.add(slot)
      if (owner !== null) makers.add(owner)
    }
    if (task?.status !== 'created' && task?.status !== 'started')
      return { attempts, slots, makers: makers.size }
    await setTimeout(30)
  }
}

/** Which segments were begun again. */
export function begunAgain({ attempts }: Watched, count: number): readonly number[] {
  expect(attempts).toHaveLength(count)
  expect(Math.max(...attempts)).toBe(2)
  return attempts.flatMap((attempt, n) => (attempt === 2 ? [n] : []))
}

/** Both files have the same tracks, times and sound, and like pictures. */
export async function expectTheWhole(joined: string, whole: string): Promise<void> {
  const [one, other] = [await streamsOf(whole), await streamsOf(joined)]
  expect(other.facts).toEqual(one.facts)
  expect(worstTime(one.pictureTimes, other.pictureTimes)).toBe(0)
  expect(other.sound).toEqual(one.sound)
  expect(await likenessTo(joined, whole)).toBeGreaterThan(0.97)
}

/** The edit has one result, and its segments have no rows any more. */
export async function expectOneResult({ deps }: TestServer, taskId: string): Promise<void> {
  await expect
    .poll(async () => (await deps.db.execute(sql`select from task_segments`)).rows, {
      timeout: patience(30),
    })
    .toEqual([])
  const outputs = await deps.db.select().from(taskOutputs).where(eq(taskOutputs.taskId, taskId))
  expect(outputs).toHaveLength(1)
}
