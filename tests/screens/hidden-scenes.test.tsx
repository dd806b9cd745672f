import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { pending } from './harness/fake-server.ts'
import { NOW, openScreen, PASSKEY_ANSWER } from './harness/open-screen.tsx'
import { fakeTask } from './harness/things.ts'

const names = page.getByRole('heading', { level: 2 })
const shownNames = () => names.elements().map(({ textContent }) => textContent)
const job = (number: number) =>
  fakeMediaJob({
    _id: idOf(number),
    uploadRequestId: idOf(9_000 + number),
    name: `scene ${number}`,
    createdAt: new Date(NOW - number).toISOString(),
    tasks: [fakeTask()],
    progressRatio: 1,
  })
const jobs = [job(1), job(2)]
const rows = { mediaJobs: jobs.map((each) => mediaJobToRow(each, NOW)) }
const answers = { listMediaJobsPage: pending }
const menu = (name: string) => page.getByRole('button', { name: `More actions for ${name}` })
const item = (name: string) => page.getByRole('menuitem', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** What the passkey says at each press: its answer, or that its owner stopped. */
function withPasskey(...says: readonly ('answers' | 'stops')[]): void {
  onTestFinished(() => void vi.restoreAllMocks())
  const left = [...says]
  vi.spyOn(navigator.credentials, 'get').mockImplementation(async () => {
    if (left.shift() !== 'answers') throw new DOMException('stopped', 'NotAllowedError')
    return Object.create(PublicKeyCredential.prototype, {
      getClientExtensionResults: {
        value: () => ({ prf: { results: { first: PASSKEY_ANSWER.buffer } } }),
      },
    }) as Credential
  })
}

test('PHO-06 a scene that is hidden leaves the library, and is listed with a mark after the passkey only, until Done', async () => {
  withPasskey('stops', 'answers', 'answers')
  await openScreen({ path: '/edits', rows, answers, isLockable: true })
  await expect.poll(shownNames).toEqual(['scene 1', 'scene 2'])
  await menu('scene 1').click()
  await item('Hide on this device').click()
  await expect.poll(shownNames).toEqual(['scene 2'])
  await button('Show hidden').click()
  await expect.element(page.getByText(/^The passkey did not answer/)).toBeVisible()
  expect(shownNames()).toEqual(['scene 2'])
  await button('Show hidden').click()
  await expect.poll(shownNames).toEqual(['scene 1', 'scene 2'])
  expect(page.getByText('Hidden', { exact: true }).elements().length).toBe(1)
  await button('Done').click()
  await expect.poll(shownNames).toEqual(['scene 2'])
  await button('Show hidden').click()
  await menu('scene 1').click()
  await item('Show in the library again').click()
  await button('Done').click()
  await expect.element(button('Show hidden')).toBeVisible()
  expect(shownNames()).toEqual(['scene 1', 'scene 2'])
})

test('PHO-06 an address of a hidden scene says that it is hidden, and opens by the passkey', async () => {
  withPasskey('answers')
  const screen = await openScreen({ path: '/edits', rows, answers, isLockable: true })
  await menu('scene 1').click()
  await item('Hide on this device').click()
  await expect.poll(shownNames).toEqual(['scene 2'])
  for (const path of [
    `/uploads/media-jobs/${jobs[0]?._id}/status`,
    `/uploads/${jobs[0]?.uploadRequestId}/media-jobs/new`,
    `/edits?video=${jobs[0]?.uploadRequestId}`,
  ]) {
    await screen.goTo(path)
    await expect.element(page.getByRole('heading', { name: 'This scene is hidden' })).toBeVisible()
    expect(document.body.textContent).not.toContain('scene 1')
  }
  await button('Show it').click()
  await expect.poll(shownNames).toEqual(['scene 1'])
})

test('PHO-06 without an app lock nothing can be hidden', async () => {
  await openScreen({ path: '/edits', rows, answers })
  await menu('scene 1').click()
  await expect.element(item('Rename')).toBeVisible()
  expect(item('Hide on this device').elements()).toEqual([])
  expect(button('Show hidden').elements()).toEqual([])
})
