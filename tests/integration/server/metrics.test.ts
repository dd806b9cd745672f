import { afterAll, beforeAll, expect, it } from 'vitest'
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
