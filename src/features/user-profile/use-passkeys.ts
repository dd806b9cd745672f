import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { makePasskey, type DeviceFailure } from '#src/hooks/account/authenticator.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { FACTS, readFact, type FactValues } from '#src/local/db/facts.ts'
import { addPasskey, beginAddingPasskey, removePasskey } from '#src/local/calls/passkeys.ts'
import type { Result } from '#src/lib/result.ts'

/** What signs the person in beside the mail. */
export type Passkey = FactValues['passkeys'][number]

/** The passkeys of the account, the newest first. */
export function usePasskeys(): Shown<readonly Passkey[]> {
  return usePulled(usePulls().passkeys(), {
    key: 'fact:passkeys',
    find: async (db) => {
      const fact = await readFact(db, FACTS.passkeys)
      return fact === null ? null : { data: fact.value, asOfEpochMs: fact.pulledAtEpochMs }
    },
  })
}

/**
 * Makes a passkey on this device and adds it to the account, by its name or, without one, that of
 * the device. Resolves with a `Result`.
 */
export function useAddPasskey(): UseMutationResult<
  Result<null, ApiFailure | DeviceFailure>,
  Error,
  { readonly name: string | null }
> {
  const pullAgain = usePullAgain()
  return useCall(async (context, { name }) => {
    const begun = await beginAddingPasskey(context)
    if (!begun.ok) return begun
    const made = await makePasskey(begun.value)
    if (!made.ok) return made
    const added = await addPasskey(context, { name, credential: made.value })
    await pullAgain()
    return added
  })
}

/** Removes a passkey from the account. Resolves with a `Result`. */
export function useRemovePasskey(): UseMutationResult<Result<null, ApiFailure>, Error, string> {
  const pullAgain = usePullAgain()
  return useCall(async (context, id) => {
    const removed = await removePasskey(context, id)
    await pullAgain()
    return removed
  })
}

/** After a failure too: a call without an answer may have worked. */
function usePullAgain(): () => Promise<unknown> {
  const queries = useQueryClient()
  const pulls = usePulls()
  return () => queries.fetchQuery({ ...pulls.passkeys(), staleTime: 0 }).catch(() => null)
}
