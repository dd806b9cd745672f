import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { deleteAccount } from '#src/local/calls/account.ts'

type Deletion = Awaited<ReturnType<typeof deleteAccount>>

/**
 * Asks the server to delete the account of this address. When it agrees, wipes the device of the
 * account, as signing out does. Resolves with a `Result`; navigate to /login (replace) after a
 * success.
 */
export function useDeleteAccount(): UseMutationResult<Deletion, Error, string> {
  const local = useLocal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (email: string) => {
      const deletion = await deleteAccount(local, email)
      if (!deletion.ok) return deletion
      // Every session is over: what asks the server now would only learn that.
      await queries.cancelQueries()
      await local.signOut()
      queries.clear()
      return deletion
    },
  })
}
