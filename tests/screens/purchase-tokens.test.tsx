import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeCheckoutSession, idOf } from '#tests/fakes/fake-rows.ts'
import { pending, refused, unreachable, type Answers } from './harness/fake-server.ts'
import { openScreen } from './harness/open-screen.tsx'

const PAGE = '/wallet-coin-transactions/stripe/checkout'
const BUY = `${PAGE}?walletId=${idOf(4)}&coinAmount=2000`
const text = (words: string) => page.getByText(words, { exact: true })
const session = (changes: Parameters<typeof fakeCheckoutSession>[0] = {}) => ({
  stripeCheckoutSession: fakeCheckoutSession({ payUrl: 'about:blank', ...changes }),
})
const answers: Answers = {
  createTokenCheckoutSession: session(),
  getTokenCheckoutSession: session(),
}

test('WAL-08 what is missing in the address is named', async () => {
  const screen = await openScreen({ path: PAGE })
  await expect.element(text('walletId is required')).toBeVisible()
  await screen.goTo(`${PAGE}?walletId=${idOf(4)}&coinAmount=2000.5`)
  await expect.element(text('coinAmount is invalid')).toBeVisible()
})

test.each([
  ['without an amount', '', /asks for 100\stokens\./],
  ['with fewer tokens than are sold', '&coinAmount=1999', /asks for 1,999\stokens\./],
])('WAL-08 an address %s leads to the amounts of its wallet', async (_which, rest, asked) => {
  const screen = await openScreen({ path: `${PAGE}?walletId=${idOf(4)}${rest}` })
  await expect.element(text('Choose 2,000 tokens or more')).toBeVisible()
  await expect.element(page.getByText(asked)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Choose an Amount' }))
    .toHaveAttribute('href', `/wallets/${idOf(4)}`)
  expect(screen.server.calls('createTokenCheckoutSession')).toEqual([])
})

test('WAL-09 a payment is begun once, and its address names it', async () => {
  const screen = await openScreen({ path: BUY, answers })
  await expect.element(page.getByRole('heading', { name: 'Purchase Tokens' })).toBeVisible()
  await expect.element(page.getByTitle('Payment')).toBeInTheDocument()
  await expect.element(text('$20.00')).toBeVisible()
  await expect.poll(screen.path).toBe(`${BUY}&stripeCheckoutSessionId=test_session_1`)
  const calls = screen.server.calls('createTokenCheckoutSession')
  expect(calls.map(({ body }) => body)).toEqual([
    { walletId: idOf(4), orderId: null, stripeCheckoutSession: { coinAmount: 2000 } },
  ])
  expect(calls[0]?.idempotencyKey).not.toBeNull()
})

test('WAL-09 opening the same purchase again goes on with it', async () => {
  const screen = await openScreen({ path: BUY, answers })
  await expect.element(page.getByTitle('Payment')).toBeInTheDocument()
  await screen.goTo('/edits')
  await screen.goTo(BUY)
  await expect.element(page.getByTitle('Payment')).toBeInTheDocument()
  expect(screen.server.calls('createTokenCheckoutSession')).toHaveLength(1)
})

test("WAL-09 'Checkout Session Not Found' leads to the wallets", async () => {
  await openScreen({
    path: `${BUY}&stripeCheckoutSessionId=gone`,
    answers: { getTokenCheckoutSession: refused(404, 'payments/session-not-found') },
  })
  await expect.element(text('Checkout Session Not Found')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'View Your Wallets' }))
    .toHaveAttribute('href', '/wallets')
})

test('WAL-09 a session that was found is shown as it stands, and begins nothing', async () => {
  const screen = await openScreen({
    path: `${PAGE}?walletId=${idOf(4)}&stripeCheckoutSessionId=test_session_1`,
    answers: { getTokenCheckoutSession: session({ status: 'complete', payment: 'paid' }) },
  })
  await expect.element(text('Payment successful')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Back to Your Wallet' }))
    .toHaveAttribute('href', `/wallets/${idOf(4)}`)
  expect(screen.server.calls('createTokenCheckoutSession')).toEqual([])
})

test('WAL-09 an expired session is started again as another one', async () => {
  const screen = await openScreen({
    path: `${BUY}&stripeCheckoutSessionId=old`,
    answers: {
      getTokenCheckoutSession: session({ _id: 'old', status: 'expired' }),
      createTokenCheckoutSession: session({ _id: 'new' }),
    },
  })
  await page.getByRole('button', { name: 'Start again' }).click()
  await expect.poll(screen.path).toBe(`${BUY}&stripeCheckoutSessionId=new`)
  await expect.element(page.getByTitle('Payment')).toBeInTheDocument()
})

test('WAL-09 a refusal is said in its own words, and nothing is begun', async () => {
  const words = 'Choose 2,000 to 100,000 tokens.'
  const screen = await openScreen({
    path: BUY,
    answers: {
      createTokenCheckoutSession: refused(422, 'payments/amount-out-of-range', words),
    },
  })
  await expect.element(text('The payment could not be started')).toBeVisible()
  await expect.element(page.getByText(words)).toBeVisible()
  expect(await screen.db.checkouts.count()).toBe(0)
})

test('WAL-09 offline begins no payment, and begins it when the connection is back', async () => {
  const screen = await openScreen({ path: BUY, answers, network: 'offline' })
  await expect.element(text('A payment needs a connection.')).toBeVisible()
  expect(screen.server.calls('createTokenCheckoutSession')).toEqual([])
  screen.setNetwork('online')
  await expect.element(page.getByTitle('Payment')).toBeInTheDocument()
})

test('WAL-09 after a lost answer the payment is begun again by itself, under the same key', async () => {
  const screen = await openScreen({
    path: BUY,
    answers: { ...answers, createTokenCheckoutSession: unreachable },
  })
  await screen.letTimePassUntil(text('The payment could not be started'))
  screen.server.answer(answers)
  await screen.letTimePassUntil(page.getByTitle('Payment'))
  const keys = screen.server
    .calls('createTokenCheckoutSession')
    .map(({ idempotencyKey }) => idempotencyKey)
  expect(new Set(keys).size).toBe(1)
})

test('WAL-09 what a card charges beyond the wish is said before', async () => {
  await openScreen({
    path: `${PAGE}?walletId=${idOf(4)}&orderId=${idOf(3)}&coinAmount=20&stripeCheckoutSessionId=s`,
    answers: { getTokenCheckoutSession: session({ coinAmount: 20, chargedCoinAmount: 50 }) },
  })
  await expect
    .element(page.getByText(/A card pays at least 50 tokens\. The 30 tokens/))
    .toBeVisible()
  await expect.element(text('$0.50')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Back to Your Order' })).toBeVisible()
})

test('WAL-09 while the server has not answered, the page loads', async () => {
  await openScreen({ path: BUY, answers: { createTokenCheckoutSession: pending } })
  await expect.element(page.getByRole('status', { name: 'Loading the payment' })).toBeVisible()
})
