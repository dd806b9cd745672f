import type { UseMutationResult } from '@tanstack/react-query'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { FACTS, readFact, type FactValues } from '#src/local/db/facts.ts'
import { saveProfile, type ProfileChanges } from '#src/local/calls/direct-calls.ts'
import type { Result } from '#src/lib/result.ts'

/** The user as the server knows them, with trial and subscription flags. */
export function useMe(): Shown<FactValues['me']> {
  return usePulled(usePulls().me(), {
    key: 'fact:me',
    find: async (db) => {
      const fact = await readFact(db, FACTS.me)
      return fact === null ? null : { data: fact.value, asOfEpochMs: fact.pulledAtEpochMs }
    },
  })
}

/** The profile; null while none is chosen, which no screen behind its guard sees. */
export function useProfile(): Shown<FactValues['profile']> {
  return usePulled(usePulls().me(), {
    key: 'fact:profile',
    find: async (db) => {
      const fact = await readFact(db, FACTS.profile)
      return fact === null ? null : { data: fact.value, asOfEpochMs: fact.pulledAtEpochMs }
    },
  })
}

/** Saves changes at the server, then on this device. Resolves with a `Result`. */
export function useSaveProfile(): UseMutationResult<
  Result<null, ApiFailure>,
  Error,
  ProfileChanges
> {
  return useCall((context, changes) => saveProfile(context, context.userId, changes))
}
