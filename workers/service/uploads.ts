import { composeWorker } from '#src/local/compose-worker.ts'
import { paths, SESSION_COOKIE } from '#src/config/paths.ts'
import { isDatabaseLost } from '#src/local/db/database-lost.ts'
import { hasPendingLogout, openDeviceDb, readLastUserId } from '#src/local/db/device-db.ts'
import { cookieValue } from '#src/local/session/cookies.ts'
import { decodeToken } from '#src/local/session/token.ts'
import type { CookieReader } from '#src/local/session/xsrf.ts'
import { UPLOAD_SYNC_TAG } from '#src/local/uploads/engine/background.ts'
import { endedFetchOf } from '#src/local/uploads/adapters/background-fetch.ts'
import {
  recordInBackground,
  runUploadsInBackground,
  type BackgroundPorts,
} from '#src/local/uploads/host/compose-background.ts'

/**
 * Continues uploads when the browser grants time, in Chromium only. A sync event (Background Sync)
 * lives about three minutes; it rejects when parts are left, so that the browser tries again, three
 * times in all. The events of Background Fetch come when the browser has ended what a page handed
 * over to it.
 */
export function carryUploadsOn(scope: ServiceWorkerGlobalScope): void {
  let running: Promise<'done' | 'left'> | null = null
  const carryOn = (): Promise<'done' | 'left'> => {
    running ??= asSignedIn(scope, runUploadsInBackground).finally(() => {
      running = null
    })
    return running
  }
  scope.addEventListener('sync', (event: Event) => {
    if (!(event instanceof ExtendableEvent) || !('tag' in event) || event.tag !== UPLOAD_SYNC_TAG)
      return
    event.waitUntil(
      carryOn().then((end) => {
        if (end === 'left') throw new PartsLeft('Parts of an upload are left for the next time.')
      }),
    )
  })
  for (const type of ['backgroundfetchsuccess', 'backgroundfetchfail', 'backgroundfetchabort'])
    scope.addEventListener(type, (event: Event) => {
      const registration = endedFetchOf(event)
      if (registration === null || !(event instanceof ExtendableEvent)) return
      event.waitUntil(
        asSignedIn(scope, (ports, userId) => recordInBackground(ports, userId, registration)).then(
          carryOn,
        ),
      )
    })
  scope.addEventListener('backgroundfetchclick', (event: Event) => {
    if (event instanceof ExtendableEvent) event.waitUntil(scope.clients.openWindow(paths.newUpload))
  })
}

class PartsLeft extends Error {}

/**
 * Whether this rejection only asks for another sync event: the browser sends one for a rejection
 * that nothing handles.
 */
export function asksForAnotherEvent(reason: unknown): boolean {
  return reason instanceof PartsLeft
}

/**
 * Runs `work` for the account that is signed in; `done` when none is, and when the person deletes
 * the data of the site meanwhile: then nothing is left that this worker could do.
 */
async function asSignedIn<T>(
  scope: ServiceWorkerGlobalScope,
  work: (ports: BackgroundPorts, userId: string) => Promise<T>,
): Promise<T | 'done'> {
  try {
    return await runAsSignedIn(scope, work)
  } catch (thrown) {
    if (!isDatabaseLost(thrown)) throw thrown
    return 'done'
  }
}

async function runAsSignedIn<T>(
  scope: ServiceWorkerGlobalScope,
  work: (ports: BackgroundPorts, userId: string) => Promise<T>,
): Promise<T | 'done'> {
  const cookies = cookieReader(scope)
  const userId = cookies === null ? null : await signedInUserId(cookies)
  if (userId === null) return 'done'
  const { origin } = scope.location
  return work(
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
    const userId = decodeToken(token)?._id ?? null
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
