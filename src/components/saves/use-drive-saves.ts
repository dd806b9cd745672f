import type { UseMutationResult } from '@tanstack/react-query'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { foundList, type Shown } from '#src/hooks/sync/shown.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import {
  cancelDriveSaves,
  startDriveSaves,
  type SavesToStart,
} from '#src/local/calls/drive-saves.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { readListedAt, readNounRows } from '#src/local/db/nouns.ts'
import { driveSaves, type DriveSave } from '#src/local/nouns/drive-saves.ts'
import { DRIVE_SAVE_MS } from '#src/local/sync/intervals.ts'
import type { Result } from '#src/lib/result.ts'

export type { DriveSave } from '#src/local/nouns/drive-saves.ts'

/**
 * How the results of a job are saved to drives; asked for again while one is under way and a person
 * looks. Only this device's rows where the server has no drives, or the job has no files.
 */
export function useDriveSaves(
  mediaJobId: string,
  { hasFiles }: { readonly hasFiles: boolean },
): Shown<readonly DriveSave[]> {
  const { ports } = useLocal()
  const hasDrives = useCapabilities().data?.areas.externalAuths === true
  const find = async (db: AccountDb) => {
    const rows = await readNounRows(db, driveSaves, mediaJobId)
    return foundList(
      rows,
      rows.map((row) => row.value),
      await readListedAt(db, driveSaves, mediaJobId),
    )
  }
  const key = `drive-saves:${mediaJobId}`
  const known = useLive(key, find)
  const saves = known.kind === 'ready' ? (known.value?.data ?? []) : []
  const pull = usePulls().list(driveSaves, mediaJobId)
  return usePulled(
    { ...pull, enabled: pull.enabled === true && hasDrives && hasFiles },
    {
      key,
      find,
      emptyData: [],
      refetchInterval: () => (saves.some(isUnderWay) && ports.isVisible() ? DRIVE_SAVE_MS : false),
    },
  )
}

/** Whether the server still has something to do for it. */
export function isUnderWay({ state }: Pick<DriveSave, 'state'>): boolean {
  return state === 'waiting' || state === 'saving'
}

/** Lets the server save results to a drive. Resolves with a `Result`. */
export function useStartDriveSaves(): UseMutationResult<
  Result<null, ApiFailure>,
  Error,
  SavesToStart
> {
  return useCall(startDriveSaves)
}

/** Stops saving the results of one edit. Resolves with a `Result`. */
export function useCancelDriveSaves(): UseMutationResult<
  Result<null, ApiFailure>,
  Error,
  { readonly mediaJobId: string; readonly taskId: string }
> {
  return useCall(cancelDriveSaves)
}
