import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { failTask } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { inTransaction } from '#server/context.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { sweepStorage } from '#server/operations/workflows/upkeep/storage.ts'
import { reconcile } from '#server/operations/workflows/upkeep/reconcile.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { runOperator } from '#server/operator/commands.ts'
import { eraseAccounts } from '#server/operations/workflows/account-erased.ts'
import { createFakePasskey } from '#tests/fakes/authenticator.ts'
import { humanToken } from '#tests/fakes/human.ts'
import { sendNotices } from '#server/operations/accounts/notices/send.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { storeReview } from '#tests/integration/orders/stored-review.ts'
import { payFor } from '#tests/setup/order.ts'
import { expectPasskeyAdded } from '#tests/setup/passkeys.ts'
import { payer, settleNotices } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { manyId, storeManyRows } from './many-rows.ts'

/**
 * They have as many rows as the product has edits to offer, as there are slots, as what is made in
 * them has segments, or a handful.
 */
const TABLES_THAT_STAY_SMALL = [
  'presets',
  'server_secrets',
  'leases',
  'workers',
  'receipt_counters',
  'render_speeds',
  'task_segments',
]

let server: TestServer
let me: SignedUp
const passkey = createFakePasskey()
beforeAll(async () => {
  server = await startTestServer()
  me = await server.signUp()
  await expectPasskeyAdded(server, me.client, passkey)
  const { wallets } = (await me.client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
  const { database = '' } = server.deps.db.$client.options
  const connection = { ...inject('postgres'), database }
  await storeManyRows(connection, { userId: me.userId, walletId: wallets[0]?._id ?? '' })
})
afterAll(() => server.stop())

it('the fill makes a plan show: a column without an index is read by reading the whole table', async () => {
  expect(await scansOf({ text: 'select 1 from media_job_tasks where attempt = 7' })).toEqual([
    'media_job_tasks',
  ])
})

it('the fill reaches every table that grows: one with few rows is read from end to end rightly', async () => {
  const { rows } = await server.deps.db.$client.query<{ name: string; rows: number }>(
    `select relname as name, reltuples as rows from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples < 1000`,
  )
  const few = rows.map(({ name }) => name).filter((name) => !TABLES_THAT_STAY_SMALL.includes(name))
  expect(few).toEqual([])
})

it.each<[string, () => Promise<unknown>]>([
  ['the library by time', async () => await libraryPages('sortBy=createdAt&sortDirection=desc')],
  ['the library by name', async () => await libraryPages('sortBy=name&sortDirection=asc')],
  ['a search', async () => await libraryPages('name=cene%209')],
  ['the poll of one job', async () => await get(`/v1/media-jobs/${manyId('job', 1500)}`)],
  [
    'when a job will be ready',
    async () => await get(`/v1/media-jobs/${manyId('job', 1500)}/forecast`),
  ],
  ['the orders of a job', async () => await get(`/v1/media-jobs/${manyId('job', 1500)}/orders`)],
  ['a review of faces', reviewFaces],
  ['an order', async () => await get(`/v1/orders/${manyId('order', 1500)}`)],
  ['wallets and their history', readWallets],
  ['the uploads', async () => await get('/v1/upload-requests?limit=10')],
  ['an upload', async () => await get(`/v1/upload-requests/${manyId('upload', 1500)}`)],
  ['the assets', async () => await get('/v1/media-assets')],
  ['who is signed in', async () => await get('/v1/users/me')],
  ['signing in', signIn],
  ['ordering, paying and giving back', orderAndFail],
  ['buying tokens by card', buyTokens],
  ['a month of a subscription', subscribeForAMonth],
  ['the minute of payments', async () => await tickPayments(server.deps)],
  ['the sweep', async () => await sweep(server.deps)],
  ['what lies on the server', async () => await get('/v1/storage')],
  ['the storage sweep', async () => await sweepStorage(keeping(30))],
  ['the devices that are signed in', async () => await get('/v1/users/me/sessions')],
  ['the mails that tell', async () => await sendNotices(takingPayments())],
  ['the sets of edits', async () => await get('/v1/edit-sets')],
  [
    'the results of a job that are saved to a drive',
    async () => await get(`/v1/media-jobs/${manyId('job', 1500)}/drive-saves`),
  ],
  ['the drives', async () => await get('/v1/external-auths')],
  ['the passkeys', async () => await get('/v1/users/me/passkeys')],
  ['signing in with a passkey', signInWithPasskey],
  ['the work of the operator', operate],
  ['everything of an account', async () => await get('/v1/users/me/export')],
  ['deleting an asset', async () => await deleteAsset(manyId('asset', 2500))],
  ['the end of an account', endAnAccount],
  ['the search for lost work', async () => await reconcile(server.deps)],
])('%s reads no table that grows from end to end', async (_what, run) => {
  const statements = await statementsOf(run)
  expect(statements.length).toBeGreaterThan(0)
  const scans: string[] = []
  for (const statement of statements)
    for (const table of await scansOf(statement)) scans.push(`${table}: ${statement.text}`)
  expect(scans).toEqual([])
})

/** Some notices are only sent where tokens are paid with. */
const takingPayments = () => ({
  ...server.deps,
  settings: { ...server.deps.settings, takesPayments: true },
})

/** A server whose operator has set how long files are kept. */
const keeping = (days: number) => ({
  ...server.deps,
  settings: { ...server.deps.settings, keepSourcesDays: days, keepResultsDays: days },
})

async function get<T>(path: string): Promise<T> {
  const answer = await me.client.get<T>(path)
  expect(answer.status).toBe(200)
  return answer.body
}

async function deleteAsset(id: string): Promise<void> {
  expect((await me.client.delete(`/v1/media-assets/${id}`)).status).toBe(204)
}

async function operate(): Promise<void> {
  for (const args of [
    ['accounts'],
    ['account', me.email],
    ['unlock', me.userId],
    ['log'],
    ['log', '--account', me.userId],
    ['log', '--event', 'limit-reached'],
    ['reports', 'list'],
    ['reports', 'show', 'R-1'],
    ['reports', 'find', me.userId],
    ['reports', 'find', me.email],
    ['reports', 'reject', 'R-1'],
  ])
    expect(await runOperator({ ...server.deps, actor: 'operator:test' }, args)).toMatchObject({
      isDone: true,
    })
  expect((await me.client.delete(`/v1/users/me/sessions/${crypto.randomUUID()}`)).status).toBe(404)
}

async function signInWithPasskey(): Promise<void> {
  const device = server.createClient()
  const asked = await device.post<{ options: { challenge: string; rpId: string } }>(
    '/v1/auth/passkey/options',
  )
  const credential = passkey.get({ ...asked.body.options, origin: server.origin })
  expect((await device.post('/v1/auth/passkey', { credential })).status).toBe(200)
}

async function libraryPages(query: string): Promise<void> {
  const path = `/v1/media-jobs/paginated?limit=10&${query}`
  const { pagination } = await get<{ pagination: { nextCursor: string | null } }>(path)
  if (pagination.nextCursor !== null)
    await get(`/v1/media-jobs/paginated?limit=10&cursor=${pagination.nextCursor}`)
}

async function reviewFaces(): Promise<void> {
  const { id } = await storeReview(server.deps, me.userId)
  await get(`/v1/media-job-tasks/${id}/faces`)
  const decisions = { uncovered: ['doubtful'], added: [], wholly: [] }
  const saved = await me.client.call('PUT', `/v1/media-job-tasks/${id}/faces`, {
    body: { faceReview: { basedOn: 0, decisions } },
  })
  const finished = await me.client.post(`/v1/media-job-tasks/${id}/faces/finish`, {
    faceReview: { basedOn: 1 },
  })
  expect([saved.status, finished.status]).toEqual([200, 200])
}

async function readWallets(): Promise<void> {
  const { wallets } = await get<{ wallets: { _id: string }[] }>('/v1/wallets')
  await get(`/v1/wallets/${wallets[0]?._id}/wallet-coin-transactions`)
}

async function signIn(): Promise<void> {
  const client = server.createClient()
  const asked = await client.post('/v1/auth/magic-link/login', {
    user: { email: me.email },
    captchaToken: humanToken,
    redirectUri: '/',
  })
  expect(asked.status).toBe(202)
  const entered = await client.post('/v1/auth/magic-link/code', { email: me.email, code: '000000' })
  expect(entered.status).toBe(422)
}

async function orderAndFail(): Promise<void> {
  const { jobId, taskIds } = await storeJob(server.deps, me.userId, ['still-pack'])
  await payFor(me.client, jobId)
  await inTransaction(server.deps, async (ctx) => {
    await failTask(ctx, {
      taskId: taskIds[0] ?? '',
      failure: { message: 'It broke.', supportLog: null },
    })
  })
}

async function buyTokens(): Promise<void> {
  const person = payer(me.client)
  const session = await person.buy(2000)
  await person.press(session, 'pay', 'once')
  expect(await person.look(session)).toMatchObject({ payment: 'paid' })
}

async function subscribeForAMonth(): Promise<void> {
  const person = payer(me.client)
  const session = await person.subscribe()
  await person.press(session, 'pay', 'once')
  await settleNotices(server)
  const [subscription] = await person.subscriptions()
  const path = `/v1/wallet-subscriptions/${subscription?._id}`
  await get(path)
  expect((await me.client.post(`${path}/cancel`)).status).toBe(200)
}

async function endAnAccount(): Promise<void> {
  const leaving = await server.signUp()
  const { email } = leaving
  await leaving.client.delete('/v1/users/me/sessions')
  expect((await leaving.client.post('/v1/users/me/deletion', { email })).status).toBe(200)
  const clock = () => new Date(server.deps.clock().getTime() + 14 * 86_400_000)
  await eraseAccounts({ ...server.deps, clock })
}

interface Statement {
  readonly text: string
  readonly values?: unknown[]
}

/** What the server's own code sends to its tables while `run` runs, each text once. */
async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  const query = vi.spyOn(Client.prototype, 'query')
  try {
    await run()
    const byText = new Map<string, Statement>()
    for (const [config, values] of query.mock.calls as unknown as [
      string | Statement,
      unknown[]?,
    ][]) {
      const text = typeof config === 'string' ? config : config.text
      if (/^\s*(?:select|insert|update|delete|with)\b/i.test(text) && !/pgboss|pg_/.test(text))
        byText.set(text, Array.isArray(values) ? { text, values } : { text })
    }
    return [...byText.values()]
  } finally {
    query.mockRestore()
  }
}

/**
 * Tables that grow and that the plan of a statement reads from end to end. By its defaults
 * PostgreSQL takes a page out of order for four times as dear as the next one, as on a disk that
 * turns, and so prefers to read tables of this size whole that it would not in production. With
 * both at one price a table of thousands of rows is read as one of millions.
 */
async function scansOf({ text, values = [] }: Statement): Promise<string[]> {
  const client = await server.deps.db.$client.connect()
  try {
    await client.query('begin')
    await client.query('set local random_page_cost = 1')
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `explain (format json) ${text}`,
      values,
    )
    return nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan)
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? '')
      .filter((table) => !TABLES_THAT_STAY_SMALL.includes(table))
  } finally {
    await client.query('rollback')
    client.release()
  }
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

function nodesOf(plan: Plan | undefined): Plan[] {
  return plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
