import type { BrowserContext, CDPSession } from '@playwright/test'
import { UPLOAD_SYNC_TAG } from '#src/local/uploads/engine/background.ts'

/**
 * Developer tools of a page that does not belong to the app, so that the service worker has no
 * page.
 */
export interface Waker {
  /** Makes the browser send the sync event for uploads, as it does at a time of its choice. */
  dispatchSync(): Promise<void>
}

/** Attaches to the service worker of `origin`. Call once it is registered. */
export async function wakerOf(context: BrowserContext, origin: string): Promise<Waker> {
  const blank = await context.newPage()
  const devtools: CDPSession = await context.newCDPSession(blank)
  const registrationId = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(
        ({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted,
      )
      if (ours !== undefined) resolve(ours.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  return {
    dispatchSync: async () => {
      await devtools.send('ServiceWorker.dispatchSyncEvent', {
        origin,
        registrationId: await registrationId,
        tag: UPLOAD_SYNC_TAG,
        lastChance: false,
      })
    },
  }
}
