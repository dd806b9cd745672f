import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { jobThumbnailKey } from '#src/local/sync/images.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { fakeMediaJob } from '#tests/fakes/fake-rows.ts'
import { done, refused, unreachable, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen, type Screen } from './harness/open-screen.tsx'

const send = page.getByRole('button', { name: 'Send report' })
const RECEIPT = {
  receiptNumber: 'R-2026-7K3M9QXA',
  receivedAt: '2026-11-21T10:00:00.000Z',
  firstLookBy: '2026-11-23T10:00:00.000Z',
  decisionBy: '2026-11-28T10:00:00.000Z',
  isMailed: true,
}
const open = (answers: Answers = {}) => openScreen({ path: '/report', person: null, answers })

async function fill(): Promise<void> {
  await page.getByLabelText('Which video?').fill('The scene at https://example.com/1')
  await page.getByLabelText('Who are you to the video?').selectOptions('I hold rights in it')
  await page.getByLabelText('Why do you report it?').fill('It is mine.')
  await page.getByLabelText('Your e-mail').fill('mara@example.com')
  await page.getByLabelText('Your name, as a signature').fill('Mara Example')
  await page.getByText(/^What I write here is true/).click()
}

async function leaveAndComeBack(screen: Screen): Promise<void> {
  await screen.goTo('/content-policy')
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Content Policy' }))
    .toBeVisible()
  await screen.goTo('/report')
  await expect.element(send).toBeVisible()
}

describe('the report form', () => {
  test('TRU-09 says what is missing, sends once, and shows the number and both clocks', async () => {
    const screen = await open({ createReport: done(201, { report: RECEIPT }) })
    await send.click()
    for (const words of [
      'Please say which video you mean.',
      'Please say why you report it.',
      'Please type your name.',
      'Please tick this box.',
    ])
      await expect.element(page.getByText(words)).toBeVisible()
    expect(screen.server.calls('createReport')).toEqual([])
    await fill()
    await send.click()
    await expect.element(page.getByText('We have received your report')).toBeVisible()
    await expect.element(page.getByText('R-2026-7K3M9QXA')).toBeVisible()
    expect(screen.server.calls('createReport').map(({ body }) => body)).toEqual([
      {
        report: {
          video: 'The scene at https://example.com/1',
          relation: 'rights-holder',
          reason: 'It is mine.',
          signature: 'Mara Example',
          contact: 'mara@example.com',
          isTruthful: true,
        },
        captchaToken: expect.any(String) as string,
      },
    ])
  })

  test('TRU-09 keeps what was typed when sending fails or the page is left, until it is sent', async () => {
    const screen = await open({ createReport: unreachable })
    await fill()
    await send.click()
    await expect.element(page.getByText(/your report may not have arrived/)).toBeVisible()
    screen.server.answer({ createReport: refused(429, 'request/too-many', 'Too many reports.') })
    await send.click()
    await expect.element(page.getByText('Too many reports.')).toBeVisible()
    const reason = page.getByLabelText('Why do you report it?')
    await expect.element(reason).toHaveValue('It is mine.')
    await leaveAndComeBack(screen)
    await expect.element(reason).toHaveValue('It is mine.')
    await page.getByText(/^What I write here is true/).click()
    screen.server.answer({ createReport: done(201, { report: RECEIPT }) })
    await send.click()
    await expect.element(page.getByText('R-2026-7K3M9QXA')).toBeVisible()
    await leaveAndComeBack(screen)
    await expect.element(reason).toHaveValue('')
  })

  test('TRU-09 the content policy tells of reports and holds', async () => {
    await openScreen({ path: '/content-policy', person: null })
    await expect.element(page.getByText(/looks at each report within 48 hours/)).toBeVisible()
    await expect
      .element(page.getByRole('main').getByRole('link', { name: 'Report a video' }))
      .toHaveAttribute('href', '/report')
  })
})

test('TRU-09 a device that learns of a hold drops its picture and says so in neutral words', async () => {
  const job = fakeMediaJob({ name: 'beach day', thumbnailUrl: '/picture' })
  const image = { blob: new Blob(['x'], { type: 'image/jpeg' }), savedAtEpochMs: NOW }
  const screen = await openScreen({
    path: '/edits',
    rows: {
      mediaJobs: [mediaJobToRow(job, NOW - 1)],
      images: [{ key: jobThumbnailKey(job._id), ...image }],
    },
    answers: {
      listMediaJobsPage: {
        mediaJobs: [{ ...job, isHeld: true, thumbnailUrl: null }],
        pagination: { nextCursor: null },
      },
    },
  })
  await expect
    .element(page.getByText('This video is being reviewed and is not available for now.'))
    .toBeVisible()
  await expect.element(page.getByText('beach day')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Show Edits/ })).not.toBeInTheDocument()
  await expect.poll(async () => await screen.db.images.count()).toBe(0)
})
