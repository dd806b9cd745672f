import { once } from 'node:events'
import { compose } from './compose.ts'
import { readSettings, SettingError, type Settings } from './env.ts'
import { createLog, type Log } from './log.ts'
import { watchLoop } from '#server/process/loop-meter.ts'
import { StartError } from './start-error.ts'
import { startServer } from '#server/process/startup.ts'
import { listenToSignals } from '#server/process/stop-signals.ts'

const OLDEST_NODE = 24

await main()

async function main(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
    return fail(`Onecut needs Node ${OLDEST_NODE} or newer, but this is ${process.versions.node}.`)
  const log = createLog()
  try {
    const settings = readSettings(process.env)
    if (settings.role === 'migrate') {
      await (await compose(settings, log)).close()
      return say('The database is up to date.')
    }
    await runUntilSignal(settings, log)
  } catch (error) {
    if (error instanceof SettingError || error instanceof StartError) return fail(error.message)
    throw error
  }
}

async function runUntilSignal(settings: Settings, log: Log): Promise<void> {
  const { stop, hurry } = listenToSignals(process)
  try {
    const server = await startServer(settings, log, { stop })
    if (!settings.hasLocalMailbox && settings.smtp === null)
      log.warn('mail/nowhere-to-send', {
        message:
          'Mail is neither sent nor shown: set SMTP_URL, because this server is reachable from other machines.',
      })
    watchLoop(log)
    say(server.announcement)
    if (!stop.aborted) await once(stop, 'abort')
    await server.stop(hurry)
  } catch (error) {
    // A start that was told to stop has released everything.
    if (error !== stop.reason) throw error
  }
  process.exit()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 2
}
