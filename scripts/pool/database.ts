import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { projectRoot } from '#scripts/project-root.ts'
import { openMeter } from './meter.ts'

/** The PostgreSQL of a run. */
export interface SharedDatabase {
  /** As JSON, for `SHARED_POSTGRES`. */
  readonly connection: string
  /** Ends it; returns the processor seconds that it cost, or null where they are not counted. */
  stop(): Promise<number | null>
}

/** Starts it; throws when it ends before it is ready. */
export async function startDatabase(): Promise<SharedDatabase> {
  const meter = openMeter('database')
  const [command = '', ...args] = (meter?.wrap ?? ((plain) => plain))([
    process.execPath,
    'tests/setup/shared-postgres.ts',
  ])
  const child = spawn(command, args, { cwd: projectRoot, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const line = once(createInterface(child.stdout), 'line') as Promise<[string]>
  const [connection] = await Promise.race([
    line,
    ended.then(() => Promise.reject(new Error('The PostgreSQL of the tests did not start.'))),
  ])
  return {
    connection,
    stop: async () => {
      child.stdin.end()
      await ended
      const seconds = meter?.seconds() ?? null
      await meter?.close()
      return seconds
    },
  }
}
