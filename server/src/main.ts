import { compose } from './compose.ts'
import { readSettings, SettingError } from './env.ts'
import { createLog } from './log.ts'
import { StartError } from './start-error.ts'
import { startServer, type RunningServer } from './startup.ts'

const OLDEST_NODE = 24
const EXIT_CODE_OF_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const

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
    const starting = startServer(settings, log)
    stopOnSignals(starting)
    const server = await starting
    if (!settings.hasLocalMailbox && settings.smtp === null)
      log.warn('mail/nowhere-to-send', {
        message:
          'Mail is neither sent nor shown: set SMTP_URL, because this server is reachable from other machines.',
      })
    say(server.port === null ? 'Onecut is ready to work' : `Onecut is ready at ${server.origin}`)
  } catch (error) {
    if (error instanceof SettingError || error instanceof StartError) return fail(error.message)
    throw error
  }
}

function stopOnSignals(starting: Promise<RunningServer>): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // npm and the terminal may both pass on one Ctrl-C, so a repeated signal changes nothing.
      if (isStopping) return
      isStopping = true
      // A start that fails has already reported it and released everything.
      starting
        .then(
          (server) => server.stop(),
          () => undefined,
        )
        .then(
          () => process.exit(0),
          (error: unknown) => {
            process.stderr.write(`${String(error)}\n`)
            process.exit(EXIT_CODE_OF_SIGNAL[signal])
          },
        )
    })
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 2
}
