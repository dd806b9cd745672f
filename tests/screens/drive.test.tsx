import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import type { ExternalAuth } from '#src/local/nouns/external-auths.ts'
import { fakeUploadRequest, idOf } from '#tests/fakes/fake-rows.ts'
import { cloudFrame } from './harness/cloud-frame.ts'
import { CAPABILITIES, PRESETS } from './harness/creator.ts'
import { done, pending, refused, type Answers } from './harness/fake-server.ts'
import { openScreen } from './harness/open-screen.tsx'

type UploadRequest = components['schemas']['UploadRequest']
type Credentials = ExternalAuth['externalAuthCredentials']

const DRIVE = idOf(7)
const FILE = 'drive-file_1'
const LOGIN =
  '/editors/api/v1/external-auth/google-oauth/login?forceRefreshTokens=true&externalAuthRedirectUri=%2Fuploads%2Fnew'
const PICK = `${LOGIN}&pick=true`
const WANTED = {
  provider: 'google-drive-picker-single-file',
  externalAuthId: DRIVE,
  googleDriveFileId: FILE,
}
const dialog = page.getByRole('dialog', { name: 'Google Drive' })
const button = page.getByRole('button', { name: 'Google Drive' })

const drive = (more: Partial<Credentials> = {}): ExternalAuth => ({
  _id: DRIVE,
  createdAt: '2026-11-20T10:00:00.000Z',
  disconnectedAt: null,
  externalAuthCredentials: {
    provider: 'google-oauth',
    googleAccountEmail: 'mara@gmail.example',
    hasDownloadFilePermission: true,
    hasSaveFilePermission: true,
    isDisconnected: false,
    refreshTokenIsExpired: false,
    latestAccessToken: null,
    ...more,
  },
})
const imported = (waitsFor: NonNullable<UploadRequest['import']>['waitsFor']): UploadRequest => {
  const base = fakeUploadRequest({ receivedBytes: 1_000_000_000 })
  return {
    ...base,
    upload: {
      ...base.upload,
      provider: 'google-drive-picker-single-file',
      metadata: { clientFilename: 'scene.mp4', clientFileSize: 2_000_000_000 },
      partSize: 0,
      partCount: 0,
      resumable: false,
    },
    import: { host: 'Google Drive', waitsFor, nextAttemptInSeconds: null },
  }
}
const answersFor = (
  drives: readonly ExternalAuth[],
  uploads: readonly UploadRequest[] = [],
  drivePicker: 'redirect' | 'frame' = 'redirect',
): Answers => ({
  listExternalAuths: { externalAuths: [...drives] },
  listUploadRequests: { uploadRequests: [...uploads], pagination: { nextCursor: null } },
  ...(uploads[0] === undefined ? {} : { getUploadRequest: { uploadRequest: uploads[0] } }),
  getCapabilities: {
    capabilities: {
      ...CAPABILITIES,
      uploads: {
        ...CAPABILITIES.uploads,
        drivePicker,
        providers: [...CAPABILITIES.uploads.providers, 'google-drive-picker-single-file'],
      },
      areas: { ...CAPABILITIES.areas, externalAuths: true },
    },
  },
})
const open = async (answers: Answers, query = '') =>
  await openScreen({ path: `/uploads/new${query}`, answers })

beforeEach(() => sessionStorage.clear())

describe('the way to Google', () => {
  test('CLD-02 leads to the choice at Google at once where a drive is connected', async () => {
    await open(answersFor([drive()]))
    await expect
      .element(page.getByRole('link', { name: 'Google Drive' }))
      .toHaveAttribute('href', PICK)
  })

  test.each([
    [
      'none',
      [],
      'Please connect your Google account first to access Google Drive.',
      'Connect Google Drive',
    ],
    [
      'expired',
      [drive({ refreshTokenIsExpired: true })],
      'Please reconnect your Google account first...',
      'Reconnect',
    ],
    [
      'limited',
      [drive({ hasDownloadFilePermission: false })],
      'Your Google Drive integration is missing download permissions. Please reauthorize...',
      'Reauthorize',
    ],
  ] as const)(
    'CLD-03 says what is missing, and leads on: %s',
    async (_name, drives, words, lead) => {
      await open(answersFor(drives))
      await button.click()
      await expect.element(dialog.getByText(words)).toBeVisible()
      await expect.element(dialog.getByRole('link', { name: lead })).toHaveAttribute('href', PICK)
    },
  )

  test('CLD-03 explains how download permissions are given', async () => {
    await open(answersFor([drive({ hasDownloadFilePermission: false })]))
    await button.click()
    await expect.element(dialog.getByText('Tick the box', { exact: false })).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test('CLD-03 waits for what is known of the drives, and says when nothing is', async () => {
    const screen = await open({ ...answersFor([]), listExternalAuths: pending })
    await button.click()
    await expect
      .element(dialog.getByText('Asking whether your Google Drive is connected'))
      .toBeVisible()
    await expect.poll(() => screen.server.calls('listExternalAuths')).toHaveLength(1)
  })

  test('CLD-03 shows why the drives are not known', async () => {
    await open({
      ...answersFor([]),
      listExternalAuths: refused(422, 'request/invalid', 'Not today.'),
    })
    await button.click()
    await expect.element(dialog.getByText('Not today.')).toBeVisible()
  })

  test('CLD-02 explains itself where this server has no keys of Google', async () => {
    await open({})
    await button.click()
    await expect
      .element(page.getByRole('dialog', { name: 'Google Drive is not available here' }))
      .toBeVisible()
  })
})

const picker = () => cloudFrame('Google Drive', 'google-picker', 'drivePicker')

test('CLD-02 has a video chosen in the picker of Google where the server wants it so', async () => {
  const begun = imported('turn')
  const screen = await open({
    ...answersFor([drive()], [], 'frame'),
    createUploadRequest: refused(422, 'uploads/link-refused', 'Only video files are accepted'),
  })
  await button.click()
  await expect.element(dialog.getByText('Loading Google Drive')).toBeVisible()
  const says = await picker()
  expect(document.querySelector('iframe[title="Google Drive"]')?.getAttribute('src')).toBe(
    `/editors/connect/google-picker?externalAuthId=${DRIVE}`,
  )
  // Neither other code of this page nor a message of another shape is a chosen file.
  window.postMessage({ drivePicker: { id: FILE } }, window.location.origin)
  says({ id: 7 })
  says({ refusal: 'Please reconnect your Google account first...' })
  await expect
    .element(dialog.getByText('Please reconnect your Google account first...'))
    .toBeVisible()
  expect(screen.server.calls('createUploadRequest')).toEqual([])
  says({ id: FILE })
  await expect.element(dialog.getByText('Only video files are accepted')).toBeVisible()
  says('unloaded')
  await expect.element(dialog.getByText('Google Drive did not load')).toBeVisible()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  screen.server.answer({
    ...answersFor([drive()], [begun], 'frame'),
    createUploadRequest: done(201, { uploadRequest: begun }),
  })
  const saysAgain = await picker()
  saysAgain('ready')
  saysAgain({ id: FILE })
  await expect.poll(() => screen.path()).toBe(`/uploads/${idOf(2)}/media-jobs/new`)
})

test('CLD-03 connects first where the picker needs a drive', async () => {
  await open(answersFor([], [], 'frame'))
  await button.click()
  await expect
    .element(dialog.getByRole('link', { name: 'Connect Google Drive' }))
    .toHaveAttribute('href', LOGIN)
  expect(document.querySelector('iframe[title="Google Drive"]')).toBeNull()
})

describe('coming back from Google', () => {
  const ARRIVAL = `?externalAuthId=${DRIVE}&googleDriveFileId=${FILE}`

  test('CLD-02 has the server fetch the video that was chosen, and cleans the address', async () => {
    const begun = imported('turn')
    const screen = await open(
      {
        ...answersFor([drive()], [begun]),
        createUploadRequest: done(201, { uploadRequest: begun }),
      },
      ARRIVAL,
    )
    await expect.poll(() => screen.path()).toBe(`/uploads/${idOf(2)}/media-jobs/new`)
    expect(screen.server.calls('createUploadRequest').map(({ body }) => body)).toEqual([
      {
        uploadRequest: { idempotencyKey: expect.stringMatching(/.{8}/) as string, upload: WANTED },
      },
    ])
    await expect.element(page.getByText('Waiting to import from Google Drive')).toBeVisible()
  })

  test('CLD-02 says that it asks, and keeps nothing of the file in the address', async () => {
    const screen = await open({ ...answersFor([drive()]), createUploadRequest: pending }, ARRIVAL)
    await expect.element(page.getByText('Asking Google Drive for your video')).toBeVisible()
    expect(screen.path()).toBe('/uploads/new')
  })

  test.each([
    [
      404,
      'external-auths/not-found',
      'Google Drive authentication required. Please connect your Google account first.',
    ],
    [503, 'external-auths/away', 'Could not refresh Google Drive authorization. Please try again.'],
    [422, 'uploads/link-refused', 'Only video files are accepted'],
  ])('CLD-03 says what the server says: %d %s', async (status, code, words) => {
    await open(
      { ...answersFor([drive()]), createUploadRequest: refused(status, code, words) },
      ARRIVAL,
    )
    await expect.element(page.getByRole('alert').getByText(words)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Google Drive', exact: true }))
      .toBeVisible()
  })

  test('CLD-05 says that a drive is connected, or why it is not', async () => {
    await open(answersFor([drive()]), `?externalAuthId=${DRIVE}`)
    await expect
      .element(
        page.getByText(
          'Successfully connected to Google Drive. You can now use it to upload videos.',
        ),
      )
      .toBeVisible()
  })

  test('CLD-05 says that access was not allowed', async () => {
    await open(answersFor([]), '?externalAuthError=refused')
    await expect
      .element(page.getByText('Google Drive is not connected, because access was not allowed.'))
      .toBeVisible()
  })
})

describe('an import that waits for its owner', () => {
  test('CLD-03 leads to Google where the drive must be connected again', async () => {
    await open(answersFor([drive({ refreshTokenIsExpired: true })], [imported('sign-in')]))
    await expect
      .element(page.getByText('Please reconnect your Google account first...'))
      .toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Reconnect' }))
      .toHaveAttribute('href', LOGIN)
  })

  test('CLD-02 goes on when its file is chosen again', async () => {
    const goesOn = imported('turn')
    const screen = await open(answersFor([drive()], [imported('link')]))
    const again = page.getByRole('link', { name: 'Choose the file again' })
    await expect.element(again).toHaveAttribute('href', PICK)
    // The page of Google is no part of this test.
    again.element().addEventListener('click', (event) => event.preventDefault())
    await again.click()
    expect(sessionStorage.getItem('driveRenews')).toBe(idOf(2))
    screen.server.answer({
      ...answersFor([drive()], [goesOn]),
      renewImport: done(200, { uploadRequest: goesOn }),
    })
    await screen.goTo(`/uploads/new?externalAuthId=${DRIVE}&googleDriveFileId=${FILE}`)
    await expect.poll(() => screen.path()).toBe(`/uploads/${idOf(2)}/media-jobs/new`)
    expect(
      screen.server.calls('renewImport').map(({ params, body }) => [params['id'], body]),
    ).toEqual([[idOf(2), { upload: WANTED }]])
  })
})

test('APP-10 asks for the drives once on the routes of the flow', async () => {
  const begun = imported('turn')
  const screen = await open(answersFor([drive()], [begun]))
  await expect.element(page.getByRole('link', { name: 'Google Drive', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Choose edits for scene.mp4' }).click()
  await expect.element(page.getByText('Waiting to import from Google Drive')).toBeVisible()
  expect(screen.server.calls('listExternalAuths')).toHaveLength(1)
})

test('UPL-01 keeps within the width of a phone, with all ways to a video and all formats', async () => {
  await page.viewport(360, 780)
  onTestFinished(() => page.viewport(1280, 800))
  await open({ ...answersFor([drive()]), listPresets: { mediaJobTaskPresets: [...PRESETS] } })
  await expect.element(page.getByRole('link', { name: 'Google Drive', exact: true })).toBeVisible()
  await expect.element(page.getByText('Still Pack').first()).toBeInTheDocument()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
})
