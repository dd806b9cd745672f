import type { CDPSession, Page } from '@playwright/test'
import { photograph } from './flow-helpers.ts'
import { expect, test } from './quiet.ts'
import { beSignedIn } from './signed-in.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'

// The shell without windows shows no notifications.
test.use({
  launchOptions: { executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' },
})

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})

async function registrationOf(devtools: CDPSession): Promise<string> {
  const found = Promise.withResolvers<string>()
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId } of registrations) found.resolve(registrationId)
  })
  await devtools.send('ServiceWorker.enable')
  return await found.promise
}

/** Hands messages to the service worker as the browser does when its push service has one. */
async function pusher(devtools: CDPSession, origin: string) {
  const registrationId = await registrationOf(devtools)
  return async (title: string, userId: string, shownOn: readonly string[]): Promise<void> => {
    const notification = {
      title,
      navigate: `${origin}/edits`,
      tag: title,
      lang: 'en',
      data: { userId, shownOn },
    }
    const data = JSON.stringify({ web_push: 8030, notification, app_badge: 1 })
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
}

interface Me {
  readonly user: { readonly _id: string }
}

/** Titles of what the device shows. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title }) => title)
  })

test('PHO-02 PHO-08 the service worker shows what the server tells, not in sight of it, and nothing of an account that left', async ({
  page,
}) => {
  await page.context().grantPermissions(['notifications'], { origin: server.origin })
  const client = await beSignedIn(page, server)
  const me = await client.get<Me>('/v1/users/me')
  const { _id: userId } = me.body.user
  await page.evaluate(async () => await navigator.serviceWorker.ready)
  const push = await pusher(await page.context().newCDPSession(page), server.origin)
  // What is in sight comes first: the next one shows that it has been worked on.
  await push('in sight', userId, ['/uploads/new'])
  await push('of another account', crypto.randomUUID(), [])
  await push('Your edits are ready', userId, ['/edits'])
  await expect.poll(() => shown(page)).toEqual(['Your edits are ready'])
  // The library shows it: nothing is left to tell.
  await page.goto(`${server.origin}/edits`)
  await expect.poll(() => shown(page)).toEqual([])
  await push('An edit is waiting for you', userId, [])
  await expect.poll(() => shown(page)).toEqual(['An edit is waiting for you'])
  await page.goto(`${server.origin}/user-profile`)
  await expect(page.getByText('Tell me on this device')).toBeVisible()
  await photograph(page, 'user-profile-messages')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: /^Log In/ })).toBeVisible()
  await expect.poll(() => shown(page)).toEqual([])
  const other = await (await beSignedIn(page, server)).get<Me>('/v1/users/me')
  await push('of the account that left', userId, [])
  await push('Your edit is ready', other.body.user._id, [])
  await expect.poll(() => shown(page)).toEqual(['Your edit is ready'])
})

test('EDT-01 the service worker brings new edits when the browser wakes it, without a page that asks', async ({
  page,
}) => {
  const client = await beSignedIn(page, server)
  const me = await client.get<Me>('/v1/users/me')
  await page.evaluate(async () => await navigator.serviceWorker.ready)
  const devtools = await page.context().newCDPSession(page)
  const registrationId = await registrationOf(devtools)
  // A page that asks for no edits, from which the device can be looked at.
  await page.goto(`${server.origin}/help`)
  const upload = await client.post<{ uploadRequest: { _id: string } }>('/v2/upload-requests', {
    uploadRequest: {
      idempotencyKey: `key-${crypto.randomUUID()}`,
      upload: {
        provider: 's3-multipart',
        metadata: { clientFilename: 'beach.mp4', clientFileSize: 1000 },
      },
    },
  })
  await client.post('/v2/media-jobs', {
    mediaJob: {
      uploadRequestId: upload.body.uploadRequest._id,
      mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'teaser-15s' }],
    },
  })
  const tag = 'onecut-library'
  await devtools.send('ServiceWorker.dispatchPeriodicSyncEvent', {
    origin: server.origin,
    registrationId,
    tag,
  })
  const database = `onecut-account-${me.body.user._id}`
  await expect.poll(() => page.evaluate(namesOfJobs, database)).toEqual(['beach'])
})

/** Of the edits that the device has. */
async function namesOfJobs(database: string): Promise<readonly string[]> {
  const open = indexedDB.open(database)
  await new Promise((resolve) => {
    open.onsuccess = resolve
  })
  const found = open.result.transaction('mediaJobs').objectStore('mediaJobs').getAll()
  await new Promise((resolve) => {
    found.onsuccess = resolve
  })
  open.result.close()
  return found.result.map(({ name }: { readonly name: string }) => name)
}
