import { accountFolder, type OpenFiles } from '#src/local/db/account-files.ts'
import type { MadeFile } from './make.ts'

/** The bytes of the device edits of one account: a folder for each, in it its files by number. */
export interface MadeBytes {
  /** Writes all files; removes what it wrote where the device refuses, and rejects as it did. */
  write(id: string, files: readonly MadeFile[]): Promise<void>
  /** One file; null where the browser has it no more. */
  open(id: string, index: number): Promise<File | null>
  /** Idempotent. */
  remove(id: string): Promise<void>
  /** Removes all but these: what a page left that went while it wrote. */
  keepOnly(ids: ReadonlySet<string>): Promise<void>
}

export function createMadeBytes(openFiles: OpenFiles, userId: string): MadeBytes {
  const folder = () => accountFolder(openFiles, userId, 'made')
  const remove = async (id: string): Promise<void> => {
    try {
      await (await folder()).removeEntry(id, { recursive: true })
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
    }
  }
  return {
    write: async (id, files) => {
      await remove(id)
      const own = await (await folder()).getDirectoryHandle(id, { create: true })
      try {
        for (const [index, { blob }] of files.entries()) {
          const handle = await own.getFileHandle(String(index), { create: true })
          const writable = await handle.createWritable()
          await writable.write(blob)
          await writable.close()
        }
      } catch (thrown) {
        await remove(id).catch(() => undefined)
        throw thrown
      }
    },
    open: async (id, index) => {
      try {
        const own = await (await folder()).getDirectoryHandle(id)
        return await (await own.getFileHandle(String(index))).getFile()
      } catch (thrown) {
        if (isNotFound(thrown)) return null
        throw thrown
      }
    },
    remove,
    keepOnly: async (ids) => {
      const left: string[] = []
      for await (const { name } of (await folder()).values()) if (!ids.has(name)) left.push(name)
      await Promise.all(left.map(remove))
    },
  }
}

function isNotFound(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'NotFoundError'
}
