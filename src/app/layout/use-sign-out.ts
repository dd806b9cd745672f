import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useLocal } from '#src/hooks/device/local-context.ts'
import type { WipeFailure } from '#src/local/db/wipe.ts'
import type { Result } from '#src/lib/result.ts'

/**
 * Signs out, wipes the device of the account and forgets all answers. Works offline. Navigate to
 * /login (replace) after it.
 */
export function useSignOut(): UseMutationResult<Result<void, WipeFailure>, Error, void> {
  const local = useLocal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await queries.cancelQueries()
      return local.signOut()
    },
    onSettled: () => queries.clear(),
  })
}
