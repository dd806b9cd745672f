import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { orderToRow } from '#src/local/db/to-rows.ts'
import {
  fakeMediaJob,
  fakeOrder,
  fakeUploadRequest,
  fakeUploadRow,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { FRONT_PAGE, PRESETS } from './harness/creator.ts'
import type { Answers } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

/** The limit of the house; 'good' is below 0.1 (web.dev, Cumulative Layout Shift). */
const STEADY = 0.05

interface LayoutShift extends PerformanceEntry {
  readonly value: number
}

/** Collects what moves without being pushed by the person, from now on. */
function watchShifts() {
  const shifts: LayoutShift[] = []
  const isShift = (entry: PerformanceEntry): entry is LayoutShift => 'value' in entry
  const keep = (entries: PerformanceEntryList) => shifts.push(...entries.filter(isShift))
  const observer = new PerformanceObserver((list) => keep(list.getEntries()))
  observer.observe({ type: 'layout-shift' })
  onTestFinished(() => observer.disconnect())
  return async () => {
    for (let frame = 0; frame < 3; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    keep(observer.takeRecords())
    return shifts.reduce((sum, { value }) => sum + value, 0)
  }
}

/** Answers that come one after the other, when the test says so. */
function inTurns(answers: Answers) {
  const turns = Object.entries(answers).map(([operation, body]) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    return { operation, promise, come: () => resolve(body) }
  })
  return {
    answers: Object.fromEntries(
      turns.map(({ operation, promise }) => [operation, () => promise]),
    ) as Answers,
    come: async () => {
      for (const turn of turns) {
        turn.come()
        for (let frame = 0; frame < 3; frame += 1)
          await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    },
  }
}

async function onScreen(width: number, height: number) {
  await page.viewport(width, height)
  // Letters of another width would move lines when they come.
  await document.fonts.load('1rem "Inter Variable"')
  onTestFinished(() => page.viewport(1280, 800))
}

/** An upload of this device of which the check had nothing to say. */
const checked = fakeUploadRow({
  uploadRequestId: idOf(2),
  state: { kind: 'paused' },
  safeBytes: 1,
  probe: {
    engine: 'mediabunny',
    container: 'MP4',
    mimeType: 'video/mp4',
    sizeBytes: 1000,
    durationMs: 600_000,
    video: null,
    audio: null,
    videoTrackCount: 1,
    audioTrackCount: 1,
    findings: [],
    tookMs: 5,
  },
})
const order = fakeOrder({ lineItems: [] })
const job = fakeMediaJob({ orderIsPlaced: true, orderId: idOf(3) })
const wallet = fakeWallet({
  kind: 'trial',
  expiringLots: [{ coinAmount: 1000, expiresAt: '2026-11-27T09:00:00.000Z' }],
})

describe.each([
  ['a phone', 360, 740],
  ['a computer', 1280, 800],
])('on %s that knows nothing yet', (_name, width, height) => {
  test('nothing moves while the screen of a new upload is filled', async () => {
    await onScreen(width, height)
    const turns = inTurns({
      listWallets: { wallets: [wallet] },
      listPresets: { mediaJobTaskPresets: [...PRESETS] },
      listUploadRequests: {
        uploadRequests: [fakeUploadRequest()],
        pagination: { nextCursor: null },
      },
    })
    const shifted = watchShifts()
    await openScreen({ path: '/uploads/new', isNewDevice: true, answers: turns.answers })
    await expect.element(page.getByRole('status', { name: 'Loading your uploads' })).toBeVisible()
    await turns.come()
    await expect.element(page.getByText(/^You have 1,000 tokens to spend/)).toBeVisible()
    expect(await shifted()).toBeLessThan(STEADY)
  })

  test('nothing moves while an order is read', async () => {
    await onScreen(width, height)
    const turns = inTurns({
      getOrder: { order },
      listOrderMediaJobs: { mediaJobs: [{ ...job, uploadRequest: fakeUploadRequest() }] },
      getMediaJob: { mediaJob: job },
      listWallets: { wallets: [wallet] },
    })
    const shifted = watchShifts()
    await openScreen({
      path: `/uploads/orders/${idOf(3)}/checkout`,
      isNewDevice: true,
      answers: turns.answers,
    })
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await turns.come()
    await expect.element(page.getByRole('button', { name: /^Pay & Complete/ })).toBeVisible()
    expect(await shifted()).toBeLessThan(STEADY)
  })
})

test('nothing moves while edits are chosen for an upload of this device', async () => {
  await onScreen(1280, 800)
  const turns = inTurns({
    listPresets: { mediaJobTaskPresets: [...PRESETS] },
    listWallets: { wallets: [wallet] },
  })
  const shifted = watchShifts()
  await openScreen({
    path: `/uploads/${idOf(2)}/media-jobs/new`,
    rows: {
      uploads: [checked],
      orders: [orderToRow(order, NOW)],
    },
    answers: turns.answers,
  })
  await expect.element(page.getByRole('region', { name: /scene|beach|video/ })).toBeVisible()
  await turns.come()
  await expect.element(page.getByRole('button', { name: 'Submit for Editing' })).toBeVisible()
  expect(await shifted()).toBeLessThan(STEADY)
})

describe('the front page', () => {
  const openFront = async (width: number, height: number) => {
    await onScreen(width, height)
    // By a link: opened by its address it begins where a visit before it has left it.
    await openScreen({
      path: '/nowhere',
      person: null,
      answers: { getFrontPage: { frontPage: FRONT_PAGE } },
    })
    await page.getByRole('link', { name: 'Go back home' }).click()
    await expect
      .element(page.getByRole('heading', { name: 'Create more, edit less' }))
      .toBeVisible()
    onTestFinished(() => window.scrollTo(0, 0))
  }
  const drawn = async () => {
    for (let frame = 0; frame < 3; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  /** Where each heading stands in the document, in whole pixels. */
  const places = () =>
    [...document.querySelectorAll('main h2')].map((heading) =>
      Math.round(heading.getBoundingClientRect().top + window.scrollY),
    )

  test.each([
    [360, 780],
    [1440, 900],
  ] as const)('LND-06 stands still while it is scrolled at %i px', async (width, height) => {
    await openFront(width, height)
    // Also before the browser had an idle moment: the first step lays out what is left.
    window.scrollTo({ top: 1, behavior: 'instant' })
    await drawn()
    const shiftsOf = watchShifts()
    const before = places()
    expect(before).toHaveLength(7)
    const endAt = document.documentElement.scrollHeight
    for (let top = 0; top < endAt; top += height) {
      window.scrollTo({ top, behavior: 'instant' })
      await drawn()
      expect([top, ...places()]).toEqual([top, ...before])
    }
    expect(document.documentElement.scrollHeight).toBe(endAt)
    expect(await shiftsOf()).toBeLessThan(STEADY)
  })

  const late = () =>
    [...document.querySelectorAll('.laid-out-late')].map(
      (section) => getComputedStyle(section).contentVisibility,
    )
  const allVisible = Array.from({ length: 6 }, () => 'visible')

  test('LND-06 hears a scroll that comes in the moment in which it is there', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>()
    const watching = new MutationObserver(() => {
      if (document.querySelector('#closing') === null) return
      watching.disconnect()
      window.dispatchEvent(new Event('scroll'))
      resolve(late())
    })
    watching.observe(document.body, { childList: true, subtree: true })
    onTestFinished(() => watching.disconnect())
    await openFront(360, 780)
    expect(await promise).toEqual(allVisible)
  })

  test('LND-06 is laid out whole without being scrolled, a while after its first screen', async () => {
    await openFront(360, 780)
    await expect.poll(late).toEqual(allVisible)
    expect(window.scrollY).toBe(0)
  })
})

describe('where choosing edits begins', () => {
  const open = () =>
    openScreen({
      path: `/uploads/${idOf(2)}/media-jobs/new`,
      rows: { uploads: [checked] },
    })
  const bar = () =>
    page.getByRole('button', { name: 'Submit for Editing' }).element().getBoundingClientRect()

  test('at 360 x 740 the first format is on the first screen', async () => {
    await onScreen(360, 740)
    await open()
    const [preset] = PRESETS
    const card = page.getByRole('heading', { name: preset?.name ?? '', exact: true })
    await expect.element(card).toBeVisible()
    expect(card.element().getBoundingClientRect().bottom).toBeLessThan(740)
  })

  test('at 740 x 360 neither header nor sum takes room from the formats', async () => {
    await onScreen(740, 360)
    await open()
    await expect.element(page.getByRole('button', { name: 'Submit for Editing' })).toBeVisible()
    expect(bar().top).toBeGreaterThan(360)
    expect(getComputedStyle(document.querySelector('header') ?? document.body).position).toBe(
      'static',
    )
  })
})

describe('under forced colours', () => {
  /** Vitest leaves the type of the session to its provider. */
  interface DevTools {
    send(method: string, params: unknown): Promise<unknown>
  }
  const devTools = () => cdp() as unknown as DevTools
  const emulate = (value: 'active' | 'none') =>
    devTools().send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value }] })
  afterEach(() => emulate('none'))
  const backgroundOf = (element: Element | null) =>
    element === null ? null : getComputedStyle(element).backgroundColor

  test('bars, steps, tabs and buttons are drawn', async () => {
    await emulate('active')
    await openScreen({
      path: `/uploads/${idOf(2)}/media-jobs/new`,
      rows: {
        uploads: [checked],
      },
    })
    const submit = page.getByRole('button', { name: 'Submit for Editing' })
    await expect.element(submit).toBeVisible()
    const canvas = backgroundOf(document.body)
    const drawn = [
      '[role=progressbar] [data-tone]',
      '[aria-current=step] > :first-child',
      '[role=tab][data-selected]',
    ]
    await expect
      .poll(() => drawn.filter((selector) => document.querySelector(selector) === null))
      .toEqual([])
    expect(
      drawn.filter((selector) => backgroundOf(document.querySelector(selector)) === canvas),
    ).toEqual([])
    const [other, selected] = [false, true].map((is) =>
      backgroundOf(document.querySelector(`[role=tab][aria-selected=${is}]`)),
    )
    expect(selected).not.toBe(other)
    for (const button of page.getByRole('button').elements())
      expect([button.textContent, getComputedStyle(button).borderStyle]).not.toContain('none')
  })
})
