import {
  absent,
  accountFolder,
  namesIn,
  writeWhole,
  type OpenFiles,
} from '#src/local/db/account-files.ts'
import type { SealKeys } from '#src/local/db/seal.ts'
import { openSealedFile, sealedSize, sealFile, sizeWithin } from '#src/local/db/sealed-files.ts'
import type { MadeFile } from './make.ts'

/**
 * The bytes of the device edits of one account: a folder for each, in it its files by number; and
 * while it is not whole another one with its pieces by name ([Note: kept pieces]).
 */
export interface MadeBytes {
  /** Writes all files; removes what it wrote where the device refuses, and rejects as it did. */
  write(id: string, files: readonly MadeFile[]): Promise<void>
  /** One file, in memory where it is sealed; null where the browser has it no more. */
  open(id: string, index: number, sizeBytes: number): Promise<Blob | null>
  /** Rejects where the device refuses it. Removes pieces that were made of something else. */
  writePiece(id: string, name: string, piece: Blob): Promise<void>
  /** Null where it is not kept, or cannot be opened. */
  openPiece(id: string, name: string): Promise<Blob | null>
  removePieces(id: string): Promise<void>
  /** Files and pieces. Idempotent. */
  remove(id: string): Promise<void>
  /** Removes all but these: what a page left that went while it wrote. */
  keepOnly(finished: ReadonlySet<string>, unfinished: ReadonlySet<string>): Promise<void>
}

/** @param keys of an account whose files are sealed ([Note: sealed files]); null for others */
export function createMadeBytes(
  openFiles: OpenFiles,
  userId: string,
  keys: SealKeys | null,
): MadeBytes {
  const folder = () => accountFolder(openFiles, userId, 'made')
  const removeFolder = async (name: string): Promise<void> => {
    await (await folder()).removeEntry(name, { recursive: true }).catch(absent)
  }
  return {
    write: async (id, files) => {
      await removeFolder(id)
      const own = await (await folder()).getDirectoryHandle(id, { create: true })
      try {
        for (const [index, { blob }] of files.entries()) {
          const bytes = keys === null ? blob : await sealFile(keys, madePlace(id, index), blob)
          await writeWhole(own, String(index), bytes)
        }
      } catch (thrown) {
        await removeFolder(id).catch(() => undefined)
        throw thrown
      }
    },
    open: async (id, index, sizeBytes) => {
      const file = await openFileIn(await folder(), id, String(index))
      if (keys === null || file === null) return file
      if (file.size !== sealedSize(sizeBytes)) return null
      return openSealedFile(keys, madePlace(id, index), file, sizeBytes)
    },
    ...pieceBytes(folder, keys),
    removePieces: (id) => removeFolder(`${id}${PIECES}`),
    remove: async (id) => {
      await removeFolder(id)
      await removeFolder(`${id}${PIECES}`)
    },
    keepOnly: async (finished, unfinished) => {
      const isKept = (name: string): boolean =>
        finished.has(name) || (name.endsWith(PIECES) && unfinished.has(idOfPieces(name)))
      const left = (await namesIn(await folder())).filter((name) => !isKept(name))
      await Promise.all(left.map(removeFolder))
    },
  }
}

/** Ends the name of the folder with the pieces of a device edit. */
const PIECES = '.pieces'

function idOfPieces(name: string): string {
  return name.slice(0, -PIECES.length)
}

function pieceBytes(
  folder: () => Promise<FileSystemDirectoryHandle>,
  keys: SealKeys | null,
): Pick<MadeBytes, 'writePiece' | 'openPiece'> {
  return {
    writePiece: async (id, name, piece) => {
      const own = await (await folder()).getDirectoryHandle(`${id}${PIECES}`, { create: true })
      const [key] = name.split('.')
      const others = (await namesIn(own)).filter((other) => !other.startsWith(`${key}.`))
      await Promise.all(others.map((other) => own.removeEntry(other)))
      try {
        await writeWhole(
          own,
          name,
          keys === null ? piece : await sealFile(keys, piecePlace(id, name), piece),
        )
      } catch (thrown) {
        await own.removeEntry(name).catch(() => undefined)
        throw thrown
      }
    },
    openPiece: async (id, name) => {
      const file = await openFileIn(await folder(), `${id}${PIECES}`, name)
      // A page that ends before its first write leaves an empty file.
      if (file === null || file.size === 0) return null
      if (keys === null) return file
      return openSealedFile(keys, piecePlace(id, name), file, sizeWithin(file.size)).catch(
        () => null,
      )
    },
  }
}

/** Null where it is not there. */
function openFileIn(
  folder: FileSystemDirectoryHandle,
  id: string,
  name: string,
): Promise<File | null> {
  return folder
    .getDirectoryHandle(id)
    .then((own) => own.getFileHandle(name))
    .then((handle) => handle.getFile())
    .catch(absent)
}

function piecePlace(id: string, name: string): string {
  return `made/${id}/${name}`
}

/** Where a file of a device edit is kept, by which it is sealed. */
export function madePlace(id: string, index: number): string {
  return `made/${id}/${index}`
}
