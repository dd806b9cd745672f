import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { vi } from 'vitest'
import { patience } from './patience.ts'

/**
 * Has a server of `dying-server.ts` kill itself right after its next statement of this kind. Ends
 * when the server has been told, so that no statement that a test asks for afterwards is missed.
 * @param file ONECUT_TEST_DIE_AT of the server
 */
export async function armDeath(pid: number, file: string, statement: RegExp): Promise<void> {
  await writeFile(file, statement.source)
  process.kill(pid, 'SIGUSR2')
  // The server takes the file away when it has read it.
  await vi.waitUntil(() => !existsSync(file), { timeout: patience(60), interval: 5 })
}
