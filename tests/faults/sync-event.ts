import type { BrowserContext, CDPSession } from '@playwright/test'
import { UPLOAD_SYNC_TAG } from '#src/local/uploads/background.ts'

/**
 * Developer tools of a page that is not the app's, so that the service worker has no page of its
 * own.
 */
export interface Waker {
  /**
   * Lets the browser tell the service worker to go on with uploads, as it does when it thinks the
   * time is right.
   */
  dispatchSync(): Promise<void>
}

/** Looks at the service worker of `origin`. Call when it is registered. */
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
