import { asSignedIn, type SignedIn } from './signed-in.ts'
import { paths } from '#src/config/paths.ts'
import { endedFetchOf, type BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'
import { createLocks } from '#src/lib/locks.ts'
import { browserFiles } from '#src/local/db/account-files.ts'
import { createKeptBytes } from '#src/local/kept/kept-bytes.ts'
import { KEPT_FETCHES } from '#src/local/kept/by-browser.ts'
import { recordFetched } from '#src/local/kept/record-fetched.ts'

/**
 * Copies files that this device keeps when the browser has got them, in Chromium only: no page has
 * to be open ([Note: got by the browser] in `src/local/kept/by-browser.ts`).
 */
export function recordArrivals(scope: ServiceWorkerGlobalScope): void {
  for (const type of ['backgroundfetchsuccess', 'backgroundfetchfail', 'backgroundfetchabort'])
    scope.addEventListener(type, (event: Event) => {
      const registration = endedFetchOf(event)
      if (registration?.id.startsWith(KEPT_FETCHES) !== true) return
      if (!(event instanceof ExtendableEvent)) return
      event.waitUntil(
        asSignedIn(scope, 'kept', (signedIn) => record(scope, signedIn, registration)),
      )
    })
  scope.addEventListener('backgroundfetchclick', (event: Event) => {
    const isKept = endedFetchOf(event)?.id.startsWith(KEPT_FETCHES) === true
    if (isKept && event instanceof ExtendableEvent)
      event.waitUntil(scope.clients.openWindow(paths.edits))
  })
}

async function record(
  scope: ServiceWorkerGlobalScope,
  { userId, composeLocal }: SignedIn,
  registration: BackgroundFetchRegistration,
): Promise<void> {
  const openFiles = browserFiles()
  if (openFiles === null) return
  const { db, log, close } = await composeLocal()
  try {
    const bytes = createKeptBytes(openFiles, userId, null)
    const locks = createLocks(scope.navigator.locks)
    await recordFetched({ db, bytes, locks, log, userId }, registration)
  } finally {
    close()
  }
}
