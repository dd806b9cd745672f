import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { externalAuths, type ExternalAuth } from '#src/local/nouns/external-auths.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'
import { CAPABILITIES } from './harness/creator.ts'
import { done, pending, refused } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import { watchForWords } from './harness/seen-words.ts'

const PATH = '/external-auths'
const SUCCESS = 'Successfully connected to Google Drive. You can now use it to upload videos.'
const LOGIN =
  '/editors/api/v1/external-auth/google-oauth/login?forceRefreshTokens=true&externalAuthRedirectUri=%2Fexternal-auths'
const configured = {
  getCapabilities: {
    capabilities: { ...CAPABILITIES, areas: { ...CAPABILITIES.areas, externalAuths: true } },
  },
}
type Credentials = ExternalAuth['externalAuthCredentials']
const drive = (
  more: Partial<Credentials> = {},
  disconnectedAt: string | null = null,
): ExternalAuth => ({
  _id: idOf(7),
  createdAt: '2026-11-20T10:00:00.000Z',
  disconnectedAt,
  externalAuthCredentials: {
    provider: 'google-oauth',
    googleAccountEmail: 'mara@gmail.example',
    hasDownloadFilePermission: true,
    hasSaveFilePermission: true,
    isDisconnected: disconnectedAt !== null,
    refreshTokenIsExpired: false,
    latestAccessToken: null,
    ...more,
  },
})
const open = async (auths: readonly ExternalAuth[], path = PATH) =>
  await openScreen({
    path,
    answers: { ...configured, listExternalAuths: { externalAuths: [...auths] } },
  })
const card = page.getByRole('listitem').filter({ hasText: 'Integration ID' })
const control = (name: string) => card.getByRole('button', { name })
const link = (name: string) => card.getByRole('link', { name })

describe('the cards', () => {
  test('INT-01 a connected drive shows what is known of it, and leads only to its end', async () => {
    await open([drive()])
    await expect.element(card.getByRole('heading', { name: 'Google Drive' })).toBeVisible()
    for (const words of ['Active Connection', 'November 20, 2026', 'mara@gmail.example', idOf(7)])
      await expect.element(card.getByText(words)).toBeVisible()
    await expect.element(control('Disconnect Integration')).toBeVisible()
    expect(card.getByRole('link').elements()).toEqual([])
    await expect
      .element(page.getByRole('link', { name: 'Connect New Service' }))
      .toHaveAttribute('href', LOGIN)
    await expect.element(page.getByText('What a connected drive can do')).toBeVisible()
  })

  test('INT-02 one without the right to download leads to Google and to its end', async () => {
    await open([drive({ hasDownloadFilePermission: false, googleAccountEmail: null })])
    await expect.element(card.getByText('Limited Access')).toBeVisible()
    await expect.element(card.getByText('Missing Download Permissions')).toBeVisible()
    await expect.element(card.getByText('N/A')).toBeVisible()
    await expect.element(link('Reauthorize')).toHaveAttribute('href', LOGIN)
    await expect.element(control('Disconnect Integration')).toBeVisible()
  })

  test('INT-02 a disconnected one can only be connected again', async () => {
    await open([drive({}, '2026-11-21T09:00:00.000Z')])
    await expect.element(card.getByText('Disconnected', { exact: true }).first()).toBeVisible()
    await expect.element(card.getByText('November 21, 2026')).toBeVisible()
    await expect.element(link('Reconnect')).toHaveAttribute('href', LOGIN)
    expect(card.getByRole('button').elements()).toEqual([])
  })

  test('CLD-03 one that Google lets in no more says so', async () => {
    await open([drive({ refreshTokenIsExpired: true })])
    await expect
      .element(card.getByText('Please reconnect your Google account first...'))
      .toBeVisible()
    await expect.element(link('Reconnect')).toHaveAttribute('href', LOGIN)
  })

  test('INT-05 a provider that this app does not know has no way to connect', async () => {
    const unknown = drive({ provider: 'other-drive' as 'google-oauth' }, '2026-11-21T09:00:00.000Z')
    await open([unknown])
    await expect.element(card.getByText('Unsupported provider')).toBeVisible()
  })
})

describe('without a drive', () => {
  test('INT-01 CLD-05 leads to Google', async () => {
    await open([])
    await expect.element(page.getByText('No External Integrations')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Connect Google Drive' }))
      .toHaveAttribute('href', LOGIN)
    await expect.element(page.getByText('What a connected drive can do')).toBeVisible()
  })

  test('INT-01 says where this server is not set up for it, by keyboard too', async () => {
    await openScreen({ path: PATH, answers: { listExternalAuths: { externalAuths: [] } } })
    const button = page.getByRole('button', { name: 'Connect Google Drive' })
    await expect.element(button).toBeVisible()
    await expect.element(page.getByText('Not available here.').first()).toBeVisible()
    ;(button.element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
    const dialog = page.getByRole('dialog', { name: 'Google Drive is not available here' })
    await expect
      .element(dialog.getByText('You can upload the video from this device', { exact: false }))
      .toBeVisible()
  })

  test('INT-05 shows what the server says, and the empty list', async () => {
    await openScreen({
      path: PATH,
      answers: { ...configured, listExternalAuths: refused(422, 'request/invalid', 'Not today.') },
    })
    await expect.element(page.getByText('Not today.')).toBeVisible()
    await expect.element(page.getByText('No External Integrations')).toBeVisible()
  })
})

describe('disconnecting', () => {
  const dialog = page.getByRole('alertdialog', { name: 'Disconnect Google Drive?' })
  const ask = async () => {
    const screen = await open([drive()])
    await control('Disconnect Integration').click()
    await expect
      .element(dialog.getByText('Imports and exports that are under way are cancelled.'))
      .toBeVisible()
    return screen
  }

  test('INT-03 asks first, and shows the drive as it is afterwards', async () => {
    const screen = await ask()
    await dialog.getByRole('button', { name: 'Keep Connected' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(screen.server.calls('disconnectExternalAuth')).toEqual([])
    await control('Disconnect Integration').click()
    screen.server.answer({
      disconnectExternalAuth: done(204, undefined),
      listExternalAuths: { externalAuths: [drive({}, '2026-11-21T09:00:00.000Z')] },
    })
    await dialog.getByRole('button', { name: 'Confirm Disconnection' }).click()
    await expect
      .element(page.getByText('External integration disconnected successfully'))
      .toBeVisible()
    await expect.element(link('Reconnect')).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test('INT-03 disables its buttons while it runs, and stays when it fails', async () => {
    const screen = await ask()
    screen.server.answer({ disconnectExternalAuth: pending })
    await dialog.getByRole('button', { name: 'Confirm Disconnection' }).click()
    for (const name of ['Keep Connected', 'Confirm Disconnection'])
      await expect.element(dialog.getByRole('button', { name })).toBeDisabled()
  })

  test('INT-03 says that it failed', async () => {
    const screen = await ask()
    screen.server.answer({ disconnectExternalAuth: refused(422, 'request/invalid', 'No.') })
    await dialog.getByRole('button', { name: 'Confirm Disconnection' }).click()
    await expect
      .element(dialog.getByText('Failed to disconnect integration. Please try again.'))
      .toBeVisible()
    await expect.element(dialog.getByRole('button', { name: 'Keep Connected' })).toBeEnabled()
  })
})

describe('coming back from Google', () => {
  test('INT-04 keeps both values for the session, cleans the address, and says so', async () => {
    const screen = await open([drive()], `${PATH}?accessToken=ya29.x&externalAuthId=${idOf(7)}`)
    await expect.element(page.getByText(SUCCESS)).toBeVisible()
    expect(screen.path()).toBe(PATH)
    expect(Object.entries(sessionStorage)).toEqual(
      expect.arrayContaining([
        ['driveAccessToken', 'ya29.x'],
        ['driveExternalAuthId', idOf(7)],
      ]),
    )
    sessionStorage.clear()
  })

  test('INT-04 claims no connection that the server does not know', async () => {
    await open([], `${PATH}?externalAuthId=${idOf(8)}`)
    await expect
      .element(
        page.getByText('This connection is not known here. Please connect Google Drive again.'),
      )
      .toBeVisible()
    await expect.element(page.getByText(SUCCESS)).not.toBeInTheDocument()
    sessionStorage.clear()
  })

  test('INT-03 INT-04 a drive that is connected and disconnected in one visit is no failure', async () => {
    const isCalledUnknown = watchForWords('This connection is not known here')
    const screen = await open([drive()], `${PATH}?externalAuthId=${idOf(7)}`)
    await expect.element(page.getByText(SUCCESS)).toBeVisible()
    await control('Disconnect Integration').click()
    screen.server.answer({
      disconnectExternalAuth: done(204, undefined),
      listExternalAuths: { externalAuths: [drive({}, '2026-11-21T09:00:00.000Z')] },
    })
    await page.getByRole('button', { name: 'Confirm Disconnection' }).click()
    await expect.element(link('Reconnect')).toBeVisible()
    expect(isCalledUnknown()).toBe(false)
    sessionStorage.clear()
  })

  test.each([
    ['refused', 'Google Drive is not connected, because access was not allowed.'],
    ['expired', 'The visit to Google took too long or began in another browser.'],
    ['too-many', 'You have as many connected drives as an account can have.'],
    ['away', 'Google did not answer as it should.'],
    ['anything', 'Google did not answer as it should.'],
  ])('INT-04 says why nothing was connected: %s', async (error, words) => {
    const screen = await open([], `${PATH}?externalAuthError=${error}`)
    await expect.element(page.getByRole('alert').getByText(words, { exact: false })).toBeVisible()
    expect(screen.path()).toBe(PATH)
  })
})

test('INT-01 shows what this device knows of the drives at once', async () => {
  await openScreen({
    path: PATH,
    rows: { externalAuths: [externalAuths.toRow(drive(), NOW)] },
    answers: { ...configured, listExternalAuths: pending },
  })
  await expect.element(card.getByText('mara@gmail.example')).toBeVisible()
})
