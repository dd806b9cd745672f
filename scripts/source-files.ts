import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * TypeScript files below some folders, as paths from the root with `/`; folders that do not exist
 * are empty.
 */
export async function sourceFiles(root: string, folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root, folder), {
        recursive: true,
        withFileTypes: true,
      }).catch(() => [])
      return entries
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    }),
  )
  return found
    .flat()
    .filter((file) => !file.includes('node_modules/'))
    .sort()
}

/** The test files that `npm test` runs; those below `tests/soak` are for `npm run soak`. */
export async function landingTests(root: string): Promise<string[]> {
  const files = await sourceFiles(root, ['tests'])
  return files.filter(
    (file) => /\.(?:test|spec)\.tsx?$/.test(file) && !file.startsWith('tests/soak/'),
  )
}
