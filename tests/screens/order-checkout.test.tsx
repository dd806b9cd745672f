import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { orderToRow } from '#src/local/db/to-rows.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import {
  fakeMediaJob,
  fakeOrder,
  fakeUploadRequest,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { pending, refused, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen, type Screen } from './harness/open-screen.tsx'

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
const button = (name: string) => page.getByRole('button', { name })
const text = (words: string | RegExp) => page.getByText(words)
const amountOf = (label: string) =>
  page.getByText(label, { exact: true }).first().element().parentElement?.querySelector('dd')
    ?.innerText

describe('the checkout of an order', () => {
  test('ORD-01 shows items with their subtotal, and beside them what the payment comes to', async () => {
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

  test('ORD-04 a paid order asks for no wallets, and leads to its edits', async () => {
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
  })

  test('ORD-10 offers a part where the wallet cannot cover all, and nothing where it is empty', async () => {
    const poor = fakeWallet({ coinBalance: 700, spendableCoinAmount: 700 })
    const screen = await openScreen({ path: CHECKOUT, answers: answers(open, poor) })
    await expect.element(button('Make Partial Payment')).toBeEnabled()
    await expect.element(text('Pay 700 now, 505 left')).toBeVisible()
    const empty = fakeWallet({ coinBalance: 0, spendableCoinAmount: 0 })
    await screen.db.wallets.put(wallets.toRow(empty, NOW + 1))
    await expect.element(button('Pay with Credits')).toBeDisabled()
  })

  test('ORD-01 shows the order of this device at once, also offline, and says what a payment needs', async () => {
    await openScreen({
      path: CHECKOUT,
      rows: { orders: [orderToRow(open, NOW)], wallets: [wallets.toRow(rich, NOW)] },
      network: 'offline',
    })
    await expect.element(text('15s Teaser')).toBeVisible()
    await expect.element(text('A payment needs a connection.')).toBeVisible()
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
