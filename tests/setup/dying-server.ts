/**
 * The real server, which kills itself right after a statement that a test names: ONECUT_TEST_DIE_AT
 * is the name of a file with a regular expression, which is read and taken away on SIGUSR2
 * (`armDeath`). The answer of the database has come; nothing else happens after it.
 */
import { readFileSync, rmSync } from 'node:fs'
import pg from 'pg'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { startServer } from '#server/process/startup.ts'

const file = process.env['ONECUT_TEST_DIE_AT'] ?? ''
const wanted: { now: RegExp | null } = { now: null }
process.on('SIGUSR2', () => {
  wanted.now = new RegExp(readFileSync(file, 'utf8'))
  rmSync(file)
})

const prototype = pg.Client.prototype as { query: (...given: unknown[]) => unknown }
const { query } = prototype
prototype.query = function (this: unknown, ...given) {
  if (!isWanted(given[0])) return query.apply(this, given)
  const last = given.at(-1)
  if (typeof last === 'function') return query.apply(this, [...given.slice(0, -1), die])
  return (query.apply(this, given) as Promise<unknown>).finally(die)
}

function isWanted(statement: unknown): boolean {
  const text =
    typeof statement === 'object' && statement !== null && 'text' in statement
      ? statement.text
      : statement
  return typeof text === 'string' && wanted.now?.test(text) === true
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

const server = await startServer(readSettings(process.env), createLog())
process.once('SIGINT', () => void server.stop().then(() => process.exit(0)))
process.stdout.write(`${server.announcement}\n`)
