import type { BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'
import { fetchedParts, uploadIdOf } from '#src/local/uploads/adapters/background-fetch.ts'
import { createDexieStore } from '#src/local/uploads/adapters/dexie-store.ts'
import { createFetchTransport } from '#src/local/uploads/adapters/fetch-transport.ts'
import { createWebLocks } from '#src/local/uploads/adapters/web-locks.ts'
import { uploadInBackground } from '#src/local/uploads/engine/background.ts'
import { recordFetched } from '#src/local/uploads/hand-over/hand-over.ts'
import { browserUploadDeps, type HostLocal } from './compose-upload-host.ts'

/**
 * This host learns about a part only when it ends, and its time is short. With few parts at once
 * one of them ends soon.
 */
const FIRST_SLOTS = 2

export interface BackgroundPorts {
  readonly origin: string
  readonly locks: LockManager
  readonly fetch: typeof fetch
  readonly composeLocal: (userId: string) => Promise<HostLocal>
}

/**
 * Continues the account's uploads in a service worker; see `uploadInBackground`. Closes what it
 * opened.
 */
export async function runUploadsInBackground(
  ports: BackgroundPorts,
  userId: string,
): Promise<'done' | 'left'> {
  const local = await ports.composeLocal(userId)
  const leaving = new AbortController()
  // The database is deleted, or closed with the data of the site.
  local.db.whenLost(() => leaving.abort())
  const unlisten = [
    local.channel.on('account-wiping', (message) => {
      if (message.userId === userId) leaving.abort()
    }),
    // The page that accepted the new version continues the uploads.
    local.channel.on('version-accepted', () => leaving.abort()),
  ]
  try {
    const transport = createFetchTransport({
      origin: ports.origin,
      nowEpochMs: () => local.clock.now(),
      fetch: ports.fetch,
    })
    // Only pages make copies, so no storage estimate is needed.
    const deps = browserUploadDeps(
      local,
      { locks: ports.locks, estimate: null },
      { transport, isInstalled: false, firstSlots: FIRST_SLOTS },
    )
    return await uploadInBackground({
      deps,
      userId,
      stop: leaving.signal,
      onPageOpened: (listener) =>
        local.channel.on('uploads-page-opened', (message) => {
          if (message.userId === userId) listener()
        }),
    })
  } finally {
    for (const end of unlisten) end()
    local.close()
  }
}

/**
 * Records what the browser sent of an upload that a page had handed over; see `recordFetched`. Does
 * nothing for an upload of another account.
 */
export async function recordInBackground(
  ports: BackgroundPorts,
  userId: string,
  registration: BackgroundFetchRegistration,
): Promise<void> {
  const uploadId = uploadIdOf(registration.id)
  if (uploadId === null) return
  const local = await ports.composeLocal(userId)
  try {
    await recordFetched(
      {
        clock: local.clock,
        store: createDexieStore(local.db, local.log, local.clock),
        locks: createWebLocks(ports.locks),
      },
      uploadId,
      await fetchedParts(registration),
      registration.failureReason === 'aborted',
    )
  } finally {
    local.close()
  }
}
