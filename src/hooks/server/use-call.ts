import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import type { Account, PageLocal } from '#src/local/compose.ts'

/** What a call of a signed-in user gets: this device, with the open account's data. */
export type CallContext = PageLocal & Pick<Account, 'db' | 'userId'>

/**
 * A call that a person makes and waits for. Resolves with what `run` resolves with, a `Result` for
 * calls that can fail; rejects without an account, which is a bug of the screen.
 * @param onSettled runs after any end
 */
export function useCall<I, R>(
  run: (context: CallContext, input: I) => Promise<R>,
  onSettled?: () => unknown,
): UseMutationResult<R, Error, I> {
  const local = useLocal()
  const account = useAccount()
  return useMutation({
    mutationFn: async (input: I) => {
      if (account === null) throw new Error('a call without an account')
      return run({ ...local, db: account.db, userId: account.userId }, input)
    },
    ...(onSettled === undefined ? {} : { onSettled }),
  })
}
