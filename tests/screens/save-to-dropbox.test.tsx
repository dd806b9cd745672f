import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DROPBOX_SAVER } from '#src/config/paths.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { cloudFrame } from './harness/cloud-frame.ts'
import { CAPABILITIES } from './harness/creator.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import { fakeOutput, fakeTask } from './harness/things.ts'

const LABEL = 'Save to Dropbox'
const job = fakeMediaJob({
  _id: idOf(1),
  name: 'scene',
  isMediaWorkflowStarted: true,
  progressRatio: 1,
  tasks: ['15s Teaser', 'Still Pack'].map((name, at) =>
    fakeTask({
      _id: idOf(600 + at),
      name,
      status: 'succeeded',
      progressRatio: 1,
      outputs: [fakeOutput({ _id: idOf(700 + at), fileName: `scene-${at}.mp4` })],
    }),
  ),
})
const dialog = page.getByRole('dialog', { name: LABEL })

async function openJob(hasKey: boolean): Promise<void> {
  const { uploads } = CAPABILITIES
  const keys = hasKey ? (['dropbox-chooser-single-file'] as const) : []
  await openScreen({
    path: '/edits',
    rows: { mediaJobs: [mediaJobToRow(job, NOW)] },
    answers: {
      getCapabilities: {
        capabilities: {
          ...CAPABILITIES,
          uploads: { ...uploads, providers: [...uploads.providers, ...keys] },
        },
      },
      listMediaJobsPage: { mediaJobs: [job], pagination: { nextCursor: null } },
      getMediaJob: { mediaJob: job },
      listDriveSaves: { driveSaves: [] },
    },
  })
}
/** The saver's document for all edits, as the person comes to it. */
async function openSaver() {
  await openJob(true)
  await page.getByRole('button', { name: /^Show Edits/ }).click()
  await page.getByRole('button', { name: LABEL }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  return await cloudFrame('Dropbox', DROPBOX_SAVER, 'dropboxSaver')
}

test('LIF-09 asks which edits Dropbox saves, and loads nothing of it before', async () => {
  await openJob(true)
  await page.getByRole('button', { name: /^Show Edits/ }).click()
  await page.getByRole('button', { name: LABEL }).click()
  await expect.element(dialog.getByText(/can be reached from the internet/)).toBeVisible()
  expect(document.querySelector('iframe')).toBeNull()
  await dialog.getByRole('checkbox', { name: /15s Teaser/ }).click({ force: true })
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const says = await cloudFrame('Dropbox', DROPBOX_SAVER, 'dropboxSaver')
  says('ready')
  const { search } = new URL(document.querySelector('iframe')?.src ?? '')
  expect(search).toBe(`?mediaJobId=${job._id}&taskId=${idOf(601)}`)
})

test('LIF-09 says of the copies what Dropbox says, and no more', async () => {
  const says = await openSaver()
  await expect.element(dialog.getByText('Loading Dropbox')).toBeVisible()
  says('ready')
  await expect.element(dialog.getByText('Loading Dropbox')).not.toBeInTheDocument()
  // Neither other code of this page nor a message of another shape says anything.
  window.postMessage({ dropboxSaver: 'saved' }, window.location.origin)
  says({ progress: 7 })
  says('canceled')
  await expect
    .element(dialog.getByText('You closed Dropbox before it took the files.'))
    .toBeVisible()
  says({ progress: 0.4 })
  const bar = dialog.getByRole('progressbar', { name: 'Dropbox is copying the files' })
  await expect.element(bar).toHaveAttribute('aria-valuenow', '40')
  says({ error: 'No room.' })
  await expect.element(dialog.getByText(/It says: No room\./)).toBeVisible()
  says('saved')
  await expect.element(dialog.getByText('Dropbox says that it has saved the files')).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
})

test('LIF-09 says why the server gives Dropbox no file, and what to do when it does not load', async () => {
  const says = await openSaver()
  says({ refusal: 'This file is not there any more.' })
  await expect.element(dialog.getByText('This file is not there any more.')).toBeVisible()
  says('unloaded')
  await expect.element(dialog.getByText('Dropbox did not load')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('LIF-09 offers Dropbox in the menu of the card too, and nowhere without a key', async () => {
  await openJob(true)
  await page.getByRole('button', { name: /More actions for/ }).click()
  await page.getByRole('menuitem', { name: LABEL }).click()
  await expect.element(dialog.getByRole('checkbox', { name: /Still Pack/ })).toBeVisible()
  await userEvent.keyboard('{Escape}')
})

test('LIF-09 does not offer Dropbox without a key', async () => {
  await openJob(false)
  await page.getByRole('button', { name: /More actions for/ }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  expect(page.getByRole('menuitem', { name: LABEL }).elements()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: /^Show Edits/ }).click()
  await expect.element(page.getByText('15s Teaser').first()).toBeVisible()
  expect(page.getByRole('button', { name: LABEL }).elements()).toEqual([])
})
