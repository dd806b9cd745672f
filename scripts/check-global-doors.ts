import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { globalDoors } from '#scripts/import-zones.ts'
import { sourceFiles } from '#scripts/source-files.ts'

/** One line for every use of a global outside the files that may use it. */
export async function checkGlobalDoors(root: string): Promise<string[]> {
  const complaints: string[] = []
  for (const file of await sourceFiles(root, [
    'src',
    'workers',
    'server',
    'recipes',
    'checks',
    'spec',
  ])) {
    const closed = globalDoors.filter(
      ({ under, except }) =>
        under.some((folder) => file.startsWith(folder)) &&
        !except.some((door) => file.startsWith(door)),
    )
    const lines = (await readFile(join(root, file), 'utf8')).split('\n')
    lines.forEach((line, index) => {
      for (const { pattern, instead } of closed) {
        if (!isComment(line) && pattern.test(line))
          complaints.push(
            `${file}:${index + 1}: ${pattern.exec(line)?.[0] ?? ''} has its own place: ${instead}.`,
          )
      }
    })
  }
  return complaints
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*)/.test(line)
}
