import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import type { OutboxRow, SubmitEditsIntent } from '#src/local/db/rows.ts'
import {
  fakeMediaJob,
  fakeOrder,
  fakePaymentIntent,
  fakeUploadRequest,
  fakeUploadRow,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { answersFor, CAPABILITIES, CREATOR } from './harness/creator.ts'
import { fakePushes } from './harness/fake-pushes.ts'
import {
  done,
  pending,
  refused,
  tooMany,
  unreachable,
  type Answers,
  type FakeServer,
} from './harness/fake-server.ts'
import { NOW, openScreen, type Rows, type Screen } from './harness/open-screen.tsx'
import { watchForWords } from './harness/seen-words.ts'
import { fakeOutput, fakeTask } from './harness/things.ts'

type Schemas = components['schemas']

const CHECKOUT = `/uploads/orders/${idOf(3)}/checkout`
const STATUS = `/uploads/media-jobs/${idOf(1)}/status`
const lineItem: Schemas['LineItem'] = {
  _id: idOf(40),
  orderedProductVariant: {
    productSlug: 'media-job-task',
    description: '15s Teaser',
    mediaJobTaskPresetSlug: 'teaser-15s',
  },
  pricing: {
    pricingStrategySlug: 'per-unit',
    quantity: 1,
    usage: null,
    pricingStrategy: { pricingStrategySlug: 'per-unit', coinAmountPerUnit: 300 },
  },
  totalCoinAmount: 300,
}
const order = (changes: Partial<Schemas['Order']> = {}): Schemas['Order'] =>
  fakeOrder({ lineItems: [lineItem], ...changes })
const job = (changes: Partial<Schemas['MediaJob']> = {}): Schemas['MediaJob'] =>
  fakeMediaJob({ orderIsPlaced: true, orderId: idOf(3), tasks: [fakeTask()], ...changes })
/** A server with one order of one job and one wallet. */
const answers = (theOrder = order(), theJob = job(), wallet = fakeWallet()): Answers => ({
  getOrder: { order: theOrder },
  getMediaJob: { mediaJob: theJob },
  listOrderMediaJobs: { mediaJobs: [{ ...theJob, uploadRequest: fakeUploadRequest() }] },
  listMediaJobOrders: { orders: [theOrder] },
  listWallets: { wallets: [wallet] },
  getUploadRequestMetadata: {
    uploadRequest: fakeUploadRequest({ metadataProcessedAt: '2026-11-21T09:59:00.000Z' }),
  },
})
/** The payment succeeds; from then on the server knows the order and the wallet after it. */
const paysTo = (
  server: () => FakeServer,
  after: Schemas['Order'],
  wallet: Schemas['Wallet'],
): Answers => ({
  payOrderWithTokens: () => {
    server().answer(answers(after, job(), wallet))
    return { order: after, wallet }
  },
})
const rows = (theOrder = order(), theJob = job(), wallet = fakeWallet()): Rows => ({
  orders: [orderToRow(theOrder, NOW)],
  mediaJobs: [mediaJobToRow(theJob, NOW)],
  wallets: [wallets.toRow(wallet, NOW)],
})
/** By the beginning of its name: what a button pays stands at its end. */
const button = (name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name.replaceAll(/[$.]/g, '\\$&')}`) })
const paid = order({
  isFullyPaid: true,
  status: 'paid',
  remainingPayableCoinAmount: 0,
  paidTotalCoinAmount: 300,
})
const lighter = fakeWallet({ spendableCoinAmount: 700, coinBalance: 700 })

describe('the order on the checkout', () => {
  test('ORD-07 shows the order of this device before the server answers', async () => {
    await openScreen({
      path: CHECKOUT,
      rows: rows(),
      answers: { ...answers(), getOrder: pending },
    })
    await expect.element(page.getByRole('button', { name: /^Pay .* 300 tokens/ })).toBeVisible()
    await expect.element(page.getByText('15s Teaser')).toBeVisible()
  })

  test('SRC-04 says before the payment that an edit shows a VR180 video flat', async () => {
    const vr180 = job({ videoImmersive: { kind: 'VR180', isDouble: true, isKept: true } })
    await openScreen({
      path: CHECKOUT,
      rows: rows(order(), vr180),
      answers: answers(order(), vr180),
    })
    await expect
      .element(page.getByText('Shows the flat double picture of this VR180 video, with both eyes.'))
      .toBeVisible()
  })

  test('ORD-07 calls without an answer leave what this device has, and bring no toast', async () => {
    const screen = await openScreen({ path: CHECKOUT, rows: rows(), network: 'portal' })
    await expect
      .element(page.getByRole('status').filter({ hasText: /^This network wants you to sign in/ }))
      .toBeVisible()
    await expect.poll(() => screen.server.calls('getOrder')).not.toEqual([])
    await expect.element(page.getByText('15s Teaser')).toBeVisible()
    const messages = page.getByRole('region', { name: 'Messages' })
    expect(messages.element().textContent).toBe('')
    expect(page.getByText(/^Unable to fetch/).elements()).toEqual([])
  })

  test("ORD-07 'Unable to fetch order' says why and tries again", async () => {
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      answers: { ...answers(), getOrder: refused(422, 'request/invalid', 'No orders today.') },
    })
    await expect.element(page.getByText('Unable to fetch order')).toBeVisible()
    await expect.element(page.getByText('No orders today.')).toBeVisible()
    screen.server.answer(answers())
    await button('Try Again').click()
    await expect.element(page.getByRole('button', { name: /^Pay .* 300 tokens/ })).toBeVisible()
  })

  test("ORD-07 says 'Order not found' of an order that is not there", async () => {
    await openScreen({
      path: CHECKOUT,
      answers: {
        getOrder: refused(404, 'orders/not-found'),
        listOrderMediaJobs: refused(404, 'orders/not-found'),
      },
    })
    await expect.element(page.getByText('Order not found')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'View All Edits' }))
      .toHaveAttribute('href', '/edits')
  })

  test('ORD-07 a cancelled order says so and leads back to the choice', async () => {
    await openScreen({ path: CHECKOUT, answers: answers(order({ status: 'canceled' })) })
    await expect.element(page.getByText('This order was cancelled')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Choose edits again' }))
      .toHaveAttribute('href', `/uploads/${idOf(2)}/media-jobs/new`)
  })

  test('JOB-04 a length that the server measured otherwise is said before the payment', async () => {
    const byMinute: Schemas['LineItem'] = {
      ...lineItem,
      pricing: {
        pricingStrategySlug: 'usage-based',
        quantity: 1,
        usage: 2,
        pricingStrategy: {
          pricingStrategySlug: 'usage-based',
          coinAmountPerUsageUnit: 20,
          usageUnit: 'source-video-minutes',
        },
      },
      totalCoinAmount: 40,
    }
    const priced = order({
      lineItems: [byMinute],
      lineItemsTotalCoinAmount: 40,
      remainingPayableCoinAmount: 40,
    })
    const upload = fakeUploadRow({
      uploadRequestId: idOf(2),
      state: { kind: 'done', doneAtEpochMs: NOW },
      probe: {
        engine: 'mediabunny',
        container: 'MP4',
        mimeType: 'video/mp4',
        sizeBytes: 1000,
        durationMs: 59_000,
        video: null,
        audio: null,
        videoTrackCount: 1,
        audioTrackCount: 0,
        findings: [],
        tookMs: 1,
      },
    })
    await openScreen({
      path: CHECKOUT,
      rows: { ...rows(priced), uploads: [upload] },
      answers: answers(priced),
    })
    await expect.element(page.getByText('The price is 40 tokens, not 20 tokens')).toBeVisible()
    await expect.element(page.getByText(/2 min .* 1 min /)).toBeVisible()
  })
})

describe('paying', () => {
  test('ORD-08 pays the whole order once, however often the button is pressed', async () => {
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: rows(),
      answers: { ...answers(), ...paysTo(() => screen.server, paid, lighter) },
    })
    await expect.element(page.getByRole('button', { name: /^Pay .* 300 tokens/ })).toBeVisible()
    await button('Pay & Complete Order').dblClick()
    await expect.element(page.getByText(/Payment successful$/)).toBeVisible()
    await expect.element(page.getByText(/Order is fully paid!/)).toBeVisible()
    const calls = screen.server.calls('payOrderWithTokens')
    expect(calls[0]?.body).toEqual({
      walletCoinTransaction: {
        walletId: idOf(4),
        coinAmount: 300,
        remainingPayableCoinAmount: 300,
      },
      idempotencyKey: calls[0]?.idempotencyKey,
    })
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(1)
  })

  test('ORD-10 says what is left when the wallet cannot cover all, and what to do about it', async () => {
    const dear = order({ lineItemsTotalCoinAmount: 1150, remainingPayableCoinAmount: 1150 })
    const partly = order({
      lineItemsTotalCoinAmount: 1150,
      paidTotalCoinAmount: 1000,
      remainingPayableCoinAmount: 150,
      hasPaidWalletCoinTransactions: true,
    })
    const empty = fakeWallet({ spendableCoinAmount: 0, coinBalance: 0 })
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: rows(dear),
      answers: {
        ...answers(dear),
        ...paysTo(() => screen.server, partly, empty),
        cancelOrder: { order: order({ status: 'canceled' }) },
        // The step of the edits, where a cancelled order leads.
        getUploadRequest: { uploadRequest: fakeUploadRequest() },
      },
    })
    await expect.element(page.getByText('Pay 1,000 now, 150 left')).toBeVisible()
    await button('Make Partial Payment').click()
    await expect.element(page.getByText(/^You have no tokens to spend\./)).toBeVisible()
    await expect.element(button('Pay & Complete Order')).toBeDisabled()
    await expect.element(button('Change Requested Edits')).toBeDisabled()
    screen.server.answer(answers(order({ status: 'canceled' })))
    await button('Cancel order').click()
    await expect
      .element(page.getByText(/Order cancelled\. 1,000 tokens returned to your wallet\.$/))
      .toBeVisible()
    expect(screen.server.calls('cancelOrder')).toHaveLength(1)
  })

  test('ORD-05 a payment without an answer is never sent as a new one', async () => {
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: rows(),
      answers: { ...answers(), payOrderWithTokens: unreachable },
    })
    await button('Pay & Complete Order').click()
    const check = button('Finish payment')
    await screen.letTimePassUntil(check)
    await expect.element(page.getByText(/do not know yet whether/)).toBeVisible()
    screen.server.answer(paysTo(() => screen.server, paid, lighter))
    await check.click()
    await expect.element(page.getByText(/Order is fully paid!/)).toBeVisible()
    const keys = screen.server.calls('payOrderWithTokens').map((call) => call.idempotencyKey)
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
  })

  test('ORD-05 a payment that a reload interrupted is still known', async () => {
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: {
        ...rows(),
        paymentIntents: [fakePaymentIntent(300)],
      },
      answers: { ...answers(), ...paysTo(() => screen.server, paid, lighter) },
    })
    await expect.element(page.getByText('An earlier payment was not confirmed')).toBeVisible()
    await expect.element(button('Pay & Complete Order')).toBeDisabled()
    await button('Finish payment').click()
    await expect.element(page.getByText(/Order is fully paid!/)).toBeVisible()
  })

  test('ORD-05 a payment of an order that was changed since is settled by itself, and never paid', async () => {
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: {
        ...rows(),
        paymentIntents: [fakePaymentIntent(150)],
      },
      answers: {
        ...answers(),
        payOrderWithTokens: refused(409, 'orders/changed', 'This order has changed.'),
      },
    })
    await expect.element(button('Pay & Complete Order')).toBeEnabled()
    await expect
      .element(page.getByText('An earlier payment was not confirmed'))
      .not.toBeInTheDocument()
    expect(screen.server.calls('payOrderWithTokens').map(({ body }) => body)).toEqual([
      {
        walletCoinTransaction: {
          walletId: idOf(4),
          coinAmount: 150,
          remainingPayableCoinAmount: 150,
        },
        idempotencyKey: 'key-1',
      },
    ])
  })

  test('ORD-05 ORD-10 says that nothing was charged only where the server refused the payment, and its words', async () => {
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: rows(),
      answers: {
        ...answers(),
        payOrderWithTokens: refused(402, 'payments/insufficient-tokens', 'Not enough tokens.'),
      },
    })
    await button('Pay & Complete Order').click()
    await expect.element(page.getByText('Not enough tokens.')).toBeVisible()
    await expect.element(page.getByText(/Nothing was charged|not charged/)).toBeVisible()
    expect(screen.server.calls('payOrderWithTokens')).toHaveLength(1)
  })

  test('APP-15 a message stands top right, below the header', async () => {
    await openScreen({ path: CHECKOUT, rows: rows(), answers: answers() })
    await button('Refresh Tokens').click()
    const message = page.getByText(/Wallet balances updated$/)
    await expect.element(message).toBeVisible()
    const { left, right, top } = message.element().getBoundingClientRect()
    expect(left).toBeGreaterThan(innerWidth / 2)
    expect(right).toBeLessThanOrEqual(innerWidth)
    expect(top).toBeGreaterThan(0)
    expect(top).toBeLessThan(innerHeight / 4)
  })

  test('ORD-10 Refresh Tokens reads the wallets again, and says whether that worked', async () => {
    const screen: Screen = await openScreen({ path: CHECKOUT, rows: rows(), answers: answers() })
    screen.server.answer({ listWallets: { wallets: [lighter] } })
    await button('Refresh Tokens').click()
    await expect.element(page.getByText(/Wallet balances updated$/)).toBeVisible()
    await expect.element(page.getByText('700 tokens').first()).toBeVisible()
    screen.server.answer({ listWallets: refused(422, 'request/invalid', 'No wallets today.') })
    await button('Refresh Tokens').click()
    await expect.element(page.getByText(/No wallets today\.$/)).toBeVisible()
  })

  test("ORD-08 'Failed to refresh wallet balances' where the server does not answer", async () => {
    const screen: Screen = await openScreen({ path: CHECKOUT, rows: rows(), answers: answers() })
    await expect.element(button('Refresh Tokens')).toBeVisible()
    screen.server.answer({ listWallets: unreachable })
    await button('Refresh Tokens').click()
    // The client tries three times more by itself.
    await screen.letTimePassUntil(page.getByText(/Failed to refresh wallet balances$/))
    expect(screen.server.calls('listWallets').length).toBeGreaterThan(3)
  })

  test("ORD-10 'Failed to fetch wallets' where none are known", async () => {
    await openScreen({
      path: CHECKOUT,
      answers: { ...answers(), listWallets: refused(422, 'request/invalid') },
    })
    await expect.element(page.getByText('Failed to fetch wallets')).toBeVisible()
  })

  test('JOB-03 Change Requested Edits keeps what was asked for', async () => {
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: rows(),
      answers: { ...answers(), getUploadRequest: { uploadRequest: fakeUploadRequest() } },
    })
    await button('Change Requested Edits').click()
    await expect.element(page.getByText(/^1 edit · 300 tokens$/)).toBeVisible()
    expect(screen.path()).toBe(`/uploads/${idOf(2)}/media-jobs/new`)
  })
})

describe('the work after the payment', () => {
  test('JOB-09 shows the work in place until the edits can be downloaded', async () => {
    const working = job({
      isMediaWorkflowStarted: true,
      isUploadRequestCompleted: true,
      progressRatio: 0.4,
    })
    const receipted = { ...paid, hasPaidWalletCoinTransactions: true }
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: rows(receipted, working),
      answers: answers(receipted, working),
    })
    await expect.element(page.getByText('40% Processed').first()).toBeVisible()
    // This server keeps its mails in its own mailbox.
    await expect
      .element(page.getByText(/^You can close this page .* Your library shows it\.$/))
      .toBeVisible()
    const finished = job({
      isMediaWorkflowStarted: true,
      progressRatio: 1,
      tasks: [fakeTask({ status: 'succeeded', outputs: [fakeOutput()] })],
    })
    await screen.db.mediaJobs.put(mediaJobToRow(finished, NOW + 1))
    await expect.element(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Download all stills (ZIP)' }))
      .toBeVisible()
    const heightOf = (name: string) =>
      page.getByRole('link', { name }).element().getBoundingClientRect().height
    expect(heightOf('Receipt')).toBe(heightOf('View All Edits'))
  })

  test('WAY-02 JOB-09 promises a mail where the server sends mails', async () => {
    const working = job({
      isMediaWorkflowStarted: true,
      isUploadRequestCompleted: true,
      progressRatio: 0.4,
    })
    const mail = { mode: 'smtp' as const, localMailboxUrl: null }
    await openScreen({
      path: CHECKOUT,
      rows: rows(paid, working),
      answers: {
        ...answers(paid, working),
        getCapabilities: { capabilities: { ...CAPABILITIES, mail } },
      },
    })
    await expect
      .element(page.getByText(/^You can close this page .* We send you a mail when they are ready/))
      .toBeVisible()
  })

  test('PHO-02 a paid order offers to tell this device, and says then that it does', async () => {
    fakePushes()
    const working = job({
      isMediaWorkflowStarted: true,
      isUploadRequestCompleted: true,
      progressRatio: 0.4,
    })
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: rows(paid, working),
      answers: {
        ...answers(paid, working),
        getCapabilities: { capabilities: { ...CAPABILITIES, pushKey: 'key' } },
        savePushSubscription: done(),
        markNoticesSeen: done(),
      },
    })
    await page.getByRole('button', { name: 'Tell me on this device when they are ready' }).click()
    await expect.element(page.getByText(/We tell this device when they are ready/)).toBeVisible()
    expect(screen.server.calls('savePushSubscription').length).toBeGreaterThan(0)
    await expect
      .element(page.getByRole('button', { name: /Tell me on this device/ }))
      .not.toBeInTheDocument()
  })

  test('REC-25 says the place in the queue while none of its edits is made', async () => {
    const waiting = job({ isMediaWorkflowStarted: true, isUploadRequestCompleted: true })
    const forecast = (editsAhead: number): Answers => ({
      getMediaJobForecast: { forecast: { remainingMs: 1_500_000, editsAhead, review: null } },
    })
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      answers: { ...answers(paid, waiting), ...forecast(3) },
    })
    await expect.element(page.getByText('3 edits are before yours', { exact: true })).toBeVisible()
    await expect.element(page.getByText('about 25 minutes remaining')).toBeVisible()
    // The page asks again by itself each 20 s, and at once when it is looked at again.
    const lookAgain = () => window.dispatchEvent(new Event('visibilitychange'))
    screen.server.answer(forecast(1))
    lookAgain()
    await expect.element(page.getByText('1 edit is before yours', { exact: true })).toBeVisible()
    screen.server.answer(forecast(0))
    const next = page.getByText('Your edits are next', { exact: true })
    lookAgain()
    await expect.element(next).toBeVisible()
    const begun = job({
      isMediaWorkflowStarted: true,
      isUploadRequestCompleted: true,
      tasks: [fakeTask({ status: 'started' })],
    })
    await screen.db.mediaJobs.put(mediaJobToRow(begun, NOW + 1))
    await expect.element(next).not.toBeInTheDocument()
  })

  test.each([
    ['searching', 300_000, 'Ready for your review in about 5 minutes, then about 10 minutes more.'],
    ['waiting', 0, 'Ready about 10 minutes after your review.'],
  ] as const)(
    'REC-25 REC-18 while the review of faces is %s it says what comes when',
    async (state, inMs, words) => {
      await page.viewport(360, 740)
      onTestFinished(() => page.viewport(1280, 800))
      const reviewed = job({
        isMediaWorkflowStarted: true,
        isUploadRequestCompleted: true,
        isUploadRequestValidated: true,
        tasks: [fakeTask({ status: 'created', review: { state, until: null } })],
      })
      const review = { inMs, thenMs: 720_000, othersMs: null }
      const editsAhead = state === 'searching' ? 0 : null
      await openScreen({
        path: CHECKOUT,
        answers: {
          ...answers(paid, reviewed),
          getMediaJobForecast: { forecast: { remainingMs: null, editsAhead, review } },
        },
      })
      await expect.element(page.getByText(words)).toBeVisible()
      expect(page.getByText('Your edits are next').elements()).toHaveLength(
        state === 'searching' ? 1 : 0,
      )
      const needsYou = 'First we look for faces. Then you decide who is covered'
      expect(page.getByText(needsYou, { exact: false }).elements()).toHaveLength(
        state === 'searching' ? 1 : 0,
      )
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    },
  )

  test('ORD-09 is Complete once the whole upload has arrived and is checked, on every device', async () => {
    const receiving = job()
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      rows: rows(paid, receiving),
      answers: answers(paid, receiving),
    })
    const state = page.getByText(/^Payment: /)
    await expect.element(state).toHaveTextContent('Payment: Upload Processing')
    const received = job({ isUploadRequestCompleted: true })
    await screen.db.mediaJobs.put(mediaJobToRow(received, NOW + 1))
    await expect.element(page.getByText('Checking the video')).toBeVisible()
    await expect.element(state).toHaveTextContent('Payment: Upload Processing')
    const checked = job({ isUploadRequestCompleted: true, isUploadRequestValidated: true })
    await screen.db.mediaJobs.put(mediaJobToRow(checked, NOW + 2))
    await expect.element(state).toHaveTextContent('Payment: Complete')
  })

  test('ORD-09 a device that has not begun to send says Upload Processing', async () => {
    const upload = fakeUploadRow({ uploadRequestId: idOf(2), safeBytes: 0 })
    await openScreen({
      path: CHECKOUT,
      rows: { ...rows(paid), uploads: [upload] },
      answers: answers(paid),
    })
    await expect.element(page.getByText('Payment: Upload Processing')).toBeVisible()
  })

  test('JOB-10 an edit that failed says so and that its tokens were returned', async () => {
    const failed = job({
      isMediaWorkflowFailed: true,
      progressRatio: 1,
      tasks: [fakeTask({ status: 'failed', refundedCoinAmount: 300 })],
    })
    await openScreen({ path: CHECKOUT, rows: rows(paid, failed), answers: answers(paid, failed) })
    await expect.element(page.getByText('Processing Failed').first()).toBeVisible()
    await expect.element(page.getByText('300 tokens returned to your wallet.')).toBeVisible()
    await expect.element(button('Try again: 15s Teaser')).toBeVisible()
  })
})

describe('the status of a job that nothing is being prepared for', () => {
  const withoutOrder = job({ orderIsPlaced: false, orderId: null })
  const none: Answers = {
    ...answers(order(), withoutOrder),
    listMediaJobOrders: { orders: [] },
  }
  const noOrder = page.getByText('There was a problem creating your order. Please try again.')

  test("ORD-07 'Unable to fetch media job orders' is not taken for 'no order'", async () => {
    const screen = await openScreen({
      path: STATUS,
      answers: { ...answers(), listMediaJobOrders: refused(422, 'request/invalid', 'Not now.') },
    })
    await expect.element(page.getByText('Unable to fetch media job orders')).toBeVisible()
    await expect.element(page.getByText('Not now.')).toBeVisible()
    expect(noOrder.elements()).toEqual([])
    screen.server.answer(answers(paid))
    await button('Try Again').click()
    await expect.element(page.getByText(/Order is fully paid!/)).toBeVisible()
  })

  test("ORD-07 a refused list beside a cancelled order of this device is not 'no order'", async () => {
    const screen = await openScreen({
      path: STATUS,
      rows: rows(order({ status: 'canceled' })),
      answers: { ...answers(), listMediaJobOrders: refused(422, 'request/invalid', 'Not now.') },
    })
    await expect.element(page.getByText('Unable to fetch media job orders')).toBeVisible()
    expect(noOrder.elements()).toEqual([])
    expect(screen.path()).toBe(STATUS)
  })

  test("ORD-07 a list that is not found beside a job that is there is not 'no order'", async () => {
    await openScreen({
      path: STATUS,
      answers: { ...answers(), listMediaJobOrders: refused(404, 'media-jobs/not-found') },
    })
    await expect.element(page.getByText('Unable to fetch media job orders')).toBeVisible()
    expect(noOrder.elements()).toEqual([])
  })

  test('ORD-07 leads to the order that was cancelled, when there is no other', async () => {
    const screen = await openScreen({
      path: STATUS,
      answers: answers(order({ status: 'canceled' }), withoutOrder),
    })
    await expect.element(page.getByText('This order was cancelled')).toBeVisible()
    expect(screen.path()).toBe(CHECKOUT)
  })

  test('JOB-06 Try again orders the same edits, so that there is never a second order', async () => {
    const screen = await openScreen({
      path: STATUS,
      answers: { ...none, createOrder: { order: order() } },
    })
    await expect.element(noOrder).toBeVisible()
    expect(page.getByText(/charged/).elements()).toEqual([])
    screen.server.answer(answers())
    await button('Try again').click()
    await screen.letTimePassUntil(page.getByRole('button', { name: /^Pay .* 300 tokens/ }))
    const calls = screen.server.calls('createOrder')
    expect(calls.map((call) => call.body)).toEqual([{ order: { mediaJobId: idOf(1) } }])
    expect(screen.server.calls('createMediaJob')).toEqual([])
  })
})

describe('an order that is being prepared', () => {
  const submission = (
    intent: Partial<SubmitEditsIntent>,
    changes: Partial<OutboxRow> = {},
  ): Rows => ({
    outbox: [
      {
        id: 'row-1',
        idempotencyKey: 'key-1',
        state: { kind: 'waiting' },
        attempt: 0,
        notBeforeEpochMs: NOW + 600_000,
        createdAtEpochMs: NOW,
        intent: {
          kind: 'submit-edits',
          uploadId: null,
          uploadRequestId: idOf(2),
          requests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
          mediaJobId: idOf(1),
          stage: 'creating-order',
          isReceived: true,
          needsAnalysis: false,
          isAnalysed: false,
          polls: 0,
          polledForMs: 0,
          ...intent,
        },
        ...changes,
      },
    ],
  })
  const waiting: Answers = {
    ...answers(),
    getMediaJob: { mediaJob: job({ orderIsPlaced: false, orderId: null }) },
    listMediaJobOrders: { orders: [] },
  }
  const open = (theRows: Rows, more: Answers = {}) =>
    openScreen({ path: STATUS, rows: theRows, answers: { ...waiting, ...more } })

  test('JOB-05 says what is done and what is next', async () => {
    await open(submission({}))
    await expect.element(page.getByRole('heading', { name: 'Preparing Your Order' })).toBeVisible()
    const steps = page
      .getByRole('region', { name: 'Preparing Your Order' })
      .getByRole('listitem')
      .elements()
    expect(steps.map((step) => step.textContent)).toEqual([
      'Edits received, done',
      'Edits priced, in progress',
      'Order ready, not yet',
    ])
  })

  const again = page.getByText('Please log in again')
  const signedOut = refused(401, 'auth/signed-out')

  test('WAY-04 cookies that go while an order is prepared end the session at once, and signing in goes on', async () => {
    const requests = [{ mediaJobTaskPresetSlug: 'still-pack' } as const]
    const screen = await openScreen({
      path: `/uploads/${idOf(2)}/media-jobs/new`,
      rows: submission({ mediaJobId: null, stage: 'creating-job', requests }),
      answers: waiting,
    })
    await expect
      .element(page.getByText(/Your edits are on this device only until they are sent\./))
      .toBeVisible()
    expect(page.getByText(/edits are saved/).elements()).toEqual([])
    screen.server.answer({ getCurrentUser: signedOut, createMediaJob: signedOut })
    screen.dropCookies(true)
    await expect.element(again).toBeVisible()
    await expect.element(page.getByText(/not sent yet, are kept on this device/)).toBeVisible()
    await expect.element(page.getByText('Preparing Your Order')).not.toBeInTheDocument()
    // Due while no one is signed in: the server refuses it, and the device waits for the sign-in.
    await screen.db.outbox.toCollection().modify({ notBeforeEpochMs: 0 })
    await expect
      .poll(async () => (await screen.db.outbox.toArray())[0]?.state)
      .toEqual({ kind: 'waiting', isForSession: true })
    screen.server.answer({
      ...answersFor(CREATOR),
      ...answers(),
      createMediaJob: { mediaJob: job({ orderIsPlaced: false, orderId: null }) },
      createOrder: { order: order() },
    })
    screen.signIn(CREATOR)
    await expect.poll(() => screen.server.calls('createOrder').length).toBe(1)
    await expect.element(again).not.toBeInTheDocument()
  })

  test('WAY-04 after signing in again what is not here yet is neither nothing nor a slug', async () => {
    const hasSlug = watchForWords('still-pack')
    const screen = await open(submission({ requests: [{ mediaJobTaskPresetSlug: 'still-pack' }] }))
    await expect.element(page.getByText('Still Pack')).toBeVisible()
    screen.dropCookies(true)
    await expect.element(again).toBeVisible()
    await expect.poll(() => screen.db.presets.count()).toBe(0)
    screen.server.answer({ listPresets: pending, listWallets: pending })
    screen.signIn(CREATOR)
    await expect.element(page.getByText('Preparing Your Order')).toBeVisible()
    await expect.element(page.getByText('Still Pack')).toBeVisible()
    expect(hasSlug()).toBe(false)
  })

  test('JOB-05 says what a price by the minute waits for', async () => {
    await open(submission({ needsAnalysis: true, isReceived: false, stage: 'analysing' }))
    await expect.element(page.getByText(/as soon as enough of the video has arrived/)).toBeVisible()
  })

  test('JOB-02 says that the device keeps it while the server is away, and sends it at a press', async () => {
    const screen = await open(submission({}, { attempt: 2, notBeforeEpochMs: NOW + 30_000 }), {
      createOrder: { order: order() },
    })
    await expect.element(page.getByText(/saved on this device and .* sent/)).toBeVisible()
    await expect.element(page.getByText(/Next try in 30 s\./)).toBeVisible()
    screen.server.answer(answers())
    await button('Retry now').click()
    await screen.letTimePassUntil(page.getByRole('button', { name: /^Pay .* 300 tokens/ }))
    expect(screen.path()).toBe(CHECKOUT)
  })

  test('JOB-02 an order of which there were too many says when it is sent, and offers no press before', async () => {
    const limit = 'Too many orders were placed. Please try again in 30 minutes.'
    const screen = await open(submission({}, { notBeforeEpochMs: 0 }), {
      createOrder: tooMany(limit, 1800),
    })
    await expect.element(page.getByText(limit)).toBeVisible()
    await expect
      .element(page.getByText(/^Your edits are sent by themselves from 10:30 AM on\./))
      .toBeVisible()
    await expect.element(button('Retry now')).not.toBeInTheDocument()
    expect(screen.server.calls('createOrder')).toHaveLength(1)
  })

  test('JOB-02 nothing takes a few seconds that has taken longer', async () => {
    const screen = await open(submission({}))
    const usual = page.getByText(/^This usually takes a few seconds\./)
    await expect.element(usual).toBeVisible()
    await screen.clock.advance(21_000)
    await expect.element(page.getByText(/^The server has not answered yet\./)).toBeVisible()
    await expect.element(usual).not.toBeInTheDocument()
  })

  test("JOB-06 'Refresh Status' asks again where the video could not be analysed", async () => {
    const screen = await open(
      submission(
        { needsAnalysis: true, stage: 'analysing' },
        { state: { kind: 'refused', code: 'uploads/failed', message: 'The file stops early.' } },
      ),
      { createOrder: { order: order() } },
    )
    await expect
      .element(page.getByText("We couldn't analyze your video. Please try again."))
      .toBeVisible()
    screen.server.answer(answers())
    await button('Refresh Status').click()
    await screen.letTimePassUntil(page.getByRole('button', { name: /^Pay .* 300 tokens/ }))
    expect(screen.path()).toBe(CHECKOUT)
  })

  test('JOB-06 says why no order was made, and makes it at the next try', async () => {
    const screen = await open(
      submission(
        {},
        { state: { kind: 'refused', code: 'request/invalid', message: 'Not today.' } },
      ),
      { createOrder: { order: order() } },
    )
    await expect
      .element(page.getByText('There was a problem creating your order. Please try again.'))
      .toBeVisible()
    await expect.element(page.getByText(/Not today\./)).toBeVisible()
    screen.server.answer(answers())
    await button('Try again').click()
    await screen.letTimePassUntil(page.getByRole('button', { name: /^Pay .* 300 tokens/ }))
    expect(screen.path()).toBe(CHECKOUT)
  })

  test('JOB-06 says once that the video was deleted, and offers to upload it again', async () => {
    const message = 'This video was deleted from the server. Please upload it again.'
    const refusal = { kind: 'refused', code: 'uploads/aborted', message } as const
    await openScreen({
      path: `/uploads/${idOf(2)}/media-jobs/new`,
      rows: submission({ mediaJobId: null }, { state: refusal }),
    })
    await expect.element(page.getByText(`${message} Nothing was charged.`)).toBeVisible()
    expect(page.getByText(/upload the video again|try again/i).elements()).toEqual([])
    await expect
      .element(page.getByRole('link', { name: 'Upload it again' }))
      .toHaveAttribute('href', '/uploads/new')
  })

  test('JOB-07 sends by itself what was refused before the person subscribed', async () => {
    const screen = await open(
      submission(
        {},
        { state: { kind: 'refused', code: 'auth/permission-missing', message: 'Subscribe.' } },
      ),
      { createOrder: { order: order() } },
    )
    await expect.poll(() => screen.server.calls('createOrder').length).toBe(1)
    screen.server.answer(answers())
    await screen.letTimePassUntil(page.getByRole('button', { name: /^Pay .* 300 tokens/ }))
    expect(screen.path()).toBe(CHECKOUT)
  })

  test('JOB-05 reaches 100 % when the order is there, then goes to the checkout', async () => {
    const answer = Promise.withResolvers<{ order: ReturnType<typeof order> }>()
    const screen = await open(submission({}, { notBeforeEpochMs: 0 }), {
      createOrder: () => answer.promise,
    })
    // Only what was seen in preparation is shown to its end.
    await expect.element(page.getByText('Order ready, not yet')).toBeVisible()
    answer.resolve({ order: order() })
    const bar = page.getByRole('progressbar')
    await expect.element(bar).toHaveAttribute('aria-valuenow', '100')
    await expect.element(page.getByText('Order ready, done')).toBeVisible()
    expect(screen.path()).toBe(STATUS)
    await screen.letTimePassUntil(page.getByRole('button', { name: /^Pay .* 300 tokens/ }))
    expect(screen.path()).toBe(CHECKOUT)
  })

  test('JOB-07 asks for a subscription where the right to order is missing', async () => {
    const screen: Screen = await openScreen({
      path: '/uploads/new',
      person: { ...CREATOR, permissions: [] },
    })
    const dialog = page.getByRole('alertdialog', { name: 'Subscription Required' })
    await expect.element(dialog).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).toBeVisible()
    await page.getByRole('link', { name: 'Back to Your Edits' }).click()
    await expect.poll(screen.path).toBe('/edits')
  })
})
