import {
  absent,
  accountFolder,
  namesIn,
  presentFolder,
  writeWhole,
  type OpenFiles,
} from '#src/local/db/account-files.ts'
import type { SealKeys } from '#src/local/db/seal.ts'
import { openSealedFile, openRange, sealedSize, sealFile } from '#src/local/db/sealed-files.ts'
import { MIB } from '#src/lib/bytes.ts'

/**
 * How much is asked for and written at a time.
 *
 * [Note: steps of a kept file] A kept file is a folder with one file for each step, and is read as
 * one blob of them. A step is whole or not there, because browsers put a written file in its place
 * at `close`; so what is there says where to go on after a crash. One growing file was rejected: a
 * page can only write it by copying all of it at each step, and a worker with an access handle,
 * which can append, would be one more program to load, watch and end for the same bytes.
 */
export const STEP_BYTES = 8 * MIB

/** The bytes of the kept files of one account. */
export interface KeptBytes {
  /** Of a file of this size, how many are here from its beginning, in whole steps. */
  count(outputId: string, sizeBytes: number): Promise<number>
  /** Writes the step that begins at `fromBytes`, which ends one. */
  write(outputId: string, fromBytes: number, step: Blob): Promise<void>
  /** The file, in memory where it is sealed; null unless all of it is here. */
  read(outputId: string, sizeBytes: number, contentType: string): Promise<Blob | null>
  /** Whether all of it is here. */
  isWhole(outputId: string, sizeBytes: number): Promise<boolean>
  /** Idempotent. */
  remove(outputId: string): Promise<void>
  /** Ids of the files of which anything is here. */
  list(): Promise<readonly string[]>
}

/** Whether pages of this browser can write files of their own. */
export function canWriteFiles(): boolean {
  return (
    typeof FileSystemFileHandle === 'function' && 'createWritable' in FileSystemFileHandle.prototype
  )
}

/** @param keys of an account whose files are sealed ([Note: sealed files]); null for others */
export function createKeptBytes(
  openFiles: OpenFiles,
  userId: string,
  keys: SealKeys | null,
): KeptBytes {
  const room = () => accountFolder(openFiles, userId, 'kept')
  const steps = async (outputId: string, sizeBytes: number): Promise<readonly Step[]> => {
    const found: Step[] = []
    const folder = await (await room()).getDirectoryHandle(outputId).catch(absent)
    for (const { name, fromBytes, size } of folder === null ? [] : stepsOf(sizeBytes)) {
      const handle = await folder?.getFileHandle(name).catch(absent)
      const file = (await handle?.getFile()) ?? null
      if (file?.size !== (keys === null ? size : sealedSize(size))) break
      found.push({ file, size, place: keptPlace(outputId, fromBytes) })
    }
    return found
  }
  const isWhole = async (outputId: string, sizeBytes: number): Promise<boolean> =>
    sizeOf(await steps(outputId, sizeBytes)) === sizeBytes
  return {
    count: async (outputId, sizeBytes) => sizeOf(await steps(outputId, sizeBytes)),
    isWhole,
    write: async (outputId, fromBytes, step) => {
      const bytes =
        keys === null ? step : await sealFile(keys, keptPlace(outputId, fromBytes), step)
      const folder = await (await room()).getDirectoryHandle(outputId, { create: true })
      await writeWhole(folder, stepName(fromBytes), bytes)
    },
    read: async (outputId, sizeBytes, type) => {
      const found = await steps(outputId, sizeBytes)
      if (sizeOf(found) !== sizeBytes) return null
      if (keys === null)
        return new Blob(
          found.map(({ file }) => file),
          { type },
        )
      const parts: Blob[] = []
      for (const { place, file, size } of found)
        parts.push(await openSealedFile(keys, place, file, size))
      return new Blob(parts, { type })
    },
    remove: async (outputId) => {
      // Of an account that was removed no folder is made.
      const folder = await presentFolder(openFiles, userId, 'kept')
      await folder?.removeEntry(outputId, { recursive: true }).catch(absent)
    },
    list: async () => namesIn(await room()),
  }
}

/**
 * The bytes of a sealed kept file from one to before another, as a player asks for them. Rejects
 * where they are not here.
 */
export async function* openKeptRange(
  openFiles: OpenFiles,
  keys: SealKeys,
  { userId, outputId }: { readonly userId: string; readonly outputId: string },
  from: number,
  to: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const folder = await (await accountFolder(openFiles, userId, 'kept')).getDirectoryHandle(outputId)
  for (let at = from - (from % STEP_BYTES); at < to; at += STEP_BYTES) {
    const file = await (await folder.getFileHandle(stepName(at))).getFile()
    const within = [Math.max(0, from - at), Math.min(STEP_BYTES, to - at)] as const
    yield* openRange(keys, keptPlace(outputId, at), file, ...within)
  }
}

interface Step {
  readonly file: File
  /** Of what is in it. */
  readonly size: number
  readonly place: string
}

/** The steps of a file of this size. */
export function stepsOf(
  sizeBytes: number,
): readonly { readonly name: string; readonly fromBytes: number; readonly size: number }[] {
  return Array.from({ length: Math.ceil(sizeBytes / STEP_BYTES) }, (_each, number) => {
    const fromBytes = number * STEP_BYTES
    const size = Math.min(STEP_BYTES, sizeBytes - fromBytes)
    return { name: stepName(fromBytes), fromBytes, size }
  })
}

/** Where the step that begins there is kept, by which it is sealed. */
export function keptPlace(outputId: string, fromBytes: number): string {
  return `kept/${outputId}/${stepName(fromBytes)}`
}

/** The name of the file of the step that begins there. */
function stepName(fromBytes: number): string {
  return String(fromBytes / STEP_BYTES)
}

function sizeOf(files: readonly Pick<Step, 'size'>[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}
