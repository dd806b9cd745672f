import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { fakeMediaJob, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { answersFor, CREATOR } from './harness/creator.ts'
import { pageOfAnother, refused, unreachable } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import { fakeTask } from './harness/things.ts'

const HOUR_MS = 3_600_000
const job = (name: string) =>
  fakeMediaJob({ _id: idOf(1), name, tasks: [fakeTask()], progressRatio: 1 })
const KEPT = { mediaJobs: [mediaJobToRow(job('as it was'), NOW - HOUR_MS)] }
const FRESH = { mediaJobs: [job('as it is')], pagination: { nextCursor: null } }
const names = page.getByRole('heading', { level: 2 })
const bar = (text: RegExp) => page.getByRole('status').filter({ hasText: text })
const PORTAL = /^This network wants you to sign in first\. /

describe('what keeps the screens from the server', () => {
  test('SAF-07 in a captive portal the page says so, leads to its sign-in, and shows what it has', async () => {
    await openScreen({ path: '/edits', rows: KEPT, network: 'portal' })
    await expect.element(bar(PORTAL)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Open its sign-in page' }))
      .toHaveAttribute('href', '/editors/api/v1/capabilities')
    await expect.element(names).toHaveTextContent('as it was')
    await expect.element(page.getByText(/^As of 9:00 AM\./)).toBeVisible()
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
    await expect.element(page.getByText('Not Onecut')).not.toBeInTheDocument()
  })

  test('SAF-07 the page is right again by itself after the end of a portal', async () => {
    const screen = await openScreen({
      path: '/edits',
      rows: KEPT,
      network: 'portal',
      answers: { listMediaJobsPage: FRESH },
    })
    await expect.element(bar(PORTAL)).toBeVisible()
    screen.setNetwork('online')
    await screen.letTimePassUntil(page.getByText('as it is'))
    await expect.element(bar(PORTAL)).not.toBeInTheDocument()
    await expect.element(page.getByText(/^As of/)).not.toBeInTheDocument()
  })

  test('SAF-07 with nothing to show, the screen says what keeps it from the server, and it ends by itself', async () => {
    const screen = await openScreen({
      path: '/edits',
      network: 'portal',
      answers: { listMediaJobsPage: FRESH },
    })
    const said = page.getByText(/^What belongs here is not on this device yet\. Sign in/)
    await expect.element(said).toBeVisible()
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
    await expect.element(page.getByText('Error loading edits')).not.toBeInTheDocument()
    screen.setNetwork('online')
    await screen.letTimePassUntil(page.getByText('as it is'))
    await expect.element(said).not.toBeInTheDocument()
  })

  test('SAF-07 an upload that waits makes the page find out what the outage is', async () => {
    const screen = await openScreen({ path: '/edits', rows: { uploads: [fakeUploadRow()] } })
    await expect.element(page.getByText('Your edits will be here')).toBeVisible()
    screen.setNetwork('portal')
    await screen.db.uploads.toCollection().modify({
      state: {
        kind: 'waiting',
        wait: { reason: 'server', retryAtEpochMs: NOW + HOUR_MS, attempt: 1 },
      },
    })
    await screen.letTimePassUntil(bar(PORTAL))
    await expect.element(page.getByText('Your edits will be here')).toBeVisible()
  })

  test('SAF-07 a gateway without its server is no captive portal', async () => {
    const screen = await openScreen({ path: '/edits', rows: KEPT, network: 'gateway-broken' })
    await screen.letTimePassUntil(
      bar(/^The server cannot be reached right now\. .* as of 9:00 AM$/),
    )
    // The bar names the time that the page names, and none of its own.
    await expect.element(page.getByText(/^As of 9:00 AM\./)).toBeVisible()
    await expect.element(names).toHaveTextContent('as it was')
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  test('SAF-07 offline, a list that is only not fresh is no failure', async () => {
    await openScreen({ path: '/edits', rows: KEPT, network: 'offline' })
    await expect.element(bar(/^Offline\. /)).toBeVisible()
    await expect.element(page.getByText(/^As of 9:00 AM\./)).toBeVisible()
    await expect.element(page.getByText('Error loading edits')).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Try Again' })).not.toBeInTheDocument()
  })

  test('SAF-01 a 404 of a gateway removes nothing and is not shown as the word of the server', async () => {
    const screen = await openScreen({
      path: `/uploads/media-jobs/${idOf(1)}/status`,
      rows: KEPT,
      answers: { getMediaJob: pageOfAnother(404), listMediaJobOrders: pageOfAnother(404) },
    })
    await screen.letTimePassUntil(page.getByText('Unable to fetch media job orders'))
    await expect.element(page.getByText('Job not found')).not.toBeInTheDocument()
    await expect
      .element(page.getByText(/There was a problem creating your order/))
      .not.toBeInTheDocument()
    expect(await screen.db.mediaJobs.count()).toBe(1)
  })
})

describe('a 401', () => {
  const signedOut = refused(401, 'auth/signed-out', 'Please log in.')
  const again = page.getByText('Please log in again')

  test.each([
    ['of a gateway', pageOfAnother(401)],
    ['that the server takes back', signedOut],
  ])('SAF-07 %s ends no session, and the list comes by itself', async (_what, stray) => {
    const screen = await openScreen({
      path: '/edits',
      rows: KEPT,
      answers: { listMediaJobsPage: stray },
    })
    await screen.letTimePassUntil(bar(/^The server cannot be reached right now\./))
    await expect.element(again).not.toBeInTheDocument()
    screen.server.answer({ listMediaJobsPage: FRESH })
    await screen.letTimePassUntil(page.getByText('as it is'))
    expect(screen.local.session.current().kind).toBe('signed-in')
  })

  test('SAF-07 that the server confirms asks for a log-in; the page returns when it accepts again', async () => {
    const screen = await openScreen({
      path: '/edits',
      answers: {
        listMediaJobsPage: signedOut,
        getCurrentUser: signedOut,
        listWallets: unreachable,
      },
    })
    await expect.element(again).toBeVisible()
    const { getCurrentUser, listWallets } = answersFor(CREATOR)
    screen.server.answer({
      listMediaJobsPage: FRESH,
      ...(getCurrentUser === undefined ? {} : { getCurrentUser }),
      ...(listWallets === undefined ? {} : { listWallets }),
    })
    window.dispatchEvent(new Event('focus'))
    await expect.element(names).toHaveTextContent('as it is')
    await expect.element(again).not.toBeInTheDocument()
  })
})
