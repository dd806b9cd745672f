import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import { readEditsToBeginWith, readSelection, saveSelection } from '#src/local/edits/selections.ts'
import { readUploadToEdit } from '#src/local/edits/upload-to-edit.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'

/**
 * The edits chosen for an upload, as kept on this device; null value when nothing was ever chosen.
 */
export function useSelection(uploadRequestId: string): Live<readonly TaskRequest[] | null> {
  return useLive(`selection:${uploadRequestId}`, (db) => readSelection(db, uploadRequestId))
}

/**
 * What the form of an upload begins with; empty for a video whose last order was paid. Local only.
 */
export function useEditsToBeginWith(uploadRequestId: string): Live<readonly TaskRequest[]> {
  return useLive(`begin-with:${uploadRequestId}`, (db) => readEditsToBeginWith(db, uploadRequestId))
}

/**
 * Keeps the chosen edits of an upload; resolves when they are on disk. Nothing happens without an
 * account.
 */
export function useSaveSelection(
  uploadRequestId: string,
): (requests: readonly TaskRequest[]) => Promise<void> {
  const { clock } = useLocal()
  const account = useAccount()
  return async (requests) => {
    if (account !== null) await saveSelection(account.db, uploadRequestId, requests, clock.now())
  }
}

/**
 * The upload request of the newest video whose edits are still to be sent; null value when there is
 * none. Local only.
 */
export function useUploadToEdit(): Live<string | null> {
  return useLive('upload-to-edit', readUploadToEdit)
}
