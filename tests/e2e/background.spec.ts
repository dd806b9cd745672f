import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import { MIB, PART_BYTES, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import {
  chooseByPath,
  startChromium,
  type KillableChromium,
} from '#tests/faults/killable-chromium.ts'
import { beginUpload, installApp, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole, safeParts } from '#tests/faults/upload-run.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { beginUpload as beginVideo } from '#tests/setup/upload.ts'
import { photograph } from './flow-helpers.ts'
import { expect, test } from './journey.ts'
import { watchConsole } from './people.ts'

/** What the service worker does without a page of the app, in the browser that people have. */

const PART_COUNT = 4
/** Two parts arrive at once; the other two would take half a minute. */
const NETWORK = { ...HALFWAY_NETWORK, totalBytesPerSecond: 200_000 }
/** Sent again at most: the parts that were in flight when the page stopped. */
const IN_FLIGHT = 2

let profile: string
let browser: KillableChromium
test.beforeAll(async () => {
  // With a profile on disk: a private window has no Background Fetch.
  profile = await mkdtemp(join(tmpdir(), 'onecut-background-'))
  browser = await startChromium(profile)
})
test.afterAll(async () => {
  await browser.kill()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
})

async function storedState(client: TestClient, uploadRequestId: string): Promise<string> {
  return (
    await client.get<{ readonly uploadRequest: { readonly state: string } }>(
      `/v1/upload-requests/${uploadRequestId}`,
    )
  ).body.uploadRequest.state
}

test('SAF-06 what was handed over is sent and completed with no page of the app', async ({
  world,
}) => {
  const device = 'handed-over'
  const { context } = browser
  const file = await world.makeFile(`${device}.mp4`, (PART_COUNT - 1) * PART_BYTES + MIB)
  await signInContext(context, world.client, device)
  await installApp(context, world.proxy.origin)
  world.proxy.setNetwork(device, NETWORK)
  const page = await context.newPage()
  // Not the one by which an earlier upload would get its file again.
  const choose = chooseByPath(file.path, 'input[type=file]:not([aria-hidden])')
  const uploadRequestId = await beginUpload(page, world.proxy.origin, choose)
  await expectHalfway(world, device, 2)
  await page.getByRole('button', { name: /^Finish in the background/ }).click()
  await expect(page.getByText('Your browser is sending the rest').first()).toBeVisible()
  await expect(page.getByText(/^You can close this page/).first()).toBeVisible()
  const sent = safeParts(world, device)
  await page.close({ runBeforeUnload: true })
  world.proxy.setNetwork(device, FAST_NETWORK)
  await expect
    .poll(() => storedState(world.client, uploadRequestId), { timeout: patience(60) })
    .toBe('validated')
  expect(sent).toBeLessThan(PART_COUNT)
  await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
  expect(context.pages().map((open) => open.url())).toEqual(['about:blank'])
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
function pusher(devtools: CDPSession, origin: string, registrationId: string) {
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

/** Titles of what the device shows. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title }) => title)
  })

interface Newcomer {
  readonly client: TestClient
  readonly userId: string
}

/** A new account in this browser, on `/uploads/new`. */
async function newcomerAt(
  context: BrowserContext,
  page: Page,
  world: FaultWorld,
): Promise<Newcomer> {
  const client = await world.signUp()
  await signInContext(context, client, 'told')
  await page.goto(`${world.proxy.origin}/uploads/new`)
  await expect(page.getByLabel('Choose a video')).toBeAttached()
  const me = await client.get<{ readonly user: { readonly _id: string } }>('/v1/users/me')
  return { client, userId: me.body.user._id }
}

test('PHO-02 PHO-08 EDT-01 the service worker shows what the server tells, not in sight of it, and nothing of an account that left; and it brings new edits without a page that asks', async ({
  world,
}) => {
  const { context } = browser
  const { origin } = world.proxy
  await context.grantPermissions(['notifications'], { origin })
  const page = await context.newPage()
  // This browser's own window has the layout of a phone.
  await page.setViewportSize({ width: 1280, height: 800 })
  const noise = watchConsole(page)
  const first = await newcomerAt(context, page, world)
  await page.evaluate(async () => await navigator.serviceWorker.ready)
  const devtools = await context.newCDPSession(page)
  const registrationId = await registrationOf(devtools)
  const push = pusher(devtools, origin, registrationId)
  // What is in sight comes first: the next one shows that it has been worked on.
  await push('in sight', first.userId, ['/uploads/new'])
  await push('of another account', crypto.randomUUID(), [])
  await push('Your edits are ready', first.userId, ['/edits'])
  await expect.poll(() => shown(page)).toEqual(['Your edits are ready'])
  // The library shows it: nothing is left to tell.
  await page.goto(`${origin}/edits`)
  await expect.poll(() => shown(page)).toEqual([])
  await push('An edit is waiting for you', first.userId, [])
  await expect.poll(() => shown(page)).toEqual(['An edit is waiting for you'])
  await page.goto(`${origin}/user-profile`)
  await expect(page.getByText('Tell me on this device')).toBeVisible()
  await photograph(page, 'user-profile-messages')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: /^Log In/ })).toBeVisible()
  await expect.poll(() => shown(page)).toEqual([])
  const second = await newcomerAt(context, page, world)
  await push('of the account that left', first.userId, [])
  await push('Your edit is ready', second.userId, [])
  await expect.poll(() => shown(page)).toEqual(['Your edit is ready'])

  // A page that asks for no edits, from which the device can be looked at.
  await page.goto(`${origin}/help`)
  // Of a video whose bytes have not come.
  const { _id } = await beginVideo(second.client, 1000, { name: 'beach.mp4' })
  await requestEdits(second.client, _id, [{ mediaJobTaskPresetSlug: 'teaser-15s' }])
  const tag = 'onecut-library'
  await devtools.send('ServiceWorker.dispatchPeriodicSyncEvent', { origin, registrationId, tag })
  const database = `onecut-account-${second.userId}`
  await expect.poll(() => page.evaluate(namesOfJobs, database)).toEqual(['beach'])
  expect(noise()).toEqual([])
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
