import { inArray, sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { mediaJobs } from '#server/db/schema.ts'
import { readSlotWork } from '#server/operations/processing/slots/waiting.ts'
import { reconcile } from '#server/operations/workflows/upkeep/reconcile.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Orders that are paid and have not begun. */
async function storeOrders(count: number, edits: number): Promise<void> {
  const { deps } = server
  const { userId } = await server.signUp()
  const jobIds: string[] = []
  for (let n = 0; n < count; n += 1) {
    const { jobId } = await storeJob(deps, userId, Array<string>(edits).fill('dynamic-watermark'))
    jobIds.push(jobId)
  }
  await deps.db
    .update(mediaJobs)
    .set({ workflowStartedAt: deps.clock() })
    .where(inArray(mediaJobs.id, jobIds))
}

/** How many statements this process sends meanwhile. */
async function statementsOf(run: () => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(Client.prototype, 'query')
  try {
    await run()
    return sent.mock.calls.length
  } finally {
    sent.mockRestore()
  }
}

async function messages(): Promise<number> {
  const { rows } = await server.deps.db.execute<{ count: number }>(sql`
    select count(*)::int as count from pgboss.job
    where name = 'render-task' and state in ('created', 'retry')`)
  return rows[0]?.count ?? 0
}

it('SCL-04 a thousand waiting edits whose messages are lost have them again, by as many statements as one', async () => {
  const { deps } = server
  await storeOrders(1, 1)
  // The first one learns of its queue.
  await reconcile(deps)
  const ofOne = await statementsOf(async () => await reconcile(deps))
  await storeOrders(10, 100)
  await deps.db.execute(sql`delete from pgboss.job`)
  expect(await statementsOf(async () => await reconcile(deps))).toBe(ofOne)
  expect(await messages()).toBe(1001)
  await reconcile(deps)
  expect(await messages()).toBe(1001)
  const { waiting } = await readSlotWork(deps, { kind: 'edits', resting: [] })
  expect(waiting).toHaveLength(2)
})
