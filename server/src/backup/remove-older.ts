import { readdir, rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { readKeptFiles, UNFINISHED, type BackupFolder } from './folder.ts'

/** The checksums of all files that whole backups of a folder name, by the name of each file. */
export async function readKnownSums(folder: BackupFolder): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>()
  for (const name of await folder.names())
    for await (const { file, sha256 } of readKeptFiles(folder, name)) known.set(file, sha256)
  return known
}

/** Removes the oldest backups, and then the files that no kept one names. Returns their names. */
export async function removeOlder(folder: BackupFolder, keep: number): Promise<readonly string[]> {
  const names = await folder.names()
  const removed = names.slice(0, Math.max(0, names.length - keep))
  // Without its name first, so that half of one never passes for a whole one.
  for (const name of removed)
    await rename(folder.backupOf(name), folder.backupOf(name + UNFINISHED))
  const named = await readKnownSums(folder)
  await removeUnfinished(folder)
  const files = folder.fileOf('.')
  const found = await readdir(files, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of found) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    if (!named.has(relative(files, path).split(sep).join('/'))) await rm(path, { force: true })
  }
  return removed
}

/** Removes what backups left that broke off, but for the files that they have copied. */
export async function removeUnfinished({ path }: BackupFolder): Promise<void> {
  const folder = join(path, 'backups')
  for (const name of await readdir(folder).catch(() => []))
    if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true, force: true })
}
