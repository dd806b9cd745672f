import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { FACTS, readFact, type FactValues } from '#src/local/db/facts.ts'
import { saveProfile } from '#src/local/calls/direct-calls.ts'
import { deleteStored, type StoredFiles } from '#src/local/calls/storage.ts'
import type { Result } from '#src/lib/result.ts'

/** What lies on the server of this account. */
export type Storage = FactValues['storage']
export type StoredVideo = Storage['videos'][number]

/** What lies on the server of this account, the largest video first. */
export function useStorage(): Shown<Storage> {
  return usePulled(usePulls().storage(), {
    key: 'fact:storage',
    find: async (db) => {
      const fact = await readFact(db, FACTS.storage)
      return fact === null ? null : { data: fact.value, asOfEpochMs: fact.pulledAtEpochMs }
    },
  })
}

/**
 * Sets the person's own rule, days after their last edit, null = none, then reads again what that
 * changes. Resolves with a `Result`.
 */
export function useSaveSourceRule(): UseMutationResult<
  Result<null, ApiFailure>,
  Error,
  number | null
> {
  const queries = useQueryClient()
  const pulls = usePulls()
  return useCall(async (context, deleteSourcesAfterDays) => {
    const saved = await saveProfile(context, context.userId, { deleteSourcesAfterDays })
    await queries.fetchQuery({ ...pulls.storage(), staleTime: 0 }).catch(() => null)
    return saved
  })
}

/**
 * Deletes files, then reads again what is there of them and of the video's edits, after a failure
 * too: a call without an answer may have worked. Resolves with a `Result`.
 */
export function useDeleteStored(): UseMutationResult<Result<null, ApiFailure>, Error, StoredFiles> {
  const queries = useQueryClient()
  const pulls = usePulls()
  return useCall(async (context, part) => {
    const done = await deleteStored(context, part)
    const jobs = context.db.mediaJobs.where('uploadRequestId').equals(part.uploadRequestId)
    const changed = (await jobs.primaryKeys()).map((id) => pulls.mediaJob(id))
    await Promise.all(
      [pulls.storage(), ...changed].map((pull) =>
        queries.fetchQuery({ ...pull, staleTime: 0 }).catch(() => null),
      ),
    )
    return done
  })
}
