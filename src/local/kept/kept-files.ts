import { followBrowser, getByBrowser, keptFetchesOf, type ByBrowserDeps } from './by-browser.ts'
import { getAgain, keepOutput, removeKept } from './commands.ts'
import { createKeptBytes, type KeptBytes } from './kept-bytes.ts'
import { startKeepLoop, type KeepLoop, type KeepLoopDeps } from './keep-loop.ts'
import type { OpenFiles } from '#src/local/db/account-files.ts'
import type { KeptFileRow } from '#src/local/db/rows.ts'
import type { Estimate } from './room.ts'

/** The kept files of the open account. */
export interface KeptFiles extends KeepLoop {
  readonly bytes: KeptBytes
  readonly estimate: () => Promise<Estimate>
  /** Keeps a result of a video; call it from a press, which the browser wants to see. */
  keep(uploadRequestId: string, file: FileToGet): Promise<void>
  /** Gets a file again that failed; call it from a press. */
  getAgain(file: FileToGet): Promise<void>
  /** Removes files from this device; a rule does not bring them back. */
  remove(outputIds: readonly string[]): Promise<void>
}

export type FileToGet = Pick<KeptFileRow, 'outputId' | 'sizeBytes'>

/** Opens them and goes on getting what is missing. Stop it before the account is wiped. */
export function openKeptFiles(
  openFiles: OpenFiles,
  given: Omit<KeepLoopDeps & ByBrowserDeps, 'bytes'>,
): KeptFiles {
  const bytes = createKeptBytes(openFiles, given.userId, given.db.keys)
  const deps = { ...given, bytes }
  const loop = startKeepLoop(deps)
  const following = followBrowser(deps)
  return {
    bytes,
    estimate: deps.estimate,
    keep: (uploadRequestId, file) =>
      getByBrowser(deps, file, (handed) =>
        keepOutput(deps, uploadRequestId, file.outputId, handed),
      ),
    getAgain: (file) => getByBrowser(deps, file, (handed) => getAgain(deps, file.outputId, handed)),
    remove: async (outputIds) => {
      await removeKept(deps, outputIds)
      for (const outputId of outputIds) await deps.getter?.end(keptFetchesOf(deps.userId, outputId))
    },
    poke: loop.poke,
    stop: async () => {
      await Promise.all([loop.stop(), following.stop()])
    },
  }
}
