import {
  absent,
  accountFolder,
  namesIn,
  writeWhole,
  type OpenFiles,
} from '#src/local/db/account-files.ts'
import type { SealKeys } from '#src/local/db/seal.ts'
import { openSealedFile, sealedSize, sealFile } from '#src/local/db/sealed-files.ts'
import type { MadeFile } from './make.ts'

/** The bytes of the device edits of one account: a folder for each, in it its files by number. */
export interface MadeBytes {
  /** Writes all files; removes what it wrote where the device refuses, and rejects as it did. */
  write(id: string, files: readonly MadeFile[]): Promise<void>
  /** One file, in memory where it is sealed; null where the browser has it no more. */
  open(id: string, index: number, sizeBytes: number): Promise<Blob | null>
  /** Idempotent. */
  remove(id: string): Promise<void>
  /** Removes all but these: what a page left that went while it wrote. */
  keepOnly(ids: ReadonlySet<string>): Promise<void>
}

/** @param keys of an account whose files are sealed ([Note: sealed files]); null for others */
export function createMadeBytes(
  openFiles: OpenFiles,
  userId: string,
  keys: SealKeys | null,
): MadeBytes {
  const folder = () => accountFolder(openFiles, userId, 'made')
  const remove = async (id: string): Promise<void> => {
    await (await folder()).removeEntry(id, { recursive: true }).catch(absent)
  }
  return {
    write: async (id, files) => {
      await remove(id)
      const own = await (await folder()).getDirectoryHandle(id, { create: true })
      try {
        for (const [index, { blob }] of files.entries()) {
          const bytes = keys === null ? blob : await sealFile(keys, madePlace(id, index), blob)
          await writeWhole(own, String(index), bytes)
        }
      } catch (thrown) {
        await remove(id).catch(() => undefined)
        throw thrown
      }
    },
    open: async (id, index, sizeBytes) => {
      const file = await (
        await folder()
      )
        .getDirectoryHandle(id)
        .then((own) => own.getFileHandle(String(index)))
        .then((handle) => handle.getFile())
        .catch(absent)
      if (keys === null || file === null) return file
      if (file.size !== sealedSize(sizeBytes)) return null
      return openSealedFile(keys, madePlace(id, index), file, sizeBytes)
    },
    remove,
    keepOnly: async (ids) => {
      const left = (await namesIn(await folder())).filter((name) => !ids.has(name))
      await Promise.all(left.map(remove))
    },
  }
}

/** Where a file of a device edit is kept, by which it is sealed. */
export function madePlace(id: string, index: number): string {
  return `made/${id}/${index}`
}
