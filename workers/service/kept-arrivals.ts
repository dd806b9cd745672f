import { followFetches } from './fetch-ends.ts'
import { asSignedIn, type SignedIn } from './signed-in.ts'
import { paths } from '#src/config/paths.ts'
import type { BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'
import { createLocks } from '#src/lib/locks.ts'
import { browserFiles } from '#src/local/db/account-files.ts'
import { createKeptBytes } from '#src/local/kept/kept-bytes.ts'
import { KEPT_FETCHES } from '#src/local/kept/by-browser.ts'
import { copyFetched } from '#src/local/kept/copy-fetched.ts'

/**
 * Copies files that this device keeps when the browser has got them, in Chromium only: no page has
 * to be open ([Note: got by the browser] in `src/local/kept/by-browser.ts`).
 */
export function copyArrivals(scope: ServiceWorkerGlobalScope): void {
  followFetches(scope, {
    isOwn: (registrationId) => registrationId.startsWith(KEPT_FETCHES),
    onEnd: (registration) =>
      asSignedIn(scope, 'kept', (signedIn) => copyArrived(scope, signedIn, registration)),
    path: paths.edits,
  })
}

async function copyArrived(
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
    await copyFetched({ db, bytes, locks, log, userId }, registration)
  } finally {
    close()
  }
}
