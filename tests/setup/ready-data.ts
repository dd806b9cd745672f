import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { removeOld } from '#scripts/remove-old.ts'
import { kept } from '#tests/setup/kept.ts'
import { PROGRAM_ENV, PROGRAM_FLAGS, serverProgram } from '#tests/setup/server-programs.ts'

/**
 * Fills a folder with the data of a server that started once and ended: a migrated database,
 * keys, no accounts. A first start takes 0.7 s of a processor more than one that finds this. Kept
 * for as long as the server's code is the same, and for a day after that: each takes 50 MB.
 * @param dataDir absolute, there and empty
 */
export async function fillWithReadyData(dataDir: string): Promise<void> {
  const program = await serverProgram()
  let isNew = false
  const folder = await kept('data', [program], async (own) => {
    // PostgreSQL may run as another user, who passes through.
    await chmod(own, 0o711)
    await startOnce(program, join(own, 'data'))
    isNew = true
  })
  if (isNew) await removeOld(dirname(folder))
  await cp(join(folder, 'data'), dataDir, { recursive: true })
}

async function startOnce(program: string, dataDir: string): Promise<void> {
  const server = spawn(process.execPath, [...PROGRAM_FLAGS, program], {
    env: {
      ...process.env,
      ...PROGRAM_ENV,
      NODE_ENV: 'production',
      PORT: '0',
      ONECUT_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = text(server.stderr)
  const ended = once(server, 'exit')
  // Its first line says that it is ready.
  await Promise.race([once(createInterface(server.stdout), 'line'), ended])
  server.kill('SIGINT')
  const [code] = (await ended) as [number | null]
  if (code !== 0)
    throw new Error(`The server whose data is kept ended with ${String(code)}:\n${await log}`)
}
