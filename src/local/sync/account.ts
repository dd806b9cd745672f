import { definePull } from './pull.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'

/**
 * `users/me`: user, permissions, flags; also stores the profile that comes with it. The server
 * reissues the readable cookie when permissions changed.
 */
export const pullMe = definePull({
  ask: (api, init) => api.GET('/v1/users/me', init),
  keep: async ({ db }, { user, flags, userProfile }, pulledAtEpochMs) => {
    await writeFact(db, FACTS.me, { user, flags }, pulledAtEpochMs)
    await writeFact(db, FACTS.profile, userProfile, pulledAtEpochMs)
    return null
  },
})

/** The devices that are signed in. */
export const pullSessions = definePull({
  ask: (api, init) => api.GET('/v1/users/me/sessions', init),
  keep: async ({ db }, { sessions }, pulledAtEpochMs) => {
    await writeFact(db, FACTS.sessions, sessions, pulledAtEpochMs)
    return null
  },
})

/** What signs the person in beside the mail. */
export const pullPasskeys = definePull({
  ask: (api, init) => api.GET('/v1/users/me/passkeys', init),
  keep: async ({ db }, { passkeys }, pulledAtEpochMs) => {
    await writeFact(db, FACTS.passkeys, passkeys, pulledAtEpochMs)
    return null
  },
})

/** What lies on the server of the account. */
export const pullStorage = definePull({
  ask: (api, init) => api.GET('/v1/storage', init),
  keep: async ({ db }, { storage }, pulledAtEpochMs) => {
    await writeFact(db, FACTS.storage, storage, pulledAtEpochMs)
    return null
  },
})
