import { composeWorker } from '#src/local/compose-worker.ts'
import { SESSION_COOKIE } from '#src/config/paths.ts'
import { hasPendingLogout, openDeviceDb, readLastUserId } from '#src/local/db/device-db.ts'
import { cookieValue } from '#src/local/session/cookies.ts'
import { decodeToken } from '#src/local/session/token.ts'
import type { CookieReader } from '#src/local/session/xsrf.ts'
import { UPLOAD_SYNC_TAG } from '#src/local/uploads/engine/background.ts'
import { runUploadsInBackground } from '#src/local/uploads/host/compose-background.ts'

/**
 * Continues uploads when the browser grants time (Background Sync, Chromium only). The event lives
 * about three minutes. It rejects when parts are left, so that the browser tries again, three times
 * in all.
 */
export function carryUploadsOn(scope: ServiceWorkerGlobalScope): void {
  let running: Promise<'done' | 'left'> | null = null
  scope.addEventListener('sync', (event: Event) => {
    if (!(event instanceof ExtendableEvent) || !('tag' in event) || event.tag !== UPLOAD_SYNC_TAG)
      return
    running ??= carryOn(scope).finally(() => {
      running = null
    })
    event.waitUntil(
      running.then((end) => {
        if (end === 'left') throw new Error('Parts of an upload are left for the next time.')
      }),
    )
  })
}

async function carryOn(scope: ServiceWorkerGlobalScope): Promise<'done' | 'left'> {
  const cookies = cookieReader(scope)
  const userId = cookies === null ? null : await signedInUserId(cookies)
  if (userId === null) return 'done'
  const { origin } = scope.location
  return runUploadsInBackground(
    {
      origin,
      locks: scope.navigator.locks,
      fetch: (...request) => fetch(...request),
      composeLocal: () => composeWorker({ userId, area: 'uploads', origin, cookieStore: cookies }),
    },
    userId,
  )
}

/** The account whose data is on this device, if it is still signed in; null otherwise. */
async function signedInUserId(cookies: CookieReader): Promise<string | null> {
  const deviceDb = await openDeviceDb()
  try {
    const token = (await cookies.get(SESSION_COOKIE))?.value ?? null
    const userId = decodeToken(token, Date.now())?.user._id ?? null
    return userId !== null &&
      userId === (await readLastUserId(deviceDb)) &&
      !(await hasPendingLogout(deviceDb))
      ? userId
      : null
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
