import { asSignedIn, type SignedIn } from './signed-in.ts'
import { LIBRARY_SYNC_TAG } from '#src/config/paths.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import { saveJobThumbnails } from '#src/local/sync/images.ts'
import { pullLibraryPage } from '#src/local/sync/library.ts'
import { NEWEST_FIRST } from '#src/local/sync/media-jobs.ts'

/**
 * Brings the newest edits and their pictures to this device while the app is closed, so that they
 * are there without a network. Installed apps in Chromium only, as often as the browser thinks
 * right (Periodic Background Sync); nothing depends on it.
 */
export function keepLibraryFresh(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener('periodicsync', (event: Event) => {
    const isOurs = 'tag' in event && event.tag === LIBRARY_SYNC_TAG
    if (!isOurs || !(event instanceof ExtendableEvent)) return
    event.waitUntil(asSignedIn(scope, 'library', (signedIn) => pullNewest(scope, signedIn)))
  })
}

async function pullNewest(
  { location }: ServiceWorkerGlobalScope,
  { userId, composeLocal }: SignedIn,
): Promise<void> {
  const local = await composeLocal()
  const deviceDb = await openDeviceDb()
  const leaving = new AbortController()
  const { signal } = leaving
  local.db.whenLost(() => leaving.abort())
  const unlisten = local.channel.on('account-wiping', (message) => {
    if (message.userId === userId) leaving.abort()
  })
  try {
    const { origin } = location
    const deps = { ...local, deviceDb, random: Math.random, fetch: get, origin, signal }
    const page = await pullLibraryPage(deps, NEWEST_FIRST, null)
    if (page.ok && !signal.aborted) await saveJobThumbnails(deps, page.value.allIds)
  } finally {
    unlisten()
    local.close()
    deviceDb.close()
  }
}

const get = (request: Request): Promise<Response> => fetch(request)
