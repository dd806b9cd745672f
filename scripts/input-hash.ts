import { createHash, type Hash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '#scripts/project-root.ts'

/**
 * One hash of all files at and below some paths, which are relative to the project's root, and of
 * their names. Paths that do not exist and `node_modules` are left out.
 * @param also what else a build depends on
 */
export async function hashInputs(paths: readonly string[], also = ''): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) await addToHash(hash, path)
  return hash.update(also).digest('hex')
}

async function addToHash(hash: Hash, path: string): Promise<void> {
  const full = join(projectRoot, path)
  const stats = await stat(full).catch(() => null)
  if (stats === null || path.endsWith('node_modules')) return
  if (stats.isDirectory()) {
    for (const name of (await readdir(full)).sort()) await addToHash(hash, `${path}/${name}`)
    return
  }
  hash.update(`${path}\n`).update(await readFile(full))
}
