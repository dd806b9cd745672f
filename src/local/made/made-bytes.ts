import {
  absent,
  accountFolder,
  namesIn,
  writeWhole,
  type OpenFiles,
} from '#src/local/db/account-files.ts'
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
    await (await folder()).removeEntry(id, { recursive: true }).catch(absent)
  }
  return {
    write: async (id, files) => {
      await remove(id)
      const own = await (await folder()).getDirectoryHandle(id, { create: true })
      try {
        for (const [index, { blob }] of files.entries()) await writeWhole(own, String(index), blob)
      } catch (thrown) {
        await remove(id).catch(() => undefined)
        throw thrown
      }
    },
    open: async (id, index) => {
      return (await folder())
        .getDirectoryHandle(id)
        .then((own) => own.getFileHandle(String(index)))
        .then((file) => file.getFile())
        .catch(absent)
    },
    remove,
    keepOnly: async (ids) => {
      const left = (await namesIn(await folder())).filter((name) => !ids.has(name))
      await Promise.all(left.map(remove))
    },
  }
}
