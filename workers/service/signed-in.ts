import { composeWorker, type WorkerLocal } from '#src/local/compose-worker.ts'
import { SESSION_COOKIE } from '#src/config/paths.ts'
import { readAppLock } from '#src/local/db/app-lock.ts'
import { isDatabaseLost } from '#src/local/db/database-lost.ts'
import { openDeviceDb, readOwnUserId } from '#src/local/db/device-db.ts'
import { cookieValue } from '#src/local/session/cookies.ts'
import { decodeToken } from '#src/local/session/token.ts'
import type { CookieReader } from '#src/local/session/xsrf.ts'

/** The account whose data is on this device, while it is signed in. */
export interface SignedIn {
  readonly userId: string
  /** Opens its database; the caller closes it. */
  readonly composeLocal: () => Promise<WorkerLocal>
}

/**
 * Runs `work` for the account that is signed in; `done` when none is, and when the person deletes
 * the data of the site meanwhile: then nothing is left that this worker could do. With an app lock,
 * too: only pages have its keys ([Note: app lock]).
 * @param area names the lines of its log
 */
export async function asSignedIn<T>(
  scope: ServiceWorkerGlobalScope,
  area: string,
  work: (signedIn: SignedIn) => Promise<T>,
): Promise<T | 'done'> {
  const cookieStore = cookieReader(scope)
  const { origin } = scope.location
  try {
    const userId = cookieStore === null ? null : await signedInUserId(cookieStore)
    if (userId === null) return 'done'
    return await work({
      userId,
      // Of an account without an app lock.
      composeLocal: () => composeWorker({ userId, area, origin, cookieStore, keys: null }),
    })
  } catch (thrown) {
    if (!isDatabaseLost(thrown)) throw thrown
    return 'done'
  }
}

/** The account whose data is on this device, if it is still signed in; null otherwise. */
async function signedInUserId(cookies: CookieReader): Promise<string | null> {
  const deviceDb = await openDeviceDb()
  try {
    const token = (await cookies.get(SESSION_COOKIE))?.value ?? null
    const userId = decodeToken(token)?._id ?? null
    if (userId === null || userId !== (await readOwnUserId(deviceDb))) return null
    return (await readAppLock(deviceDb, userId)) === null ? userId : null
  } finally {
    deviceDb.close()
  }
}

/**
 * Every browser with Background Sync has the Cookie Store. It returns raw values; ours are
 * URI-encoded.
 */
function cookieReader(scope: ServiceWorkerGlobalScope): CookieReader | null {
  if (!('cookieStore' in scope)) return null
  const { cookieStore } = scope
  return {
    get: async (name) => {
      const value = cookieValue(`${name}=${(await cookieStore.get(name))?.value ?? ''}`, name)
      return value === null || value === '' ? null : { value }
    },
  }
}
