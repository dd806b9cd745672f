import { lstat, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/**
 * Makes the symbolic links that the bundle's libraries need. npm tarballs cannot hold links and the
 * package's own install script, which would make them, is not run.
 * @param folder of the npm package; holds `native/pg-symlinks.json`
 */
export async function createLinks(folder: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(list)) return
  for (const link of list as unknown[]) {
    if (!isLink(link)) continue
    const target = join(folder, link.target)
    if (
      await lstat(target).then(
        () => true,
        () => false,
      )
    )
      continue
    await symlink(relative(dirname(target), join(folder, link.source)), target).catch(
      ignoreExisting,
    )
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

function isLink(value: unknown): value is Link {
  return (
    value !== null &&
    typeof value === 'object' &&
    'source' in value &&
    typeof value.source === 'string' &&
    'target' in value &&
    typeof value.target === 'string'
  )
}

// Two processes may start at once.
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
