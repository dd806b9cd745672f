import {
  absent,
  accountFolder,
  namesIn,
  writeWhole,
  type OpenFiles,
} from '#src/local/db/account-files.ts'
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
  /** The file; null unless all of it is here. */
  read(outputId: string, sizeBytes: number, contentType: string): Promise<Blob | null>
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

export function createKeptBytes(openFiles: OpenFiles, userId: string): KeptBytes {
  const room = () => accountFolder(openFiles, userId, 'kept')
  const steps = async (outputId: string, sizeBytes: number): Promise<readonly File[]> => {
    const found: File[] = []
    const folder = await (await room()).getDirectoryHandle(outputId).catch(absent)
    for (let at = 0; folder !== null && at < sizeBytes; at += STEP_BYTES) {
      const handle = await folder.getFileHandle(stepName(at)).catch(absent)
      const file = (await handle?.getFile()) ?? null
      if (file?.size !== Math.min(STEP_BYTES, sizeBytes - at)) break
      found.push(file)
    }
    return found
  }
  return {
    count: async (outputId, sizeBytes) => sizeOf(await steps(outputId, sizeBytes)),
    write: async (outputId, fromBytes, step) => {
      const folder = await (await room()).getDirectoryHandle(outputId, { create: true })
      await writeWhole(folder, stepName(fromBytes), step)
    },
    read: async (outputId, sizeBytes, contentType) => {
      const files = await steps(outputId, sizeBytes)
      return sizeOf(files) === sizeBytes ? new Blob([...files], { type: contentType }) : null
    },
    remove: async (outputId) => {
      await (await room()).removeEntry(outputId, { recursive: true }).catch(absent)
    },
    list: async () => namesIn(await room()),
  }
}

function stepName(fromBytes: number): string {
  return String(fromBytes / STEP_BYTES)
}

function sizeOf(files: readonly File[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}
