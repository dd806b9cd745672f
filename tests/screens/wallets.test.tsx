import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { env } from '#src/config/env.ts'
import { createLog } from '#src/lib/log.ts'
import { openChannelPort, createChannel } from '#src/local/channel/channel.ts'
import { accountDbName } from '#src/local/db/account-db.ts'
import { orderToRow } from '#src/local/db/to-rows.ts'
import { walletTransactions } from '#src/local/nouns/wallet-transactions.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import {
  fakeCheckoutSession,
  fakeOrder,
  fakeTransaction,
  fakeUploadRow,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { CREATOR, type Person } from './harness/creator.ts'
import { pending, refused, unreachable, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen, type Rows, type Screen } from './harness/open-screen.tsx'
import { watchForWords } from './harness/seen-words.ts'
import { speak } from './harness/speak.ts'

type Wallet = components['schemas']['Wallet']

const WALLET = `/wallets/${idOf(4)}`
const LATER: Person = { ...CREATOR, permissions: ['create:walletSubscriptions'] }
const text = (words: string) => page.getByText(words, { exact: true })
const button = (name: string) => page.getByRole('button', { name })
const link = (name: string) => page.getByRole('link', { name })

const answers = (
  changes: Partial<Wallet> = {},
  lines: components['schemas']['WalletCoinTransaction'][] = [fakeTransaction()],
): Answers => ({
  listWallets: { wallets: [fakeWallet(changes)] },
  getWallet: { wallet: fakeWallet(changes) },
  listWalletTransactions: { walletCoinTransactions: lines },
})

/** How the device lost what the server gave, and what it had. */
interface Leaving {
  readonly rows?: Rows
  readonly leave: (screen: Screen) => Promise<void>
  /** No sign-in follows. */
  readonly isSignedIn?: boolean
}

async function loseCookiesOnly(screen: Screen): Promise<void> {
  screen.dropCookies(true)
  await expect.element(page.getByText('Please log in again')).toBeVisible()
  await expect.poll(() => screen.db.table('wallets').count()).toBe(0)
}

async function loseCookies(screen: Screen): Promise<void> {
  screen.dropCookies(true)
  await expect.element(page.getByText('Please log in again')).toBeVisible()
  await expect.poll(() => screen.local.account()).toBeNull()
}

/** As another tab that signs out: its message comes first, then the cookies are gone. */
async function signOutElsewhere(screen: Screen): Promise<void> {
  const otherTab = createChannel({ port: openChannelPort(), log: createLog('local') })
  onTestFinished(() => otherTab.close())
  otherTab.send({ v: 1, type: 'account-wiping', userId: CREATOR.userId })
  await expect.poll(() => screen.local.account()).toBeNull()
  screen.dropCookies(false)
  otherTab.send({ v: 1, type: 'session-changed', userId: null })
  await expect.poll(screen.path).toBe('/login')
  // This page removes it too: a deletion in the middle of that would be a third tab's.
  await expect.poll(isAccountDbHere).toBe(false)
}

async function letAnotherIn(screen: Screen): Promise<void> {
  screen.signIn({ ...CREATOR, userId: idOf(98) })
  await expect.poll(() => screen.local.account()?.userId).toBe(idOf(98))
}

async function isAccountDbHere(): Promise<boolean> {
  const all = await indexedDB.databases()
  return all.some(({ name }) => name === accountDbName(CREATOR.userId))
}

function deleteAccountDb(): Promise<unknown> {
  return new Promise((resolve) => {
    indexedDB.deleteDatabase(accountDbName(CREATOR.userId)).addEventListener('success', resolve)
  })
}

async function deleteData(screen: Screen): Promise<void> {
  const lost = screen.db
  await deleteAccountDb()
  await expect.poll(() => screen.local.account()?.db).not.toBe(lost)
}

/** The build hides payments until the end of the test. */
function hidePayments(): void {
  Object.assign(env, { paymentsEnabled: false })
  onTestFinished(() => void Object.assign(env, { paymentsEnabled: true }))
}

describe('/wallets', () => {
  const two: Answers = {
    ...answers(),
    listWallets: {
      wallets: [
        fakeWallet(),
        fakeWallet({ _id: idOf(5), coinBalance: -20, spendableCoinAmount: 0 }),
      ],
    },
  }

  describe('WAY-04 wallets that are not here any more are not none', () => {
    test.each<readonly [string, Leaving]>([
      ['after cookies were lost', { leave: loseCookies }],
      [
        'after cookies were lost with an upload under way',
        { rows: { uploads: [fakeUploadRow()] }, leave: loseCookiesOnly },
      ],
      ['after a sign-out in another tab', { leave: signOutElsewhere }],
      ['after another person was here', { leave: letAnotherIn }],
      ['after the browser deleted what it had', { leave: deleteData, isSignedIn: true }],
    ])('%s', async (_when, { rows = {}, leave, isSignedIn = false }) => {
      const screen = await openScreen({ path: '/wallets', answers: two, rows })
      const list = page.getByRole('main').getByRole('listitem')
      await expect.poll(() => list.elements().length).toBe(2)
      const saysNone = watchForWords('No Wallets Found')
      screen.server.answer({ listWallets: pending })
      const asked = () => screen.server.calls('listWallets').length
      const askedBefore = asked()
      await leave(screen)
      if (!isSignedIn) {
        screen.signIn(CREATOR)
        await expect.poll(() => screen.local.account()?.userId).toBe(CREATOR.userId)
        await screen.goTo('/wallets')
      }
      await expect.poll(asked).toBeGreaterThan(askedBefore)
      await expect.element(page.getByRole('status', { name: 'Loading your wallets' })).toBeVisible()
      // By the end of this read the screen has what it read of the device too.
      await screen.db.transaction('rw', screen.db.tables, () => screen.db.table('wallets').count())
      await expect.element(page.getByRole('status', { name: 'Loading your wallets' })).toBeVisible()
      expect(saysNone()).toBe(false)
    })
  })

  test('WAL-01 each wallet is a card with its badge that leads on', async () => {
    const screen = await openScreen({ path: '/wallets', answers: two })
    await expect.element(text('Negative Balance')).toBeVisible()
    await expect.element(text('Active')).toBeVisible()
    await page.getByRole('link', { name: /Wallet ending in 000004/ }).click()
    await expect.poll(screen.path).toBe(WALLET)
    // The link that had the focus is gone.
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  })

  test('WAL-01 the only wallet is shown at once, and Back does not return to the list', async () => {
    const screen = await openScreen({ path: '/edits', answers: answers() })
    await screen.goTo('/wallets')
    await expect.poll(screen.path).toBe(WALLET)
    await screen.goBack()
    await expect.poll(screen.path).toBe('/edits')
  })

  test("WAL-02 'No Wallets Found' leads to the profile", async () => {
    await openScreen({ path: '/wallets' })
    await expect.element(text('No Wallets Found')).toBeVisible()
    await expect.element(link('Complete Your Profile')).toHaveAttribute('href', '/create-profile')
  })

  test("WAL-02 'Failed to fetch wallets' says why and tries again", async () => {
    const screen = await openScreen({
      path: '/wallets',
      answers: { listWallets: refused(422, 'request/invalid', 'No wallets today.') },
    })
    await expect.element(text('Failed to fetch wallets')).toBeVisible()
    screen.server.answer(two)
    await button('Try Again').click()
    await expect.element(text('Negative Balance')).toBeVisible()
  })

  test('WAL-02 a new device without an answer shows that it loads', async () => {
    await openScreen({ path: '/wallets', answers: { listWallets: pending } })
    await expect.element(page.getByRole('status', { name: 'Loading your wallets' })).toBeVisible()
  })
})

describe('/wallets/{walletId}', () => {
  test("WAL-02 'Wallet Not Found' of a wallet that is not there", async () => {
    await openScreen({
      path: WALLET,
      answers: { getWallet: refused(404, 'wallets/not-found') },
    })
    await expect.element(text('Wallet Not Found')).toBeVisible()
    await expect
      .element(text("The requested wallet could not be found or you don't have access to it."))
      .toBeVisible()
  })

  test('WAL-03 shows balance and history of this device before the server answers', async () => {
    await openScreen({
      path: WALLET,
      rows: {
        wallets: [wallets.toRow(fakeWallet(), NOW)],
        walletTransactions: [walletTransactions.toRow(fakeTransaction(), NOW)],
      },
      answers: { ...answers(), getWallet: pending, listWalletTransactions: pending },
    })
    await expect.element(page.getByText('1,000 tokens').first()).toBeVisible()
    await expect.element(text('$10.00')).toBeVisible()
    await expect.element(text('Welcome tokens')).toBeVisible()
  })

  test('WAL-03 without the server it says how old the balance is', async () => {
    const screen = await openScreen({
      path: WALLET,
      rows: { wallets: [wallets.toRow(fakeWallet(), NOW)] },
      network: 'server-away',
    })
    await screen.letTimePassUntil(page.getByText(/^As of .* It is updated as soon as/))
    await screen.letTimePassUntil(text('Unable to fetch the transactions'))
    await expect.element(text('$10.00')).toBeVisible()
  })

  test('WAL-03 a credit limit is shown where there is one', async () => {
    await openScreen({ path: WALLET, answers: answers({ creditLimitCoinAmount: 500 }) })
    await expect.element(text('Credit limit')).toBeVisible()
    await expect.element(text('500 tokens')).toBeVisible()
  })

  test('WAL-03 no credit limit is shown where there is none', async () => {
    await openScreen({ path: WALLET, answers: answers() })
    await expect.element(text('Available to spend')).toBeVisible()
    await expect.element(text('Credit limit')).not.toBeInTheDocument()
  })

  test('WAL-03 tokens that expire on one day are added up, also those of a refund', async () => {
    const lots = [
      { coinAmount: 170, expiresAt: '2026-12-03T09:00:00.000Z' },
      { coinAmount: 150, expiresAt: '2026-12-03T09:30:00.000Z' },
      { coinAmount: 40, expiresAt: '2026-12-04T09:00:00.000Z' },
    ]
    const screen = await openScreen({ path: WALLET, answers: answers({ expiringLots: lots }) })
    await expect.element(text('320 tokens valid until Dec 3, 2026')).toBeVisible()
    await expect.element(text('40 tokens valid until Dec 4, 2026')).toBeVisible()
    await screen.goTo('/uploads/new')
    await expect.element(page.getByText(/ 320 tokens are valid until Dec 3, 2026\.$/)).toBeVisible()
  })

  test('WAL-04 the panel says what can be done, also with debt', async () => {
    await openScreen({
      path: WALLET,
      answers: answers({ coinBalance: -40, spendableCoinAmount: 0 }),
    })
    await expect.element(text('Ready to Get Started')).toBeVisible()
    await expect.element(page.getByText(/40 tokens are owed/)).toBeVisible()
    await expect.element(text('-$0.40')).toBeVisible()
  })

  test('WAL-05 holders buy $20, $50 or an amount of their own', async () => {
    await openScreen({ path: WALLET, answers: answers() })
    await expect.element(text('Ready to Use')).toBeVisible()
    const checkout = `/wallet-coin-transactions/stripe/checkout?walletId=${idOf(4)}`
    await expect.element(link('Add $20')).toHaveAttribute('href', `${checkout}&coinAmount=2000`)
    await expect.element(link('Add $50')).toHaveAttribute('href', `${checkout}&coinAmount=5000`)
    await expect.element(button('Custom Amount')).toBeVisible()
    await expect.element(text('Subscription Required')).not.toBeInTheDocument()
  })

  test("WAL-05 others meet 'Subscription Required', which closes by its button", async () => {
    await openScreen({ path: WALLET, person: LATER, answers: answers() })
    await expect.element(page.getByRole('dialog', { name: 'Subscription Required' })).toBeVisible()
    await expect
      .element(link('Subscribe Now'))
      .toHaveAttribute('href', '/subscriptions/stripe/checkout')
    await button('Not Now').click()
    await expect.element(text('Subscription Required')).not.toBeInTheDocument()
    await expect.element(text('Subscription Needed')).toBeVisible()
    await expect.element(text('Subscription required to use these tokens')).toBeVisible()
    await expect.element(link('Subscribe for Monthly Tokens')).toBeVisible()
    await expect.element(link('Add $20')).not.toBeInTheDocument()
  })

  test('WAL-05 the dialog closes by a press outside, and says nothing of tokens that are not there', async () => {
    await openScreen({
      path: WALLET,
      person: LATER,
      answers: answers({ coinBalance: 0, spendableCoinAmount: 0 }),
    })
    await expect.element(page.getByRole('dialog', { name: 'Subscription Required' })).toBeVisible()
    await page.elementLocator(document.body).click({ position: { x: 4, y: 4 }, force: true })
    await expect.element(text('Subscription Required')).not.toBeInTheDocument()
    await expect.element(text('Ready to Get Started')).toBeVisible()
    await expect.element(text('Subscription required to use these tokens')).not.toBeInTheDocument()
  })

  test('APP-21 without payments nothing is sold and no subscription is asked for', async () => {
    hidePayments()
    const screen = await openScreen({ path: WALLET, person: LATER, answers: answers() })
    await expect.element(text('Welcome tokens')).toBeVisible()
    await expect.element(text('Add tokens')).not.toBeInTheDocument()
    await expect.element(text('Subscription Required')).not.toBeInTheDocument()
    await screen.goTo(`/wallet-coin-transactions/stripe/checkout?walletId=${idOf(4)}`)
    await expect.element(page.getByText('404')).toBeVisible()
  })

  test('WAL-06 every line shows its date, expiry and amount, and leads to what it is about', async () => {
    await openScreen({
      path: WALLET,
      answers: answers({}, [
        fakeTransaction(),
        fakeTransaction({
          _id: idOf(31),
          kind: 'order-payment',
          coinAmount: -300,
          description: null,
          coinsExpireAfterAt: null,
          orderId: idOf(3),
          subject: { kind: 'order', _id: idOf(3) },
          createdAt: '2026-11-21T09:00:00.000Z',
        }),
        fakeTransaction({
          _id: idOf(32),
          kind: 'purchase',
          coinAmount: 2000,
          description: 'Tokens',
          coinsExpireAfterAt: null,
          subject: { kind: 'checkout-session', _id: idOf(8) },
          createdAt: '2026-11-21T08:00:00.000Z',
        }),
      ]),
    })
    const rows = page.getByRole('row')
    await expect
      .poll(() => rows.elements().map((row) => row.textContent))
      .toEqual([
        expect.any(String),
        expect.stringMatching(/No description.*Nov 21, 2026.*-300/),
        expect.stringMatching(/Tokens.*Never.*\+2,000/),
        expect.stringMatching(/Welcome tokens.*Nov 27, 2026.*\+1,000/),
      ])
    await expect
      .element(link('View order'))
      .toHaveAttribute('href', `/uploads/orders/${idOf(3)}/checkout`)
    await expect.element(link('View purchase')).toBeVisible()
  })

  test("WAL-06 an empty history says 'No Transactions Yet'", async () => {
    await openScreen({ path: WALLET, answers: answers({}, []) })
    await expect.element(text('No Transactions Yet')).toBeVisible()
  })

  test('WAL-06 a long history is shown in parts, and a line leads to an older one', async () => {
    const lines = Array.from({ length: 80 }, (_, at) =>
      fakeTransaction({
        _id: idOf(1000 + at),
        description: `line ${at}`,
        createdAt: new Date(NOW - at * 60_000).toISOString(),
        ...(at === 0
          ? {
              kind: 'expiry' as const,
              coinAmount: -10,
              subject: { kind: 'wallet-coin-transaction' as const, _id: idOf(1060) },
            }
          : {}),
      }),
    )
    await openScreen({ path: WALLET, answers: answers({}, lines) })
    await expect.element(text('line 0')).toBeVisible()
    await expect.element(text('line 60')).not.toBeInTheDocument()
    await link('View grant').click()
    await expect.element(text('line 60')).toBeVisible()
    await button('Show Older').click()
    await expect.element(text('line 79')).toBeInTheDocument()
  })

  test('WAL-07 the amount box refuses what cannot be bought and shows the cost', async () => {
    const screen = await openScreen({
      path: WALLET,
      answers: {
        ...answers(),
        createTokenCheckoutSession: pending,
      },
    })
    await button('Custom Amount').click()
    const box = page.getByRole('textbox', { name: 'Tokens' })
    await expect.element(box).toHaveValue('6969')
    await expect.element(text('6,969 tokens, $69.69')).toBeVisible()
    await userEvent.fill(box, '1999')
    await expect.element(text('Minimum 2,000 tokens required')).toBeVisible()
    await expect.element(button('Continue to Payment')).toBeDisabled()
    await userEvent.fill(box, '100001')
    await expect.element(text('Maximum 100,000 tokens allowed')).toBeVisible()
    await button('20,000').click()
    await expect.element(text('20,000 tokens, $200.00')).toBeVisible()
    await button('Continue to Payment').click()
    await expect
      .poll(screen.path)
      .toBe(`/wallet-coin-transactions/stripe/checkout?walletId=${idOf(4)}&coinAmount=20000`)
  })

  test('TYP-01 the amount box says what it read before it is paid, in every language', async () => {
    speak('de')
    const screen = await openScreen({
      path: WALLET,
      answers: { ...answers(), createTokenCheckoutSession: pending },
    })
    await button('Custom Amount').click()
    const box = page.getByRole('textbox', { name: 'Tokens' })
    for (const odd of ['500,00', '2500,5', '2.500,00']) {
      await userEvent.fill(box, odd)
      await expect
        .element(text('Please enter whole tokens, without decimals, for example 2,500'))
        .toBeVisible()
      await expect.element(button('Continue to Payment')).toBeDisabled()
    }
    await expect.element(box).toHaveStyle({ direction: 'ltr', unicodeBidi: 'bidi-override' })
    for (const same of ['٢٬٥٠٠', '2.500']) {
      await userEvent.fill(box, same)
      await expect.element(text('2,500 tokens, $25.00')).toBeVisible()
    }
    await button('Continue to Payment').click()
    await expect
      .poll(screen.path)
      .toBe(`/wallet-coin-transactions/stripe/checkout?walletId=${idOf(4)}&coinAmount=2500`)
  })

  test('WAL-07 the box starts with what covers an order of this device', async () => {
    await openScreen({
      path: WALLET,
      rows: {
        orders: [orderToRow(fakeOrder({ remainingPayableCoinAmount: 4000 }), NOW)],
        wallets: [wallets.toRow(fakeWallet(), NOW)],
      },
      answers: answers(),
    })
    await button('Custom Amount').click()
    await expect.element(page.getByRole('textbox', { name: 'Tokens' })).toHaveValue('5000')
    await expect.element(text('Your order lacks 3,000 tokens.')).toBeVisible()
  })

  test('WAL-09 a payment that was begun here and has not ended is a row that leads back', async () => {
    const checkout = {
      key: 'one',
      walletId: idOf(4),
      orderId: null,
      coinAmount: 2000,
      idempotencyKey: 'key',
      sessionId: 'test_session_1',
      createdAtEpochMs: NOW,
    }
    const screen = await openScreen({
      path: WALLET,
      rows: { checkouts: [checkout] },
      answers: {
        ...answers(),
        getTokenCheckoutSession: {
          stripeCheckoutSession: fakeCheckoutSession({ status: 'complete' }),
        },
      },
    })
    await expect.element(text('Your payment is on its way: 2,000 tokens')).toBeVisible()
    await expect
      .element(link('View Payment'))
      .toHaveAttribute('href', expect.stringContaining('stripeCheckoutSessionId=test_session_1'))
    await screen.db.checkouts.clear()
    await expect.element(link('View Payment')).not.toBeInTheDocument()
  })

  test('WAL-09 a payment that has ended meanwhile is no row any more', async () => {
    const screen = await openScreen({
      path: WALLET,
      rows: {
        checkouts: [
          {
            key: 'one',
            walletId: idOf(4),
            orderId: null,
            coinAmount: 2000,
            idempotencyKey: 'key',
            sessionId: 'test_session_1',
            createdAtEpochMs: NOW,
          },
        ],
      },
      answers: {
        ...answers(),
        getTokenCheckoutSession: {
          stripeCheckoutSession: fakeCheckoutSession({ status: 'expired' }),
        },
      },
    })
    await expect.poll(() => screen.db.checkouts.count()).toBe(0)
    await expect.element(link('View Payment')).not.toBeInTheDocument()
  })

  test('WAL-03 at 360 px nothing is wider than the screen', async () => {
    await page.viewport(360, 780)
    onTestFinished(() => page.viewport(1280, 800))
    await openScreen({ path: WALLET, answers: answers() })
    await expect.element(text('Welcome tokens')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  })
})

test('WAL-02 the wallet of this device stays readable when the server is away', async () => {
  await openScreen({
    path: '/wallets',
    rows: { wallets: [wallets.toRow(fakeWallet(), NOW)] },
    answers: {
      listWallets: unreachable,
      getWallet: unreachable,
      listWalletTransactions: unreachable,
    },
  })
  await expect.element(page.getByText('1,000 tokens').first()).toBeVisible()
})
