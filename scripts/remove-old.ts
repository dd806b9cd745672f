import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Another branch is often checked out again on the same day. */
const KEPT_MS = 86_400_000

/** Removes what was made in a folder more than a day ago; harmless while others make more. */
export async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true })
  }
}
