/**
 * `npm run operator -- help`: looks at accounts, reports and the security log of this
 * installation, locks accounts, and holds reported videos, while its server runs or not. Its
 * rights are those of the shell that runs it.
 */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { refuseHalfRestored } from '#server/backup/restore-mark.ts'
import { openDb, type Db } from '#server/db/client.ts'
import { launchPostgres } from '#server/db/embedded/launch.ts'
import { createSecurityLog } from '#server/db/security-log.ts'
import { readSettings, SettingError, type Settings } from '#server/env.ts'
import { runOperator } from '#server/operator/commands.ts'
import { StartError } from '#server/start-error.ts'

/** Undefined table or column. */
const OTHER_VERSION = ['42P01', '42703']

try {
  await withDatabase(readSettings(process.env), async (db) => {
    const clock = (): Date => new Date()
    // Its own acts come from no client, so that no hash of one is made.
    const security = createSecurityLog({ clock, key: new Uint8Array() })
    const actor = `operator:${userInfo().username}`
    const ctx = { db, clock, security, newId: v7, actor }
    const answer = await runOperator(ctx, process.argv.slice(2))
    const out = answer.isDone ? process.stdout : process.stderr
    out.write(`${answer.lines.join('\n')}\n`)
    process.exitCode = answer.isDone ? 0 : 1
  })
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exitCode = 2
}

/** The database of the running server, or one that is started for this command alone. */
async function withDatabase(settings: Settings, work: (db: Db) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir } = settings
  refuseHalfRestored(dataDir)
  if (databaseUrl === null && !existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new StartError(
      `There is no installation in "${dataDir}": set ONECUT_DATA_DIR or DATABASE_URL as the server has it.`,
    )
  const embedded = databaseUrl === null ? await launchPostgres(dataDir) : null
  const connection = embedded?.connection ?? { connectionString: databaseUrl ?? '' }
  const db = openDb(connection, { onError: () => {}, onNoConnection: () => {} })
  try {
    await work(db)
  } finally {
    await db.$client.end()
    await embedded?.stop()
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof SettingError || error instanceof StartError) return error.message
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (OTHER_VERSION.includes(code))
    return 'The database is of an older Onecut: start this one once, then try again.'
  return `The database cannot be used: ${cause instanceof Error ? cause.message || code : String(cause)}.`
}
