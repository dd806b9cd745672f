import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { orderToRow } from '#src/local/db/to-rows.ts'
import { payments } from '#src/local/nouns/payments.ts'
import { fakeOrder, fakePayment, fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { pending, refused, unreachable, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen, type Rows } from './harness/open-screen.tsx'
import { watchForWords } from './harness/seen-words.ts'

type Payment = components['schemas']['Payment']

const PATH = '/payments'
const EMPTY = 'No Payments Yet'
const rows = (...all: readonly Payment[]): Rows => ({
  payments: all.map((one) => payments.toRow(one, NOW)),
})
const answers = (...all: readonly Payment[]): Answers => ({ listPayments: { payments: [...all] } })
const button = (name: string) => page.getByRole('button', { name })
const link = (name: string | RegExp) => page.getByRole('link', { name })
const question = page.getByRole('alertdialog', { name: 'Give unused tokens back?' })

describe('the history', () => {
  test('LIF-04 shows what this device knows of the payments, newest first', async () => {
    const month = fakePayment({
      _id: idOf(61),
      kind: 'subscription',
      amountCents: 2261,
      taxCents: 361,
      coinAmount: 1900,
      receiptNumber: '2026-000124',
      walletSubscriptionId: idOf(50),
      withdrawableUntil: null,
      paidAt: '2026-11-21T09:00:00.000Z',
    })
    await openScreen({
      path: PATH,
      rows: rows(fakePayment({ orderId: idOf(3) }), month),
      answers: { listPayments: pending },
    })
    await expect.element(page.getByRole('heading', { name: 'Your Payments' })).toBeVisible()
    const headings = page.getByRole('heading', { level: 2 })
    await expect.element(headings.nth(0)).toHaveTextContent('$22.61 for 1,900 tokens')
    await expect.element(headings.nth(1)).toHaveTextContent('$50.00 for 5,000 tokens')
    await expect
      .element(
        page.getByText(
          'November 21, 2026 · Monthly tokens · $3.61 tax included · Receipt 2026-000124',
        ),
      )
      .toBeVisible()
    await expect
      .element(link('View subscription'))
      .toHaveAttribute('href', `/subscriptions/${idOf(50)}`)
    await expect
      .element(link('View order'))
      .toHaveAttribute('href', `/uploads/orders/${idOf(3)}/checkout`)
  })

  test('LIF-04 never says that there is no payment before those of the server are read', async () => {
    const isSaid = watchForWords(EMPTY)
    await openScreen({ path: PATH, answers: answers(fakePayment()) })
    await expect
      .element(page.getByRole('heading', { name: '$50.00 for 5,000 tokens' }))
      .toBeVisible()
    expect(isSaid()).toBe(false)
  })

  test('LIF-04 shows neither a payment nor their absence while nothing is known', async () => {
    await openScreen({ path: PATH, answers: { listPayments: pending } })
    await expect.element(page.getByRole('status', { name: 'Loading your payments' })).toBeVisible()
    await expect.element(page.getByText(EMPTY)).not.toBeInTheDocument()
  })

  test('LIF-04 says that there are no payments only when the server does', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: { listPayments: refused(422, 'request/invalid', 'Not today.') },
    })
    await expect.element(page.getByText('Unable to fetch your payments')).toBeVisible()
    await expect.element(page.getByText(EMPTY)).not.toBeInTheDocument()
    screen.server.answer(answers())
    await button('Try Again').click()
    await expect.element(page.getByText(EMPTY)).toBeVisible()
  })

  test('LIF-04 leads to the receipt, which needs a connection', async () => {
    const screen = await openScreen({ path: PATH, answers: answers(fakePayment()) })
    await expect
      .element(link('Receipt 2026-000123'))
      .toHaveAttribute('href', `/editors/api/v1/payments/${idOf(60)}/receipt`)
    screen.setNetwork('offline')
    await expect
      .element(page.getByText('Receipts and giving tokens back need a connection.'))
      .toBeVisible()
    await expect.element(link('Receipt 2026-000123')).not.toBeInTheDocument()
    await expect.element(page.getByText('$50.00 for 5,000 tokens')).toBeVisible()
  })

  test('LIF-04 the wallet and the menu of the account lead to the payments', async () => {
    const screen = await openScreen({
      path: `/wallets/${idOf(4)}`,
      answers: {
        ...answers(fakePayment()),
        listWallets: { wallets: [fakeWallet()] },
        getWallet: { wallet: fakeWallet() },
        listWalletTransactions: { walletCoinTransactions: [] },
      },
    })
    await link('Payments and Receipts').click()
    await expect.poll(screen.path).toBe(PATH)
    await link('View wallet').click()
    await expect.poll(screen.path).toBe(`/wallets/${idOf(4)}`)
    await button('Account').click()
    await page.getByRole('menuitem', { name: 'My Payments' }).click()
    await expect.poll(screen.path).toBe(PATH)
  })
})

describe('giving tokens back', () => {
  const half = fakePayment({ withdrawableCoinAmount: 1800, withdrawableCents: 1800 })
  const withdrawn = fakePayment({
    withdrawableUntil: null,
    withdrawableCoinAmount: 0,
    withdrawableCents: 0,
    withdrawnAt: '2026-11-21T10:00:00.000Z',
    withdrawnCents: 1800,
  })

  test('LIF-04 asks first, with the tokens, the money and the last day', async () => {
    const screen = await openScreen({ path: PATH, rows: rows(half), answers: answers(half) })
    await button('Give Tokens Back').click()
    await expect
      .element(question.getByText(/1,800 tokens of this payment are not used.*\$18\.00 goes back/))
      .toBeVisible()
    await expect
      .element(question.getByText('You can do this until December 4, 2026.'))
      .toBeVisible()
    await question.getByRole('button', { name: 'Keep Tokens' }).click()
    await expect.element(question).not.toBeInTheDocument()
    expect(screen.server.calls('withdrawPayment')).toHaveLength(0)
  })

  test('LIF-04 shows the refund on its way, once the server has taken the tokens', async () => {
    const screen = await openScreen({ path: PATH, rows: rows(half), answers: answers(half) })
    screen.server.answer({
      withdrawPayment: () => {
        screen.server.answer(answers(withdrawn))
        return { payment: withdrawn }
      },
    })
    await button('Give Tokens Back').click()
    await question.getByRole('button', { name: 'Give Tokens Back' }).click()
    await expect
      .element(page.getByText('The tokens were taken back. $18.00 is refunded.'))
      .toBeVisible()
    await expect.element(page.getByText('Refund on its way')).toBeVisible()
    await expect.element(question).not.toBeInTheDocument()
    await expect.element(button('Give Tokens Back')).not.toBeInTheDocument()
  })

  test('LIF-04 says that it is not known whether a lost call took the tokens', async () => {
    const screen = await openScreen({
      path: PATH,
      rows: rows(half),
      answers: { ...answers(half), withdrawPayment: unreachable },
    })
    await button('Give Tokens Back').click()
    await question.getByRole('button', { name: 'Give Tokens Back' }).click()
    await expect.element(question.getByText(/We do not know yet/)).toBeVisible()
    const refusal = 'Only unused tokens can be given back, within 14 days of their purchase.'
    screen.server.answer({
      ...answers(fakePayment({ withdrawableUntil: null, withdrawableCoinAmount: 0 })),
      withdrawPayment: refused(409, 'payments/not-withdrawable', refusal),
    })
    await question.getByRole('button', { name: 'Give Tokens Back' }).click()
    await expect.element(question.getByText(refusal)).toBeVisible()
    await expect.element(question.getByText(/1,800 tokens of this payment/)).toBeVisible()
  })

  test('LIF-04 says that a subscription ends with its month', async () => {
    const month = fakePayment({ kind: 'subscription', walletSubscriptionId: idOf(50) })
    await openScreen({ path: PATH, rows: rows(month), answers: answers(month) })
    await button('Give Tokens Back').click()
    await expect
      .element(question.getByText(/Your subscription ends now, and with it/))
      .toBeVisible()
  })

  test('LIF-04 is not offered after the last day', async () => {
    const over = fakePayment({ withdrawableUntil: '2026-11-21T09:59:59.000Z' })
    await openScreen({ path: PATH, rows: rows(over), answers: { listPayments: pending } })
    await expect.element(link('View wallet')).toBeVisible()
    await expect.element(button('Give Tokens Back')).not.toBeInTheDocument()
  })
})

test('LIF-04 a paid order leads to its receipt, and a free one has none', async () => {
  const paid = fakeOrder({
    mediaJobId: null,
    status: 'paid',
    isFullyPaid: true,
    paidTotalCoinAmount: 300,
    remainingPayableCoinAmount: 0,
    hasPaidWalletCoinTransactions: true,
  })
  const free = { ...paid, _id: idOf(6), hasPaidWalletCoinTransactions: false }
  const screen = await openScreen({
    path: `/orders/${paid._id}/checkout`,
    rows: { orders: [orderToRow(paid, NOW), orderToRow(free, NOW)] },
    answers: { getOrder: ({ params }) => ({ order: params['id'] === free._id ? free : paid }) },
  })
  await expect
    .element(link('Receipt'))
    .toHaveAttribute('href', `/editors/api/v1/orders/${paid._id}/receipt`)
  await screen.goTo(`/orders/${free._id}/checkout`)
  await expect.element(page.getByText('Order is fully paid!')).toBeVisible()
  await expect.element(link('Receipt')).not.toBeInTheDocument()
})
