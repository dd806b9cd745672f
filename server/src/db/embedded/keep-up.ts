import { join } from 'node:path'
import { launchPostgres } from './launch.ts'
import { livingPostmaster } from './stale-locks.ts'
import type { Log } from '#server/log.ts'

/** A file read each time. */
const LOOK_EVERY_MS = 1_000

/**
 * Starts the embedded database of `dataDir` again when it dies under a running server (out of
 * memory, a kill): otherwise every call would fail until Onecut is restarted. Call its `stop`
 * before the database's own.
 */
export function keepPostgresUp(dataDir: string, log: Log): { stop(): Promise<void> } {
  let isStopped = false
  let looking: Promise<void> = Promise.resolve()
  const look = async (): Promise<void> => {
    if (isStopped || (await livingPostmaster(join(dataDir, 'postgres'))) !== null) return
    log.warn('db/ended', { message: 'The database has ended and is being started again.' })
    await launchPostgres(dataDir)
    log.info('db/started-again')
  }
  const again = (): void => {
    looking = look()
      .catch((error: unknown) => log.error('db/not-started-again', error))
      .then(() => {
        timer.refresh()
      })
  }
  const timer = setTimeout(again, LOOK_EVERY_MS).unref()
  return {
    async stop() {
      isStopped = true
      await looking
      clearTimeout(timer)
    },
  }
}
