import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { DROPBOX_CHOOSER } from '#src/config/paths.ts'
import { fakeUploadRequest, idOf } from '#tests/fakes/fake-rows.ts'
import { cloudFrame } from './harness/cloud-frame.ts'
import { CAPABILITIES, CREATOR } from './harness/creator.ts'
import { done, refused, type Answers } from './harness/fake-server.ts'
import { openScreen } from './harness/open-screen.tsx'

const GIB = 1024 ** 3
const FILE = {
  id: 'id:abc',
  name: 'scene.mp4',
  link: 'https://dl.dropboxusercontent.com/1/view/key/scene.mp4',
  bytes: 2_000_000_000,
}
const WANTED = {
  provider: 'dropbox-chooser-single-file',
  metadata: { clientFilename: FILE.name, clientFileSize: FILE.bytes },
  dropboxFileId: FILE.id,
  directLink: FILE.link,
}
const dialog = page.getByRole('dialog', { name: 'Choose from Dropbox' })

const imported = (waitsFor: 'turn' | 'link'): components['schemas']['UploadRequest'] => {
  const base = fakeUploadRequest({ receivedBytes: 1_000_000_000 })
  return {
    ...base,
    upload: {
      ...base.upload,
      provider: 'dropbox-chooser-single-file',
      metadata: { clientFilename: FILE.name, clientFileSize: FILE.bytes },
      partSize: 0,
      partCount: 0,
      resumable: false,
    },
    import: { host: 'Dropbox', waitsFor, nextAttemptInSeconds: null },
  }
}
const answersFor = (
  uploads: readonly components['schemas']['UploadRequest'][],
  providers = [...CAPABILITIES.uploads.providers, 'dropbox-chooser-single-file' as const],
): Answers => ({
  listUploadRequests: { uploadRequests: [...uploads], pagination: { nextCursor: null } },
  ...(uploads[0] === undefined ? {} : { getUploadRequest: { uploadRequest: uploads[0] } }),
  getCapabilities: {
    capabilities: {
      ...CAPABILITIES,
      uploads: { ...CAPABILITIES.uploads, maxCloudUploadSizeBytes: 25 * GIB, providers },
    },
  },
})

const chooser = () => cloudFrame('Dropbox', DROPBOX_CHOOSER, 'dropboxChooser')

test('CLD-01 has the server fetch the video that was chosen in Dropbox', async () => {
  const begun = imported('turn')
  const screen = await openScreen({
    path: '/uploads/new',
    answers: { ...answersFor([]), createUploadRequest: done(201, { uploadRequest: begun }) },
  })
  await page.getByRole('button', { name: 'Dropbox' }).click()
  await expect.element(dialog.getByText('Loading Dropbox')).toBeVisible()
  const says = await chooser()
  says('ready')
  await expect.element(dialog.getByText('Loading Dropbox')).not.toBeInTheDocument()
  // Neither other code of this page nor a message of another shape is a chosen file.
  window.postMessage({ dropboxChooser: FILE }, window.location.origin)
  says({ ...FILE, link: 'javascript:alert(1)' })
  says('canceled')
  says({ ...FILE, name: 'notes.pdf' })
  await expect.element(dialog.getByText('Invalid file type for Dropbox upload.')).toBeVisible()
  says({ ...FILE, bytes: 25 * GIB + 1 })
  await expect
    .element(dialog.getByText('This file is too large. You can import files of up to 25 GB.'))
    .toBeVisible()
  expect(screen.server.calls('createUploadRequest')).toEqual([])
  screen.server.answer(answersFor([begun]))
  says(FILE)
  await expect.poll(() => screen.path()).toBe(`/uploads/${idOf(2)}/media-jobs/new`)
  expect(screen.server.calls('createUploadRequest').map(({ body }) => body)).toEqual([
    { uploadRequest: { idempotencyKey: expect.stringMatching(/.{8}/) as string, upload: WANTED } },
  ])
  await expect.element(page.getByText('Waiting to import from Dropbox')).toBeVisible()
})

test('CLD-01 says what the server refuses, and what to do when Dropbox does not load', async () => {
  await openScreen({
    path: '/uploads/new',
    answers: {
      ...answersFor([]),
      createUploadRequest: refused(
        422,
        'uploads/account-full',
        'Your files take all of your space.',
      ),
    },
  })
  await page.getByRole('button', { name: 'Dropbox' }).click()
  const says = await chooser()
  says('ready')
  says(FILE)
  await expect.element(dialog.getByText('Your files take all of your space.')).toBeVisible()
  says('unloaded')
  await expect.element(dialog.getByText('Dropbox did not load')).toBeVisible()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect.element(dialog.getByText('Loading Dropbox')).toBeVisible()
})

test('CLD-01 goes on with an import whose link has expired when its file is chosen again', async () => {
  const goesOn = imported('turn')
  const screen = await openScreen({
    path: '/uploads/new',
    answers: {
      ...answersFor([imported('link')]),
      renewImport: done(200, { uploadRequest: goesOn }),
    },
  })
  await page.getByRole('button', { name: 'Choose the file again' }).click()
  const says = await chooser()
  says('ready')
  screen.server.answer(answersFor([goesOn]))
  says(FILE)
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText('Waiting to import from Dropbox')).toBeVisible()
  expect(
    screen.server.calls('renewImport').map(({ params, body }) => [params['id'], body]),
  ).toEqual([[idOf(2), { upload: WANTED }]])
})

test('CLD-01 explains itself where this server has no key of Dropbox', async () => {
  await openScreen({
    path: '/uploads/new',
    answers: answersFor([], [...CAPABILITIES.uploads.providers]),
  })
  await expect
    .element(page.getByText('Not available here. Upload from this device.').first())
    .toBeVisible()
  await page.getByRole('button', { name: 'Dropbox' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dropbox is not available here' })
  await expect.element(dialog.getByText(/^You can upload the video from this device/)).toBeVisible()
  expect(document.querySelector('iframe[title="Dropbox"]')).toBeNull()
})

test.each([
  ['CLD-01 Dropbox', 'create:uploadRequestDropboxChooser', 'Dropbox', 'Google Drive'],
  ['CLD-02 Google Drive', 'create:uploadRequestGoogleDrivePicker', 'Google Drive', 'Dropbox'],
])('%s is not offered without its right', async (_title, right, hidden, shown) => {
  const permissions = CREATOR.permissions.filter((one) => one !== right)
  await openScreen({
    path: '/uploads/new',
    person: { ...CREATOR, permissions },
    answers: answersFor([]),
  })
  await expect.element(page.getByRole('button', { name: shown })).toBeVisible()
  expect(page.getByRole('button', { name: hidden }).elements()).toEqual([])
})
