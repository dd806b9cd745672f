import { createKeptBytes, type KeptBytes } from './kept-bytes.ts'
import { startKeepLoop, type KeepLoop, type KeepLoopDeps } from './keep-loop.ts'
import type { OpenFiles } from '#src/local/db/account-files.ts'
import type { Estimate } from './room.ts'

/** The kept files of the open account. */
export interface KeptFiles extends KeepLoop {
  readonly bytes: KeptBytes
  readonly estimate: () => Promise<Estimate>
}

/** Opens them and goes on getting what is missing. Stop it before the account is wiped. */
export function openKeptFiles(openFiles: OpenFiles, deps: Omit<KeepLoopDeps, 'bytes'>): KeptFiles {
  const bytes = createKeptBytes(openFiles, deps.userId, deps.db.keys)
  return { ...startKeepLoop({ ...deps, bytes }), bytes, estimate: deps.estimate }
}
