import { describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { orderToRow } from '#src/local/db/to-rows.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import {
  fakeCheckoutSession,
  fakeMediaJob,
  fakeOrder,
  fakePaymentIntent,
  fakeUploadRequest,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { ASSET_ROOM, CREATOR } from './harness/creator.ts'
import { pending, refused, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen, type Screen } from './harness/open-screen.tsx'
import { PHONE_WIDTH, showOnPhone } from './harness/show-on-phone.ts'
import { withoutPayments } from './harness/without-payments.ts'

type Schemas = components['schemas']

const CHECKOUT = `/orders/${idOf(3)}/checkout`
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
    pricingStrategy: { pricingStrategySlug: 'per-unit', coinAmountPerUnit: 1205 },
  },
  totalCoinAmount: 1205,
}
const spent = (number: number, coinAmount: number): Schemas['WalletCoinTransaction'] => ({
  _id: idOf(number),
  walletId: idOf(4),
  kind: coinAmount < 0 ? 'order-payment' : 'order-refund',
  coinAmount,
  description: null,
  coinsExpireAfterAt: null,
  orderId: idOf(3),
  subject: { kind: 'order', _id: idOf(3) },
  createdAt: '2026-11-21T09:40:00.000Z',
})
const open = fakeOrder({
  lineItems: [lineItem],
  lineItemsTotalCoinAmount: 1205,
  remainingPayableCoinAmount: 1205,
})
const partly = {
  ...open,
  paidTotalCoinAmount: 1000,
  remainingPayableCoinAmount: 205,
  hasPaidWalletCoinTransactions: true,
  walletCoinTransactions: [spent(50, -1000)],
}
const paid: Schemas['Order'] = {
  ...open,
  status: 'paid',
  isFullyPaid: true,
  paidTotalCoinAmount: 1205,
  remainingPayableCoinAmount: 0,
  hasPaidWalletCoinTransactions: true,
  walletCoinTransactions: [spent(50, -1000), spent(51, -205)],
}
const rich = fakeWallet({ coinBalance: 2000, spendableCoinAmount: 2000 })
const job = fakeMediaJob({ orderIsPlaced: true, orderId: idOf(3) })
const answers = (order: Schemas['Order'], wallet = rich): Answers => ({
  getOrder: { order },
  getMediaJob: { mediaJob: job },
  listOrderMediaJobs: { mediaJobs: [{ ...job, uploadRequest: fakeUploadRequest() }] },
  listWallets: { wallets: [wallet] },
})
/** By the beginning of its name: what a button pays stands at its end. */
const button = (name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name.replaceAll(/[$.]/g, '\\$&')}`) })
/** The ways to pay in their order, without their amounts. */
const waysToPay = () =>
  [...document.querySelectorAll('[aria-labelledby=payment] :is(button, a)')]
    .map(({ textContent }) => textContent.replace(/ [\d,]+ tokens \(.*/, ''))
    .filter((name) => /^(Pay|Use|Make|Subscribe)/.test(name))
const text = (words: string | RegExp) => page.getByText(words)
const amountOf = (label: string) =>
  page.getByText(label, { exact: true }).first().element().parentElement?.querySelector('dd')
    ?.innerText

describe('the checkout of an order', () => {
  test('fits a phone whose letters are twice as large', async () => {
    await showOnPhone('200%')
    await openScreen({ path: CHECKOUT, answers: answers(partly) })
    await expect.element(text('15s Teaser')).toBeVisible()
    await expect.element(button('Pay with Credits')).toBeEnabled()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE_WIDTH)
  })

  test('ORD-01 ORD-03 shows items with their subtotal, and beside them what the payment comes to', async () => {
    await openScreen({ path: CHECKOUT, answers: answers(partly) })
    await expect.element(text('15s Teaser')).toBeVisible()
    await expect.element(button('Pay with Credits')).toBeEnabled()
    expect(amountOf('Subtotal')).toMatch(/1,205 tokens\s+\$12\.05/)
    expect(amountOf('Paid')).toMatch(/-1,000 tokens\s+-\$10\.00/)
    expect(amountOf('Payable amount')).toMatch(/205 tokens\s+\$2\.05/)
    expect(amountOf('Available credits')).toMatch(/2,000 tokens\s+\$20\.00/)
    const history = page.getByRole('region', { name: 'Wallet transactions' })
    expect(history.element().textContent).toMatch(
      /^Wallet transactions\s*Paid.*1,000 tokens\s*\$10\.00/,
    )
  })

  test('ORD-04 on a phone the payment of eight edits is in reach from the top, and what went wrong too', async () => {
    await page.viewport(360, 740)
    onTestFinished(() => page.viewport(1280, 800))
    const eight = Array.from({ length: 8 }, (_, at) => ({ ...lineItem, _id: idOf(60 + at) }))
    const due = 8 * lineItem.totalCoinAmount
    const order = {
      ...open,
      lineItems: eight,
      lineItemsTotalCoinAmount: due,
      remainingPayableCoinAmount: due,
    }
    const wallet = fakeWallet({ coinBalance: 20_000, spendableCoinAmount: 20_000 })
    await openScreen({
      path: CHECKOUT,
      answers: {
        ...answers(order, wallet),
        payOrderWithTokens: refused(402, 'payments/insufficient-tokens', 'Not enough tokens.'),
      },
    })
    await expect.element(button('Pay with Credits')).toBeInViewport()
    expect(window.scrollY).toBe(0)
    await expect.element(text('9,640 tokens').last()).toBeInViewport()
    await expect.element(text('$96.40 to pay')).toBeInViewport()
    await button('Pay with Credits').click()
    await expect.element(text(/Nothing was charged/)).toBeInViewport()
    // At the end nothing stays under the bar.
    text(/^1 token = /)
      .element()
      .scrollIntoView({ block: 'end' })
    const bar = button('Pay with Credits').element().closest('.sticky')
    expect(
      text(/^1 token = /)
        .element()
        .getBoundingClientRect().bottom,
    ).toBeLessThanOrEqual(bar?.getBoundingClientRect().top ?? 0)
  })

  test.each([
    [1_500_000, true, 'Ready in about 25 minutes'],
    [240_000, false, 'Ready about 4 minutes after your upload'],
  ])(
    'REC-25 before the payment it says when the edits would be ready (%i ms, upload checked: %s)',
    async (remainingMs, isUploadRequestValidated, words) => {
      const mediaJob = { ...job, isUploadRequestValidated }
      await openScreen({
        path: CHECKOUT,
        answers: {
          ...answers(open),
          getMediaJob: { mediaJob },
          listOrderMediaJobs: {
            mediaJobs: [{ ...mediaJob, uploadRequest: fakeUploadRequest() }],
          },
          getMediaJobForecast: { forecast: { remainingMs, editsAhead: 4, review: null } },
        },
      })
      await expect.element(text(words)).toBeVisible()
    },
  )

  test('REC-25 before the payment of edits with a review it says when there is something to look at and what comes then', async () => {
    await page.viewport(360, 740)
    onTestFinished(() => page.viewport(1280, 800))
    const mediaJob = { ...job, isUploadRequestValidated: true }
    const review = { inMs: 300_000, thenMs: 720_000, othersMs: 1_200_000 }
    await openScreen({
      path: CHECKOUT,
      answers: {
        ...answers(open),
        getMediaJob: { mediaJob },
        listOrderMediaJobs: { mediaJobs: [{ ...mediaJob, uploadRequest: fakeUploadRequest() }] },
        getMediaJobForecast: { forecast: { remainingMs: null, editsAhead: 0, review } },
      },
    })
    const words =
      'Ready for your review in about 5 minutes, then about 10 minutes more. Your other edits are ready in about 20 minutes.'
    await expect.element(text(words)).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  })

  test('REC-25 before the payment it says no time that the server does not know', async () => {
    const screen = await openScreen({ path: CHECKOUT, answers: answers(open) })
    await expect.element(button('Pay with Credits')).toBeEnabled()
    await expect.poll(() => screen.server.calls('getMediaJobForecast').length).toBe(1)
    expect(text(/^Ready/).elements()).toEqual([])
  })

  test('ORD-04 Pay with Credits pays, and then the order is fully paid', async () => {
    const screen: Screen = await openScreen({
      path: CHECKOUT,
      answers: {
        ...answers(open),
        payOrderWithTokens: () => {
          screen.server.answer(answers(paid))
          return { order: paid, wallet: rich }
        },
      },
    })
    await button('Pay with Credits').click()
    await expect.element(text('Order is fully paid!')).toBeVisible()
    expect(screen.server.calls('payOrderWithTokens').map(({ body }) => body)).toMatchObject([
      { walletCoinTransaction: { walletId: idOf(4), coinAmount: 1205 } },
    ])
  })

  test("ORD-04 says 'Updating payment status...' while a payment is under way", async () => {
    await openScreen({
      path: CHECKOUT,
      answers: { ...answers(open), payOrderWithTokens: pending },
    })
    await button('Pay with Credits').click()
    await expect.element(text('Updating payment status...')).toBeVisible()
  })

  test('ORD-04 a paid order begins no card payment, and leads to its edits', async () => {
    const screen = await openScreen({ path: CHECKOUT, answers: answers(paid) })
    await expect.element(text('Order is fully paid!')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'See the Progress' }))
      .toHaveAttribute('href', `/uploads/orders/${idOf(3)}/checkout`)
    await expect
      .element(page.getByRole('link', { name: 'View All Edits' }))
      .toHaveAttribute('href', '/edits')
    expect(button('Pay with Credits').elements()).toEqual([])
    expect(button('Change Requested Edits').elements()).toEqual([])
    expect(screen.path()).toBe(CHECKOUT)
    for (const call of ['createTokenCheckoutSession', 'getTokenCheckoutSession'] as const)
      expect(screen.server.calls(call)).toEqual([])
  })

  test.each([
    [
      'ORD-04 an order whose intro was deleted cannot be paid, and says what to do',
      open,
      /Press "Change Requested Edits"/,
    ],
    ['ORD-04 where a part is paid already, it says to cancel', partly, /Cancel this order/],
  ])('%s', async (_what, order, advice) => {
    const payload = {
      targetDuration: 60_000,
      introMediaAssetIds: [idOf(77)],
      outroMediaAssetIds: [],
    }
    const named = {
      ...job,
      mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'tube-cut' as const, payload }],
    }
    await openScreen({
      path: CHECKOUT,
      answers: {
        ...answers(order),
        getMediaJob: { mediaJob: named },
        listOrderMediaJobs: { mediaJobs: [{ ...named, uploadRequest: fakeUploadRequest() }] },
        listMediaAssets: { mediaAssets: [], mediaAssetRoom: ASSET_ROOM },
      },
    })
    await expect.element(text('An intro is missing, so this order cannot be paid')).toBeVisible()
    await expect.element(text(advice)).toBeVisible()
    expect(waysToPay()).toEqual([])
  })

  test('ORD-01 says which video is edited, and shows one balance with its end', async () => {
    const trial = fakeWallet({
      spendableCoinAmount: 2000,
      kind: 'trial',
      expiringLots: [
        { coinAmount: 1500, expiresAt: '2026-11-27T09:00:00.000Z' },
        { coinAmount: 500, expiresAt: '2026-11-27T09:00:00.000Z' },
      ],
    })
    await openScreen({ path: CHECKOUT, answers: answers(open, trial) })
    await expect
      .element(page.getByRole('region', { name: 'Your order' }).getByText('beach.mp4'))
      .toBeVisible()
    await expect.element(text('2,000 tokens valid until Nov 27, 2026')).toBeVisible()
    const payment = page.getByRole('region', { name: 'Payment' })
    expect(payment.getByText('2,000 tokens', { exact: true }).elements()).toHaveLength(1)
    await expect
      .element(button('Pay with Credits'))
      .toHaveTextContent('Pay with Credits 1,205 tokens ($12.05)')
  })

  test('ORD-04 several wallets are cards to choose from, and the first one pays unless another is chosen', async () => {
    const second = fakeWallet({ _id: idOf(5), coinBalance: 100, spendableCoinAmount: 100 })
    await openScreen({
      path: CHECKOUT,
      answers: { ...answers(open), listWallets: { wallets: [rich, second] } },
    })
    await expect.element(button('Pay with Credits')).toBeEnabled()
    await text('Wallet ending in 000005').click()
    await expect.element(button('Make Partial Payment')).toBeEnabled()
  })

  test('ORD-10 WAY-03 where the wallet cannot cover all, its tokens and a card do in one press, before a part', async () => {
    const poor = fakeWallet({ coinBalance: 700, spendableCoinAmount: 700 })
    const screen = await openScreen({ path: CHECKOUT, answers: answers(open, poor) })
    await expect.element(button('Make Partial Payment 700 tokens')).toBeEnabled()
    await expect.element(text('Pay 700 now, 505 left')).toBeVisible()
    await expect
      .element(text('You have 700 tokens. This order needs 505 tokens ($5.05) more.'))
      .toBeVisible()
    await expect
      .element(
        text(
          'The card pays the 505 tokens that you lack. Your tokens are taken when the card has paid.',
        ),
      )
      .toBeVisible()
    // What is left depends on the button.
    expect(text('After this payment').elements()).toEqual([])
    await expect.element(text('They never expire')).toBeVisible()
    expect(waysToPay()).toEqual(['Use 700 tokens and pay $5.05', 'Make Partial Payment'])
    const empty = fakeWallet({ coinBalance: 0, spendableCoinAmount: 0 })
    await screen.db.wallets.put(wallets.toRow(empty, NOW + 1))
    await expect.element(button('Pay with Credits')).toBeDisabled()
    expect(waysToPay()).toEqual(['Pay $12.05 by Card', 'Pay with Credits'])
    await expect.element(text('They never expire')).not.toBeInTheDocument()
    await expect.element(text('Pays the 1,205 tokens of this order.')).toBeVisible()
  })

  test('ORD-10 who may not buy tokens is led to a subscription first, and back to the order', async () => {
    const poor = fakeWallet({ coinBalance: 80, spendableCoinAmount: 80 })
    const screen = await openScreen({
      path: CHECKOUT,
      person: {
        ...CREATOR,
        permissions: [PERMISSIONS.createOrders, PERMISSIONS.createWalletSubscriptions],
      },
      answers: { ...answers(open, poor), createSubscriptionCheckoutSession: pending },
    })
    await expect.element(button('Make Partial Payment')).toBeEnabled()
    expect(waysToPay()).toEqual(['Subscribe for Monthly Tokens', 'Make Partial Payment'])
    await expect
      .element(text('You have 80 tokens. This order needs 1,125 tokens ($11.25) more.'))
      .toBeVisible()
    await page.getByRole('link', { name: 'Subscribe for Monthly Tokens' }).click()
    await expect.poll(screen.path).toBe('/subscriptions/stripe/checkout')
  })

  test('ORD-01 shows the order of this device at once, also offline, and says what a payment needs', async () => {
    await openScreen({
      path: CHECKOUT,
      rows: { orders: [orderToRow(open, NOW)], wallets: [wallets.toRow(rich, NOW)] },
      network: 'offline',
    })
    await expect.element(text('15s Teaser')).toBeVisible()
    await expect.element(text('A payment needs a connection.')).toBeVisible()
    await expect.element(page.getByText(/^Offline\. Showing/)).toBeVisible()
  })

  test('ORD-01 waits for an order that this device does not know', async () => {
    await openScreen({ path: CHECKOUT, answers: { ...answers(open), getOrder: pending } })
    await expect.element(page.getByRole('heading', { name: 'Order & pay' })).toBeVisible()
    expect(text('Unable to fetch order').elements()).toEqual([])
    expect(text('Order not found').elements()).toEqual([])
  })

  test("ORD-07 'Unable to fetch order' says why and tries again", async () => {
    const screen = await openScreen({
      path: CHECKOUT,
      answers: { ...answers(open), getOrder: refused(422, 'request/invalid', 'No orders today.') },
    })
    await expect.element(text('Unable to fetch order')).toBeVisible()
    await expect.element(text('No orders today.')).toBeVisible()
    screen.server.answer(answers(open))
    await button('Try Again').click()
    await expect.element(button('Pay with Credits')).toBeEnabled()
  })

  test("ORD-07 says 'Order not found' of an order that is not there", async () => {
    await openScreen({
      path: CHECKOUT,
      answers: { getOrder: refused(404, 'orders/not-found') },
    })
    await expect.element(text('Order not found')).toBeVisible()
  })

  test('ORD-07 a cancelled order asks for nothing', async () => {
    await openScreen({ path: CHECKOUT, answers: answers({ ...open, status: 'canceled' }) })
    await expect.element(text('This order was cancelled')).toBeVisible()
    expect(button('Pay with Credits').elements()).toEqual([])
  })
})

describe('the rest of an order by card', () => {
  const small: Schemas['Order'] = { ...open, remainingPayableCoinAmount: 12 }
  const begun = fakeCheckoutSession({
    _id: 'session-1',
    coinAmount: 12,
    chargedCoinAmount: 50,
    payUrl: 'about:blank',
  })
  const withCard: Answers = {
    ...answers(small),
    createTokenCheckoutSession: { stripeCheckoutSession: begun },
    getTokenCheckoutSession: { stripeCheckoutSession: begun },
  }
  const named = `${CHECKOUT}?stripeCheckoutSessionId=session-1`
  const frame = () => page.getByTitle('Payment')

  test('ORD-06 waits for a payment by tokens that was not answered, and says so beside the button', async () => {
    const poor = fakeWallet({ coinBalance: 700, spendableCoinAmount: 700 })
    const screen = await openScreen({
      path: CHECKOUT,
      answers: answers(open, poor),
      rows: { paymentIntents: [fakePaymentIntent(1205)] },
    })
    const words = text('A payment by tokens was not confirmed. Finish it before you pay by card.')
    await expect.element(words).toBeVisible()
    await expect.element(button('Use 700 tokens and pay $5.05')).toBeDisabled()
    await screen.db.paymentIntents.clear()
    await expect.element(button('Use 700 tokens and pay $5.05')).toBeEnabled()
    await expect.element(words).not.toBeInTheDocument()
  })

  test('ORD-06 says what a card charges, begins it at a press, and names it in the address', async () => {
    const screen = await openScreen({ path: CHECKOUT, answers: withCard })
    await expect
      .element(
        text(
          'A card pays at least $0.50. The 38 tokens beyond this order stay in your wallet and never expire.',
        ),
      )
      .toBeVisible()
    expect(screen.server.calls('createTokenCheckoutSession')).toEqual([])
    await button('Pay $0.50 by Card').click()
    await expect.element(frame()).toHaveAttribute('src', 'about:blank')
    expect(screen.path()).toBe(named)
    const [call] = screen.server.calls('createTokenCheckoutSession')
    expect(call?.body).toEqual({
      walletId: idOf(4),
      orderId: idOf(3),
      stripeCheckoutSession: { coinAmount: 12 },
    })
    expect(call?.idempotencyKey).not.toBeNull()
  })

  test('WAY-03 one press uses the tokens and begins the payment of the rest', async () => {
    const poor = fakeWallet({ coinBalance: 700, spendableCoinAmount: 700 })
    const screen = await openScreen({
      path: CHECKOUT,
      answers: { ...withCard, ...answers(open, poor) },
    })
    await button('Use 700 tokens and pay $5.05').click()
    await expect.element(frame()).toBeInTheDocument()
    expect(screen.server.calls('createTokenCheckoutSession').map(({ body }) => body)).toEqual([
      {
        walletId: idOf(4),
        orderId: idOf(3),
        stripeCheckoutSession: { coinAmount: 505, walletCoinAmount: 700 },
      },
    ])
  })

  test('ORD-06 shows the order as paid once the server has booked the card payment', async () => {
    const screen = await openScreen({ path: named, answers: withCard })
    await expect.element(frame()).toBeInTheDocument()
    screen.server.answer({
      ...answers(paid),
      getTokenCheckoutSession: {
        stripeCheckoutSession: { ...begun, status: 'complete', payment: 'paid' },
      },
    })
    await screen.letTimePassUntil(text('Order is fully paid!'))
    expect(frame().elements()).toEqual([])
    expect(screen.server.calls('createTokenCheckoutSession')).toEqual([])
  })

  test('ORD-06 the flow pays by card as well', async () => {
    const screen = await openScreen({
      path: `/uploads/orders/${idOf(3)}/checkout`,
      answers: withCard,
    })
    await button('Pay $0.50 by Card').click()
    await expect.element(frame()).toBeInTheDocument()
    await button('Pay in Another Way').click()
    await expect.element(button('Pay & Complete Order')).toBeEnabled()
    expect(screen.path()).toBe(`/uploads/orders/${idOf(3)}/checkout`)
  })

  test('ORD-01 a card payment that is not there leads to the other ways', async () => {
    await openScreen({
      path: named,
      answers: {
        ...answers(small),
        getTokenCheckoutSession: refused(404, 'payments/session-not-found'),
      },
    })
    await expect.element(text('Checkout Session Not Found')).toBeVisible()
    await button('Pay in Another Way').click()
    await expect.element(button('Pay with Credits')).toBeEnabled()
  })

  test('ORD-06 says why a card payment could not be started', async () => {
    await openScreen({
      path: CHECKOUT,
      answers: {
        ...answers(small),
        createTokenCheckoutSession: refused(409, 'orders/already-paid', 'It is paid already.'),
      },
    })
    await button('Pay $0.50 by Card').click()
    await expect.element(text('The payment could not be started')).toBeVisible()
    await expect.element(text(/It is paid already\./)).toBeVisible()
    await expect.element(button('Pay $0.50 by Card')).toBeEnabled()
  })

  test('ORD-06 offers no card where nothing is sold, or without the right to buy', async () => {
    await openScreen({
      path: CHECKOUT,
      person: { ...CREATOR, permissions: [PERMISSIONS.createOrders] },
      answers: answers(open),
    })
    await expect.element(button('Pay with Credits')).toBeEnabled()
    expect(page.getByRole('button', { name: /by Card/ }).elements()).toEqual([])
  })
})

describe('where tokens come from', () => {
  test('ORD-08 Add Tokens opens the wallet in a new tab', async () => {
    await openScreen({ path: CHECKOUT, answers: answers(open) })
    const link = page.getByRole('link', { name: 'Add Tokens' })
    await expect.element(link).toHaveAttribute('href', `/wallets/${idOf(4)}`)
    await expect.element(link).toHaveAttribute('target', '_blank')
  })

  test('ORD-08 Create a Wallet opens the wallets in a new tab where there is none', async () => {
    await openScreen({
      path: CHECKOUT,
      answers: { ...answers(open), listWallets: { wallets: [] } },
    })
    const link = page.getByRole('link', { name: 'Create a Wallet' })
    await expect.element(link).toHaveAttribute('href', '/wallets')
    await expect.element(link).toHaveAttribute('target', '_blank')
  })
})

describe('a build without payments', () => {
  test('APP-21 without the flag an order has no checkout page, and the flow no way to pay', async () => {
    withoutPayments()
    const screen = await openScreen({
      path: `/uploads/orders/${idOf(3)}/checkout`,
      answers: answers(open),
    })
    await expect.element(text('This app takes no payments')).toBeVisible()
    await expect.element(text('15s Teaser')).toBeVisible()
    expect(page.getByRole('button', { name: /^Pay/ }).elements()).toEqual([])
    await screen.goTo(CHECKOUT)
    await expect.element(text('Page not found')).toBeVisible()
  })
})
