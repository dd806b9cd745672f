/**
 * The real server, which kills itself right after a statement that a test names: ONECUT_TEST_DIE_AT
 * is the name of a file with a regular expression, which is read and taken away on SIGUSR2
 * (`armDeath`). The answer of the database has come; nothing else happens after it.
 */
import { readFileSync, rmSync } from 'node:fs'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { startServer } from '#server/process/startup.ts'
import { afterStatement } from './after-statement.ts'

const file = process.env['ONECUT_TEST_DIE_AT'] ?? ''
const wanted: { now: RegExp | null } = { now: null }
process.on('SIGUSR2', () => {
  wanted.now = new RegExp(readFileSync(file, 'utf8'))
  rmSync(file)
})

afterStatement(
  (text) => wanted.now?.test(text) === true,
  () => process.kill(process.pid, 'SIGKILL'),
)

const server = await startServer(readSettings(process.env), createLog())
process.once('SIGINT', () => void server.stop().then(() => process.exit(0)))
process.stdout.write(`${server.announcement}\n`)
