import type { BrowserContext, Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS, anyOf } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import {
  beginUpload,
  chooseByInput,
  expectDone,
  installApp,
  signInContext,
} from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole } from '#tests/faults/upload-run.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { newestCode } from '#tests/e2e/people.ts'
import { patience } from '#tests/setup/patience.ts'
import { breakFilePicker, forgetFile, giveDraftHandle, readUploads } from './upload-device.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /the upload worker ended/) })

/** Lets a test make the database of a worker refuse writes, as a full disk does. */
const REFUSE_WRITES = `new BroadcastChannel('writes').onmessage = ({ data }) => {
  globalThis.takesWrites ??= IDBObjectStore.prototype.put
  IDBObjectStore.prototype.put = data === 'take' ? globalThis.takesWrites : () => { throw new DOMException('full', 'QuotaExceededError') }
};`

/** Uploads that wait for a person: to sign in, to allow reading, or never. */
let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', 7 * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})

const aborted = (device: string): readonly (string | null)[] =>
  world.proxy.ledger
    .of(device, 'abort')
    .filter(({ status }) => status === 204)
    .map(({ facts }) => facts.uploadId)
const expectWholeHere = async (id: string): Promise<void> =>
  expect(await world.storedSha256(id)).toBe(file.sha256)

interface Person {
  readonly client: TestClient
  readonly email: string
}
async function newcomer(): Promise<Person> {
  const { client, userId, email } = await signUpAt({
    origin: world.proxy.origin,
    mails: () => world.server.mails(),
  })
  await client.patch(`/v1/${userId}/profile`, { userProfile: { profession: 'Creator/Model' } })
  return { client, email }
}

async function halfway(
  context: BrowserContext,
  person: Person,
  device: string,
): Promise<{ readonly page: Page; readonly uploadRequestId: string }> {
  await signInContext(context, person.client, device)
  const page = await context.newPage()
  await breakFilePicker(page)
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await expectHalfway(world, device)
  return { page, uploadRequestId }
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  // One press must not throw hours of uploading away.
  const question = page.getByRole('alertdialog', { name: 'Log out and discard the upload?' })
  await expect(question).toContainText('scene.mp4 is not fully uploaded.')
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${world.proxy.origin}/login`)
}

/** Asks for a mail in the form at hand and types its six digits. */
async function logInHere(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await expect(
    page.getByText('Please check your email for a login link (check spam)'),
  ).toBeVisible()
  await page
    .getByLabel('Enter the 6-digit code from the email')
    .fill(await newestCode(world.server, email))
}

test('UPL-07 a session that ends in mid-upload: one signs in again in the same place, and nothing is lost', async ({
  context,
}) => {
  const device = 'session'
  const person = await newcomer()
  const { page, uploadRequestId } = await halfway(context, person, device)
  const address = page.url()
  // The same session is signed out elsewhere; here the next call learns of it.
  expect((await person.client.delete('/v1/auth/logout')).status).toBe(204)
  world.proxy.setNetwork(device, FAST_NETWORK)
  await expect(page.getByRole('heading', { name: 'Please log in again' })).toBeVisible({
    timeout: patience(60),
  })
  await expect(
    page.getByText(/Your unfinished uploads, .* are kept on this device\./),
  ).toBeVisible()
  await expect(page.getByText('scene.mp4')).toHaveCount(0)
  expect(page.url()).toBe(address)
  await photograph(page, 'upload-needs-auth')
  await logInHere(page, person.email)
  await expectDone(page)
  expect(page.url()).toBe(address)
  await expectWholeHere(uploadRequestId)
  expect(world.proxy.ledger.of(device, 'abort')).toEqual([])
})

test('UPL-07 a file that the browser asks for again is read on with one press, and so is one that was only checked before a reload', async ({
  browser,
}) => {
  const device = 'permission'
  // Without the service worker's copies, so that the worker's script can be told to ask.
  const context = await browser.newContext({ serviceWorkers: 'block' })
  await context.addInitScript(() =>
    Object.assign(FileSystemFileHandle.prototype, {
      requestPermission: () => Promise.resolve('granted'),
    }),
  )
  await context.route(/\/upload\.worker[^/]*\.js$/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: `FileSystemFileHandle.prototype.queryPermission = () => Promise.resolve('prompt');\n${await answer.text()}`,
    })
  })
  const { page, uploadRequestId } = await halfway(
    context,
    { client: world.client, email: '' },
    device,
  )
  await page.getByRole('main').getByRole('button', { name: 'Pause: scene.mp4' }).click()
  await expect(page.getByText(/^Paused at/)).toBeVisible()
  await forgetFile(page, 'handle')
  world.proxy.setNetwork(device, FAST_NETWORK)
  await page.reload()
  await page.getByRole('main').getByRole('button', { name: 'Resume: scene.mp4' }).click()
  await expect(
    page.getByText('The browser needs your permission to read the file again'),
  ).toBeVisible()
  await photograph(page, 'upload-needs-permission')
  await page.getByRole('main').getByRole('button', { name: 'Continue upload: scene.mp4' }).click()
  await expectDone(page)
  await expectWhole(world, device, uploadRequestId, file, 5)
  // The same video again makes one ask first: a draft, which a reload leaves behind.
  await page.goto(`${world.proxy.origin}/uploads/new`)
  await chooseByInput(file.path)(page)
  await expect(page.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
  await giveDraftHandle(page)
  await page.reload()
  const left = page.getByRole('region', { name: 'Unfinished uploads on this device' })
  await expect(left.getByText('Not uploaded yet')).toBeVisible()
  await photograph(page, 'upload-left-draft')
  await left.getByRole('button', { name: 'Continue upload: scene.mp4' }).click()
  await expect.poll(async () => (await readUploads(page)).toSorted()).toEqual(['done', 'done'])
  await context.close()
})

test('UPL-07 logging out in mid-upload gives the upload up at the server before the session ends', async ({
  context,
}) => {
  const device = 'logout-online'
  const person = await newcomer()
  const { page, uploadRequestId } = await halfway(context, person, device)
  await logOut(page)
  expect(aborted(device)).toEqual([uploadRequestId])
})

test('UPL-07 logging out offline in mid-upload: the server learns of it once it can', async ({
  context,
}) => {
  const device = 'logout-offline'
  const person = await newcomer()
  // Without a network, the log-in form comes from the service worker.
  await installApp(context, world.proxy.origin)
  const { page, uploadRequestId } = await halfway(context, person, device)
  await context.setOffline(true)
  await logOut(page)
  expect(aborted(device)).toEqual([])
  expect(
    await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
  ).not.toContainEqual(expect.stringContaining('account'))
  await context.setOffline(false)
  await expect.poll(() => aborted(device)).toEqual([uploadRequestId])
  // The session that was left is over too.
  await expect.poll(async () => (await person.client.get('/v1/users/me')).status).toBe(401)
})

test('UPL-07 an upload that became a job stays when its account logs out', async ({ context }) => {
  const device = 'logout-ordered'
  const person = await newcomer()
  const { page, uploadRequestId } = await halfway(context, person, device)
  const made = await person.client.post(
    '/v2/media-jobs',
    {
      mediaJob: {
        uploadRequestId,
        mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'teaser-15s' }],
      },
    },
    { headers: { 'Idempotency-Key': crypto.randomUUID() } },
  )
  expect(made.status).toBe(201)
  await logOut(page)
  await expect
    .poll(() => world.proxy.ledger.of(device, 'abort').map(({ status }) => status))
    .toEqual([409])
})

test('UPL-02 where the browser cannot keep the file it says so, and asks before the page is left', async ({
  browser,
}) => {
  const device = 'not-kept'
  const context = await browser.newContext({ serviceWorkers: 'block' })
  // A full disk: no copy is made, and the file input gives no handle.
  await context.route(/\/upload\.worker[^/]*\.js$/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: `navigator.storage.estimate = () => Promise.resolve({ quota: 1, usage: 1 });\n${REFUSE_WRITES}\n${await answer.text()}`,
    })
  })
  const { page } = await halfway(context, { client: world.client, email: '' }, device)
  await expect(
    page.getByText('In progress: Please do not close the page while uploading.'),
  ).toBeVisible()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  // Now it is so full that not even progress can be written: all is sent, and the page says that it
  // could not be saved.
  await page.evaluate(() => new BroadcastChannel('writes').postMessage('refuse'))
  world.proxy.setNetwork(device, FAST_NETWORK)
  await expect(
    page.getByText(/^This device could not save the progress\. [\d.]+ MB is safe\.$/),
  ).toBeVisible()
  await expect(
    page.getByText(
      'This device cannot save the progress. The upload continues, but after a reload some of it may be sent again.',
    ),
  ).toBeVisible()
  await expectHalfway(world, device, 8)
  await photograph(page, 'upload-unsaved')
  await page.evaluate(() => new BroadcastChannel('writes').postMessage('take'))
  await expectDone(page)
  await context.close()
})
