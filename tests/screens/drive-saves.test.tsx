import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { driveSaves, type DriveSave } from '#src/local/nouns/drive-saves.ts'
import type { ExternalAuth } from '#src/local/nouns/external-auths.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { CAPABILITIES } from './harness/creator.ts'
import { pending, refused, type Call } from './harness/fake-server.ts'
import { NOW, openScreen, type ScreenOptions } from './harness/open-screen.tsx'
import { fakeOutput, fakeTask } from './harness/things.ts'

type Credentials = ExternalAuth['externalAuthCredentials']

const LABEL = 'Save to Google Drive'
const LOGIN = /\/external-auth\/google-oauth\/login\?/
const task = (number: number, name: string): components['schemas']['MediaJobTask'] =>
  fakeTask({
    _id: idOf(600 + number),
    name,
    status: 'succeeded',
    progressRatio: 1,
    outputs: [
      fakeOutput({
        _id: idOf(700 + number),
        fileName: `scene-${number}.mp3`,
        contentType: 'x/sound',
      }),
    ],
  })
const job = fakeMediaJob({
  _id: idOf(1),
  name: 'scene',
  isMediaWorkflowStarted: true,
  progressRatio: 1,
  tasks: [task(1, '15s Teaser'), task(2, 'Still Pack')],
})
const drive = (number: number, more: Partial<Credentials> = {}): ExternalAuth => ({
  _id: idOf(800 + number),
  createdAt: '2026-11-20T10:00:00.000Z',
  disconnectedAt: null,
  externalAuthCredentials: {
    provider: 'google-oauth',
    googleAccountEmail: `mara-${number}@gmail.example`,
    hasDownloadFilePermission: true,
    hasSaveFilePermission: true,
    isDisconnected: false,
    refreshTokenIsExpired: false,
    latestAccessToken: null,
    ...more,
  },
})
const save = (number: number, more: Partial<DriveSave> = {}): DriveSave => ({
  _id: idOf(900 + number),
  mediaJobId: job._id,
  taskId: idOf(600 + number),
  outputId: idOf(700 + number),
  externalAuthId: idOf(801),
  fileName: `scene-${number}.mp3`,
  sizeBytes: 20_000_000,
  savedBytes: 0,
  state: 'waiting',
  waitsFor: 'turn',
  nextAttemptInSeconds: null,
  driveUrl: null,
  failure: null,
  createdAt: '2026-11-21T09:50:00.000Z',
  ...more,
})
const configured = {
  getCapabilities: {
    capabilities: { ...CAPABILITIES, areas: { ...CAPABILITIES.areas, externalAuths: true } },
  },
}

/** The edits of one job, unfolded. */
async function open({
  saves = [],
  drives = [drive(1)],
  ...more
}: Omit<ScreenOptions, 'path'> & {
  readonly saves?: readonly DriveSave[]
  readonly drives?: readonly ExternalAuth[]
} = {}) {
  const screen = await openScreen({
    path: '/edits',
    ...more,
    rows: {
      mediaJobs: [mediaJobToRow(job, NOW)],
      driveSaves: saves.map((one, at) => driveSaves.toRow(one, NOW, at)),
    },
    answers: {
      ...configured,
      listMediaJobsPage: { mediaJobs: [job], pagination: { nextCursor: null } },
      getMediaJob: { mediaJob: job },
      listExternalAuths: { externalAuths: [...drives] },
      listDriveSaves: { driveSaves: [...saves] },
      ...more.answers,
    },
  })
  await page.getByRole('button', { name: /^Show Edits/ }).click()
  return screen
}
const button = page.getByRole('button', { name: LABEL })
const dialog = page.getByRole('dialog', { name: LABEL })
const within = (words: string | RegExp) => page.getByText(words)

beforeEach(async () => await page.viewport(360, 800))
afterAll(async () => await page.viewport(1280, 800))

describe('asking for it', () => {
  test('LIF-09 saves the chosen edits to the drive, and shows them on their way', async () => {
    const bodies: unknown[] = []
    const screen = await open({
      answers: {
        startDriveSaves: ({ body }: Call) => {
          bodies.push(body)
          return { driveSaves: [save(2)] }
        },
      },
    })
    await button.click()
    await expect.element(dialog.getByText('1 MB').first()).toBeVisible()
    await dialog.getByRole('checkbox', { name: '15s Teaser 1 MB' }).click({ force: true })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(within('Waits its turn to be saved to Google Drive')).toBeVisible()
    expect(bodies).toEqual([{ externalAuthId: idOf(801), taskIds: [idOf(602)] }])
    expect(await screen.db.driveSaves.count()).toBe(1)
  })

  test('LIF-09 lets people choose among their drives, and says why the server refuses', async () => {
    await open({
      drives: [drive(1), drive(2)],
      answers: {
        startDriveSaves: refused(422, 'external-auths/save-permission-missing'),
      },
    })
    await button.click()
    await dialog.getByLabelText('Google account').selectOptions('mara-2@gmail.example')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect
      .element(dialog.getByText('allow the server to save files there', { exact: false }))
      .toBeVisible()
  })

  test.each([
    ['Connect Google Drive', [], 'Connect your drive first.'],
    ['Reauthorize', [drive(1, { hasSaveFilePermission: false })], 'save none'],
    [
      'Reconnect',
      [drive(1, { refreshTokenIsExpired: true })],
      'Please reconnect your Google account first...',
    ],
  ] as const)(
    'LIF-09 leads to Google by %s where nothing can be saved',
    async (label, drives, words) => {
      await open({ drives: [...drives] })
      await button.click()
      await expect.element(dialog.getByText(words, { exact: false })).toBeVisible()
      await expect
        .element(dialog.getByRole('link', { name: label }))
        .toHaveAttribute('href', expect.stringMatching(LOGIN))
      await expect.element(dialog.getByRole('button', { name: 'Save' })).not.toBeInTheDocument()
    },
  )

  test('LIF-09 says in the menu where this server is not set up for it', async () => {
    await open({ answers: { getCapabilities: { capabilities: CAPABILITIES } } })
    await page.getByRole('button', { name: /^More actions/ }).click()
    const item = page.getByRole('menuitem', { name: /^Save to Google Drive/ })
    await expect
      .element(item.getByText('Not available here. Download the edits instead.'))
      .toBeVisible()
    await expect.element(item).toHaveAttribute('aria-disabled', 'true')
    await userEvent.keyboard('{Escape}')
    await expect.element(button).not.toBeInTheDocument()
  })

  test('LIF-09 is in the menu of a card too', async () => {
    await open()
    await page.getByRole('button', { name: /^More actions/ }).click()
    await page.getByRole('menuitem', { name: LABEL }).click()
    await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeVisible()
  })
})

describe('on the way', () => {
  test('LIF-09 shows how far it is, cancels, and says where the files are', async () => {
    const cancelled: unknown[] = []
    await open({
      saves: [
        save(1, { state: 'saving', waitsFor: null, savedBytes: 8_000_000 }),
        save(2, {
          state: 'saved',
          waitsFor: null,
          savedBytes: 20_000_000,
          driveUrl: 'https://drive.google.com/file/d/abc/view',
        }),
      ],
      answers: {
        cancelDriveSaves: ({ query }: Call) => {
          cancelled.push(query.get('taskId'))
          return { driveSaves: [save(1, { state: 'canceled', waitsFor: null })] }
        },
      },
    })
    await expect.element(within('Saving to Google Drive: 8 MB of 20 MB')).toBeVisible()
    await expect
      .element(page.getByRole('progressbar', { name: '15s Teaser: saving to Google Drive' }))
      .toHaveAttribute('aria-valuenow', '40')
    await expect
      .element(page.getByRole('link', { name: 'scene-2.mp3' }))
      .toHaveAttribute('href', 'https://drive.google.com/file/d/abc/view')
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    await page.getByRole('button', { name: 'Cancel saving: 15s Teaser' }).click()
    await expect.element(within(/^Saving to Google Drive/)).not.toBeInTheDocument()
    expect(cancelled).toEqual([idOf(601)])
  })

  test.each([
    [
      { waitsFor: 'drive', nextAttemptInSeconds: 600, savedBytes: 8_000_000 },
      'Google Drive did not answer, or asked us to wait: 8 MB of 20 MB. The server tries again in about 10 minutes.',
    ],
    [{ waitsFor: 'sign-in' }, 'Please reconnect your Google account first...'],
    [
      {
        state: 'failed',
        waitsFor: null,
        failure: { code: 'drive-full', message: 'Your Google Drive is full. Please make room.' },
      },
      'Your Google Drive is full. Please make room.',
    ],
  ] as const)('LIF-09 says what it waits for, or why it ended: %o', async (more, words) => {
    await open({ saves: [save(1, more)] })
    await expect.element(within(words)).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  })

  test('LIF-09 tries a failed one again', async () => {
    await open({
      saves: [
        save(1, {
          state: 'failed',
          waitsFor: null,
          failure: { code: 'refused', message: 'Google Drive did not take this file.' },
        }),
      ],
      answers: { startDriveSaves: { driveSaves: [save(1)] } },
    })
    await page.getByRole('button', { name: 'Try saving again: 15s Teaser' }).click()
    await expect.element(within('Waits its turn to be saved to Google Drive')).toBeVisible()
  })

  test('LIF-09 shows what is known last without a network', async () => {
    await open({
      network: 'offline',
      saves: [save(1, { state: 'saving', waitsFor: null, savedBytes: 8_000_000 })],
      answers: { listDriveSaves: pending },
    })
    await expect
      .element(within('Saving to Google Drive: 8 MB of 20 MB (as last known)'))
      .toBeVisible()
    await expect
      .element(page.getByRole('button', { name: 'Cancel saving: 15s Teaser' }))
      .toBeDisabled()
  })
})
