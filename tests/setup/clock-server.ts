/**
 * The real server by a clock that a test moves, for tests of weeks and months. ONECUT_TEST_CLOCK is
 * the name of a file with the milliseconds to add to the time of day. On SIGUSR2 the server does
 * what it does for payments once a minute.
 */
import { readFileSync } from 'node:fs'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { startServer } from '#server/process/startup.ts'

const file = process.env['ONECUT_TEST_CLOCK'] ?? ''
const clock = (): Date => {
  const text = readFileSync(file, 'utf8')
  if (text === '') throw new Error('The test clock is written in place; moveTestClock replaces it.')
  return new Date(Date.now() + Number(text))
}

const server = await startServer(readSettings(process.env), createLog(clock), {
  replacements: { clock },
})
process.on('SIGUSR2', () => void tickPayments(server.deps))
process.once('SIGINT', () => void server.stop().then(() => process.exit(0)))
process.stdout.write(`${server.announcement}\n`)
