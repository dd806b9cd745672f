import { read, withSignal, type Pull } from './pull.ts'
import { send } from '#src/api/send.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { ok } from '#src/lib/result.ts'

/**
 * `users/me`: user, permissions, flags; also stores the profile that comes with it. Reissues the
 * readable cookie when permissions changed.
 */
export const pullMe: Pull<[]> = async (deps, signal) => {
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () => send(deps.api.GET('/v1/users/me', withSignal(signal))),
    signal,
  )
  if (!answer.ok) return answer
  await writeFact(
    deps.db,
    FACTS.me,
    { user: answer.value.user, flags: answer.value.flags },
    pulledAtEpochMs,
  )
  await writeFact(deps.db, FACTS.profile, answer.value.userProfile, pulledAtEpochMs)
  return ok(null)
}

/** The profile; `profession` null until chosen. */
export const pullProfile: Pull<[userId: string]> = async (deps, userId, signal) => {
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () =>
      send(
        deps.api.GET('/v1/users/{userId}/profile', {
          params: { path: { userId } },
          ...withSignal(signal),
        }),
      ),
    signal,
  )
  if (!answer.ok) return answer
  await writeFact(deps.db, FACTS.profile, answer.value.userProfile, pulledAtEpochMs)
  return ok(null)
}
