import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { World } from '#tests/contract/cases/operation-case.ts'

/** A small object in the server's store; its key. */
export async function storeObject(
  { server }: Pick<World, 'server'>,
  key = `contract-${crypto.randomUUID()}`,
): Promise<string> {
  const path = join(server.deps.settings.dataDir, crypto.randomUUID())
  await writeFile(path, 'bytes')
  await server.deps.store.putFile(key, path, 'image/jpeg')
  return key
}
