import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDb, type Db } from '#server/db/client.ts'
import { launchPostgres } from '#server/db/embedded/launch.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { armDeath } from '#tests/setup/arm-death.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { patience } from '#tests/setup/patience.ts'
import { startSmtp, type TestSmtp } from '#tests/setup/smtp.ts'

const waiting = { timeout: patience(60), interval: 50 }

let folder: string
let smtp: TestSmtp
let server: E2eServer
let db: Db
let userId: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-notice-'))
  smtp = await startSmtp()
  server = await startE2eServer(
    {
      ONECUT_TEST_DIE_AT: join(folder, 'statement'),
      SMTP_URL: smtp.url,
      MAIL_FROM: 'hello@example.com',
      ONECUT_SUPPORT_MAIL: 'help@example.com',
    },
    'tests/setup/dying-server.ts',
  )
  const { connection } = await launchPostgres(server.dataDir)
  db = openDb(connection, { onError: () => undefined })
  ;({ userId } = await signUpAt({ origin: server.origin, mails: signInMails }))
})
afterAll(async () => {
  await db.$client.end()
  await server.dispose()
  await smtp.close()
  await rm(folder, { recursive: true, force: true })
})

it.each([
  ['its notice and its mail are written, uncommitted', /^insert into "mails"/, 1],
  ['a mail server took the mail, before that is committed', /^update "mails"/, 2],
])(
  'REC-26 a job is told by one mail when the server is killed after %s',
  async (_step, statement, copies) => {
    const { jobId } = await storeJob({ db, clock: () => new Date() }, userId, ['still-pack'])
    const before = smtp.received.length
    const pid = server.pid() ?? 0
    await armDeath(pid, join(folder, 'statement'), statement)
    await db.execute(sql`update media_job_tasks set status = 'succeeded', ended_at = now()
      where media_job_id = ${jobId}`)
    await db.execute(sql`update media_jobs
      set workflow_started_at = now(), workflow_ended_at = now() where id = ${jobId}`)
    await sweepNow()
    await vi.waitUntil(() => isOver(pid), waiting)
    await server.kill()
    await server.start()
    await sweepNow()
    await vi.waitUntil(isSent, waiting)
    await sweepNow()
    await vi.waitUntil(isSwept, waiting)
    const told = await Promise.all(smtp.received.slice(before).map((raw) => PostalMime.parse(raw)))
    expect(told.map(({ subject }) => subject)).toEqual(Array(copies).fill('Your edit is ready'))
    expect(new Set(told.map(sameness)).size).toBe(1)
  },
  180_000,
)

/** By what a mailbox knows a mail that comes twice. */
function sameness({ messageId, date, text }: Email): string {
  return JSON.stringify([messageId, date, text])
}

/** The look for notices comes each minute; this one comes at once. */
async function sweepNow(): Promise<void> {
  await vi.waitUntil(async () => {
    const moved = await db.execute(sql`update pgboss.job set start_after = now()
      where name = 'sweep' and state = 'created' and start_after > now()`)
    return (moved.rowCount ?? 0) > 0
  }, waiting)
}

/** The next look stands in the queue when one has ended. */
async function isSwept(): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from pgboss.job
    where name = 'sweep' and state = 'created' and start_after > now()`)
  return rows.length > 0
}

async function isSent(): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from mails where sent_at is null`)
  const told = await db.execute(sql`select 1 from media_jobs j where not exists (
    select 1 from notices n where n.cause = j.id)`)
  return rows.length === 0 && told.rows.length === 0
}

async function signInMails() {
  await vi.waitUntil(() => smtp.received.length > 0, waiting)
  const mails = await Promise.all(smtp.received.map((raw) => PostalMime.parse(raw)))
  return mails.map(({ to, subject = '', text = '' }) => ({
    to: to?.[0]?.address ?? '',
    subject,
    text,
  }))
}

function isOver(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
