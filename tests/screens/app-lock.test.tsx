import { createStore, Provider } from 'jotai'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react/pure'
import { LockScreen } from '#src/app/lock/LockScreen.tsx'
import type { LockFailure } from '#src/hooks/account/lock-passkey.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { pending } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

const answers = { listSessions: { sessions: [] } }
const card = () => page.getByRole('region', { name: 'App lock' })

/** What the browser says of its passkeys. */
function withPasskeys(isHere: boolean, hasPrf: boolean): void {
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(PublicKeyCredential, 'isUserVerifyingPlatformAuthenticatorAvailable').mockResolvedValue(
    isHere,
  )
  vi.spyOn(PublicKeyCredential, 'getClientCapabilities').mockResolvedValue({
    'extension:prf': hasPrf,
  })
}

test('PHO-06 PHO-07 a browser whose passkeys hold no key says so in the place of the lock; an upload that is not finished holds it off', async () => {
  withPasskeys(true, false)
  const screen = await openScreen({ path: '/user-profile', answers })
  await expect.element(card().getByText(/a passkey that holds a key \(PRF\)/)).toBeVisible()
  expect(card().getByRole('checkbox').elements()).toEqual([])
  withPasskeys(true, true)
  const create = vi.spyOn(navigator.credentials, 'create')
  await screen.goTo('/help')
  await screen.db.uploads.add({
    id: 'u',
    uploadRequestId: null,
    idempotencyKey: 'k',
    purpose: 'media-job',
    file: { name: 'beach.mp4', sizeBytes: 1, lastModifiedEpochMs: 1, type: 'video/mp4' },
    state: { kind: 'paused' },
    epoch: 0,
    plan: null,
    safeBytes: 0,
    probe: null,
    fingerprint: null,
    createdAtEpochMs: 1,
    updatedAtEpochMs: 1,
  })
  await screen.goTo('/user-profile')
  await card()
    .getByText(/^Lock the app /)
    .click()
  await expect.element(card().getByText(/^An upload is not finished\./)).toBeVisible()
  await expect.element(card().getByRole('checkbox')).not.toBeChecked()
  expect(create).not.toHaveBeenCalled()
})

test('PHO-06 what is searched for with the lock on stands in no address, and is there after Back', async () => {
  const jobs = Array.from({ length: 6 }, (_each, number) =>
    fakeMediaJob({
      _id: idOf(number + 1),
      uploadRequestId: idOf(number + 100),
      name: number === 3 ? 'Marseille' : `scene ${number}`,
      createdAt: new Date(NOW - number).toISOString(),
    }),
  )
  const names = page.getByRole('heading', { level: 2 })
  const screen = await openScreen({
    // As an address of before the lock was put on.
    path: '/edits?q=scene',
    rows: { mediaJobs: jobs.map((each) => mediaJobToRow(each, NOW)) },
    answers: { listMediaJobsPage: pending },
    isLockable: true,
  })
  await expect.poll(() => names.elements().length).toBe(5)
  await expect.poll(screen.path).toBe('/edits')
  await page.getByLabelText('Search your edits').fill('Mars')
  await expect
    .poll(() => names.elements().map(({ textContent }) => textContent))
    .toEqual(['Marseille'])
  await userEvent.selectOptions(page.getByLabelText('Sort by'), 'Name Z-A')
  await expect.poll(screen.path).toBe('/edits?sort=name-z-a')
  await screen.goTo('/help')
  await screen.goBack()
  await expect.element(page.getByLabelText('Search your edits')).toHaveValue('Mars')
  await expect.poll(() => names.elements().length).toBe(1)
  await screen.goTo('/edits')
  await expect.element(page.getByLabelText('Search your edits')).toHaveValue('')
})

test('PHO-06 the lock screen stays where its passkey does not open it, and says before what leaving loses', async () => {
  const failures: (LockFailure | null)[] = [
    { code: 'device/stopped' },
    { code: 'lock/other-answer' },
  ]
  const leave = vi.fn(async () => undefined)
  await render(
    <Provider store={createStore()}>
      <LockScreen unlock={async () => failures.shift() ?? null} leave={leave} />
    </Provider>,
  )
  const unlock = page.getByRole('button', { name: 'Unlock', exact: true })
  const topOfUnlock = () => unlock.element().getBoundingClientRect().top
  const before = topOfUnlock()
  await unlock.click()
  await expect.element(page.getByText(/^The passkey did not answer/)).toBeVisible()
  // It stays under the finger.
  expect(topOfUnlock()).toBe(before)
  await unlock.click()
  await expect.element(page.getByText(/^This is not the passkey/)).toBeVisible()
  expect(document.title).toBe('Locked · Onecut')
  await page.getByRole('button', { name: /^Log out and remove everything/ }).click()
  await expect.element(page.getByText(/^What is only on this device is lost/)).toBeVisible()
  await page.getByRole('button', { name: 'Keep it locked' }).click()
  expect(leave).not.toHaveBeenCalled()
  await page.getByRole('button', { name: /^Log out and remove everything/ }).click()
  await page.getByRole('button', { name: 'Log out and remove', exact: true }).click()
  await expect.poll(() => leave.mock.calls.length).toBe(1)
})
