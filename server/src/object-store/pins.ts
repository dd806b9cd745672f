import { link, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { hasEnded } from '#server/db/process-name.ts'

/**
 * Second names of stored files, by hard links, for the time of a backup: what is deleted or moved
 * meanwhile keeps its bytes until they are copied.
 */
export interface Pins {
  /** Begins again: what was pinned before stands in for files that are gone by now. */
  again(): void
  /** The second name of a stored file, or null where it is not there. */
  pin(path: string): Promise<string | null>
  /** Takes all second names away; what was deleted meanwhile is gone then. */
  end(): Promise<void>
}

/**
 * @param root the folder of a disk store
 * @param owner the name of this process, by which what a killed one leaves is found
 */
export async function createPins(root: string, owner: string): Promise<Pins> {
  await removePinsOfEnded(root)
  const folder = join(root, PINS, owner.replaceAll('/', '_'))
  const made = new Set<string>()
  let round = 0
  const nameIn = (path: string, of: number): string =>
    join(folder, String(of), relative(root, path))
  return {
    again() {
      round += 1
    },
    async pin(path) {
      const name = nameIn(path, round)
      if (!made.has(dirname(name))) {
        await mkdir(dirname(name), { recursive: true, mode: 0o700 })
        made.add(dirname(name))
      }
      if (await linked(path, name)) return name
      for (let before = round - 1; before >= 0; before -= 1)
        if (await linked(nameIn(path, before), name)) return name
      return null
    },
    end: async () => await rm(folder, { recursive: true, force: true }),
  }
}

/** Takes away the second names that a killed backup left, with the bytes that they keep. */
export async function removePinsOfEnded(root: string): Promise<void> {
  const folder = join(root, PINS)
  for (const name of await readdir(folder).catch(() => []))
    if (await hasEnded(name.replaceAll('_', '/')))
      await rm(join(folder, name), { recursive: true, force: true })
}

const PINS = 'pins'

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') return false
    throw error
  }
}
