import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { deleteEditSet, saveEditSet, type SetToSave } from '#src/local/calls/edit-sets.ts'
import { readEditsAgain, type EditsAgain } from '#src/local/edits/again.ts'
import { editSets, type EditSet } from '#src/local/nouns/edit-sets.ts'
import type { Result } from '#src/lib/result.ts'

export type { EditSet, EditsAgain }

/** The sets of edits that the user saved, the newest first. */
export function useEditSets(): Shown<readonly EditSet[]> {
  return useNounList(editSets)
}

/** Saves a set, then reads the list again. Resolves with a `Result`. */
export function useSaveEditSet(): UseMutationResult<Result<null, ApiFailure>, Error, SetToSave> {
  const refresh = useRefresh()
  return useCall(saveEditSet, refresh)
}

/** Deletes a set, then reads the list again. Resolves with a `Result`. */
export function useDeleteEditSet(): UseMutationResult<Result<null, ApiFailure>, Error, string> {
  const refresh = useRefresh()
  return useCall(deleteEditSet, refresh)
}

/** After a refusal too: another device may have changed the sets. */
function useRefresh(): () => void {
  const queries = useQueryClient()
  const pulls = usePulls()
  return () => void queries.fetchQuery({ ...pulls.list(editSets), staleTime: 0 }).catch(() => null)
}

/** What is known of earlier orders while edits are chosen for a video. Local only. */
export function useEditsAgain(uploadRequestId: string): Live<EditsAgain> {
  return useLive(`edits-again:${uploadRequestId}`, (db) => readEditsAgain(db, uploadRequestId))
}
