import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { workers } from '#server/db/schema.ts'
import { listPresets } from '#server/operations/core/presets/list.ts'
import { readSlots, sayWhatWorks } from '#server/operations/core/workers.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

let api: TestServer
beforeAll(async () => {
  api = await startTestServer({ env: { ONECUT_METRICS_PORT: '0' } })
})
// It was asked whether it is ready, and would wait for the next time.
afterAll(() => api.stop(AbortSignal.abort()))

it('SCL-05 the figures of a process are on a port of their own, with those of the queue', async () => {
  const { client } = await api.signUp()
  await client.get('/v1/users/me')
  await api.deps.db.transaction(async (tx) => {
    await api.deps.queue.enqueue(tx, 'send-mail', { mailId: 'none' })
  })
  const origin = `http://127.0.0.1:${api.metricsPort}`
  const answer = await fetch(`${origin}/metrics`)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  for (const line of [
    /^onecut_calls_total\{operation="getCurrentUser",status="200"\} 1$/m,
    /^onecut_queue_due\{kind="send-mail"\} [1-9]\d*$/m,
    /^onecut_queue_oldest_seconds\{kind="validate-upload"\} 0$/m,
    /^onecut_work_waiting_seconds\{kind="edits"\} 0$/m,
    /^onecut_loop_lag_seconds\{quantile="0\.99"\} \d/m,
    /^onecut_db_connections\{state="waited_for"\} 0$/m,
    /^onecut_scratch_free_bytes [1-9]\d+$/m,
    /^# TYPE onecut_deliveries_failed_total counter$/m,
  ])
    expect(text).toMatch(line)
  expect((await fetch(`${origin}/livez`)).status).toBe(200)
  expect((await fetch(`${origin}/`)).status).toBe(404)
  expect(await (await fetch(`${api.origin}/metrics`)).text()).not.toContain('onecut_queue_due')
  expect(await (await fetch(`${api.origin}/editors/ready`)).json()).toEqual({
    ready: true,
    migration: expect.stringMatching(/^\d{4}_/) as unknown,
  })
})

it('SCL-03 what is offered, and how much is made at a time, is what living workers say', async () => {
  const { deps } = api
  const offered = async (ctx = deps): Promise<readonly string[]> =>
    (await listPresets(ctx)).flatMap(({ preset, isOffered }) => (isOffered ? [preset.slug] : []))
  const all = await offered()
  expect(all.length).toBeGreaterThan(3)
  const without = { ...deps, ffmpeg: null, faces: null }
  expect(await offered(without)).toEqual([])

  await sayWhatWorks(deps)
  await sayWhatWorks(deps)
  expect(await offered(without)).toEqual(all)
  const [row] = await deps.db.select().from(workers)
  if (row === undefined) throw new Error('Nothing was said')
  expect(row).toMatchObject({ id: deps.leases.owner, ffmpegVersion: deps.ffmpeg?.version })
  const other = { ...row, id: 'other', longSlots: 7, filters: [], encoders: [] }
  await deps.db.insert(workers).values(other)
  expect(await readSlots(deps)).toEqual({ longSlots: row.longSlots + 7, quickSlots: 2 })
  expect(await offered(without)).toEqual([])
  // Silent for half a minute: it makes nothing any more.
  await deps.db.execute(sql`update workers set heartbeat_at = now() - interval '31 seconds'
    where id = 'other'`)
  expect(await readSlots(deps)).toEqual({ longSlots: row.longSlots, quickSlots: 1 })
  expect(await offered(without)).toEqual(all)
})
