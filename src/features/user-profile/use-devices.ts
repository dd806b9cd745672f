import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { FACTS, readFact, type FactValues } from '#src/local/db/facts.ts'
import { signOutDevices, type SignOutOf } from '#src/local/calls/account.ts'
import type { Result } from '#src/lib/result.ts'

/** A device that is signed in. */
export type Device = FactValues['sessions'][number]

/** The devices that are signed in, this one first. */
export function useDevices(): Shown<readonly Device[]> {
  return usePulled(usePulls().sessions(), {
    key: 'fact:sessions',
    find: async (db) => {
      const fact = await readFact(db, FACTS.sessions)
      return fact === null ? null : { data: fact.value, asOfEpochMs: fact.pulledAtEpochMs }
    },
  })
}

/**
 * Signs other devices out, then reads the list again, after a failure too: a call without an answer
 * may have worked. Resolves with a `Result`.
 */
export function useSignOutDevices(): UseMutationResult<Result<null, ApiFailure>, Error, SignOutOf> {
  const queries = useQueryClient()
  const pulls = usePulls()
  return useCall(async (context, which) => {
    const done = await signOutDevices(context, which)
    await queries.fetchQuery({ ...pulls.sessions(), staleTime: 0 }).catch(() => null)
    return done
  })
}
