import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { walletSubscriptions } from '#src/local/nouns/wallet-subscriptions.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import { fakeSubscription, fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { pending, refused, unreachable, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen, type Rows, type Screen } from './harness/open-screen.tsx'

type Subscription = components['schemas']['WalletSubscription']

const LIST = '/subscriptions'
const ONE = `/subscriptions/${idOf(50)}`
const rows = (...all: readonly Subscription[]): Rows => ({
  walletSubscriptions: all.map((one) => walletSubscriptions.toRow(one, NOW)),
})
/** A server with these subscriptions. */
const answers = (...all: readonly Subscription[]): Answers => ({
  listWalletSubscriptions: { walletSubscriptions: [...all] },
  ...(all[0] === undefined ? {} : { getWalletSubscription: { walletSubscription: all[0] } }),
})
const button = (name: string) => page.getByRole('button', { name })
const link = (name: string) => page.getByRole('link', { name })
const dialog = page.getByRole('alertdialog', { name: 'Cancel Subscription?' })
const canceling = fakeSubscription({
  status: 'canceling',
  cancelAtPeriodEnd: true,
  usableUntil: '2026-12-21T09:30:00.000Z',
})
const expired = fakeSubscription({
  status: 'expired',
  usableUntil: null,
  expiresAt: '2026-11-01T09:30:00.000Z',
})

describe('the list', () => {
  test('SUB-03 shows what this device has before the server answers', async () => {
    await openScreen({
      path: LIST,
      rows: rows(fakeSubscription()),
      answers: { listWalletSubscriptions: pending },
    })
    await expect.element(page.getByRole('heading', { name: 'Your Subscriptions' })).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Standard' })).toBeVisible()
    await expect.element(page.getByText('Active')).toBeVisible()
    await expect.element(page.getByText('November 21, 2026')).toBeVisible()
    await expect.element(page.getByText('Renews on')).toBeVisible()
    await expect.element(page.getByText('December 21, 2026')).toBeVisible()
    await expect.element(page.getByText('1,900 tokens')).toBeVisible()
    await expect.element(page.getByText(idOf(50))).toBeVisible()
  })

  test('SUB-03 shows neither a subscription nor their absence while nothing is known', async () => {
    await openScreen({ path: LIST, answers: { listWalletSubscriptions: pending } })
    await expect
      .element(page.getByRole('status', { name: 'Loading your subscriptions' }))
      .toBeVisible()
    await expect.element(page.getByText('No Active Subscriptions')).not.toBeInTheDocument()
  })

  test('SUB-07 without any says what a subscription gives, and leads to it', async () => {
    await openScreen({ path: LIST, answers: answers() })
    await expect.element(page.getByText('No Active Subscriptions')).toBeVisible()
    await expect
      .element(page.getByText('1,900 monthly token credits that expire monthly'))
      .toBeVisible()
    await expect.element(page.getByText('Unlimited video uploads')).toBeVisible()
    await expect.element(page.getByText('Cancel anytime')).toBeVisible()
    await expect
      .element(link('Create Subscription'))
      .toHaveAttribute('href', '/subscriptions/stripe/checkout')
  })

  test('SUB-03 says why the list could not be read, and reads it again', async () => {
    const screen = await openScreen({
      path: LIST,
      answers: { listWalletSubscriptions: refused(422, 'request/invalid', 'Not today.') },
    })
    await expect.element(page.getByText('Unable to fetch your subscriptions')).toBeVisible()
    await expect.element(page.getByText('Not today.')).toBeVisible()
    await expect.element(page.getByText('No Active Subscriptions')).not.toBeInTheDocument()
    screen.server.answer(answers(fakeSubscription()))
    await button('Try Again').click()
    await expect.element(page.getByRole('heading', { name: 'Standard' })).toBeVisible()
  })

  test('SUB-03 offers another subscription only where every one is over', async () => {
    const screen = await openScreen({ path: LIST, answers: answers(expired) })
    await expect.element(page.getByText('Expired', { exact: true })).toBeVisible()
    await expect
      .element(link('Add New Subscription'))
      .toHaveAttribute('href', '/subscriptions/stripe/checkout')
    await screen.db.walletSubscriptions.put(
      walletSubscriptions.toRow({ ...canceling, _id: idOf(51) }, NOW),
    )
    await expect.element(page.getByText('Cancels at period end')).toBeVisible()
    await expect.element(link('Add New Subscription')).not.toBeInTheDocument()
  })

  test('SUB-04 a payment problem says until when tokens work, and when they no longer do', async () => {
    const problem = fakeSubscription({
      status: 'payment-problem',
      usableUntil: '2026-11-23T12:00:00.000Z',
    })
    const screen = await openScreen({ path: LIST, answers: answers(problem) })
    await expect.element(page.getByText('Payment problem')).toBeVisible()
    await expect
      .element(page.getByText(/spend the tokens that have not expired, until November 23, 2026/))
      .toBeVisible()
    await screen.db.walletSubscriptions.put(
      walletSubscriptions.toRow({ ...problem, usableUntil: '2026-11-20T12:00:00.000Z' }, NOW + 1),
    )
    await expect
      .element(page.getByText(/spend tokens again when the payment has gone through/))
      .toBeVisible()
  })
})

describe('a card that is declined', () => {
  const URL_OF_PORTAL = 'https://pay.example/portal/p_1'
  const open = (createPortalSession: Answers['createPortalSession']): Promise<Screen> =>
    openScreen({
      path: ONE,
      answers: {
        ...answers(fakeSubscription({ status: 'payment-problem' })),
        ...(createPortalSession === undefined ? {} : { createPortalSession }),
      },
    })
  /** What the browser does with a new tab. */
  const tabs = (tab: object | null) => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(tab as Window | null)
    onTestFinished(() => opened.mockRestore())
    return opened
  }

  test('SUB-04 is changed on a page of the provider, in a tab that cannot reach this one', async () => {
    const tab = { opener: window }
    const opened = tabs(tab)
    await open({ portalSession: { url: URL_OF_PORTAL } })
    await button('Update card').click()
    await expect.element(page.getByText(/open in another tab/)).toBeVisible()
    expect(opened).toHaveBeenCalledExactlyOnceWith(URL_OF_PORTAL, '_blank')
    expect(tab.opener).toBeNull()
  })

  test('SUB-04 leads there by a link when the browser opens no tab', async () => {
    tabs(null)
    await open({ portalSession: { url: URL_OF_PORTAL } })
    await button('Update card').click()
    await expect.element(link('Open the payment page')).toHaveAttribute('href', URL_OF_PORTAL)
    await expect.element(link('Open the payment page')).toHaveAttribute('target', '_blank')
  })

  test('SUB-04 says why the page could not be opened, and tries again', async () => {
    const opened = tabs({ opener: null })
    const screen = await open(refused(503, 'payments/provider-away', 'Stripe is away.'))
    await button('Update card').click()
    await expect
      .element(page.getByText('Stripe is away. Please try again in a moment.'))
      .toBeVisible()
    expect(opened).not.toHaveBeenCalled()
    screen.server.answer({ createPortalSession: { portalSession: { url: URL_OF_PORTAL } } })
    await button('Update card').click()
    await expect.poll(() => opened.mock.calls.length).toBe(1)
  })
})

describe('cancelling', () => {
  const open = (more: Answers, path = LIST): Promise<Screen> =>
    openScreen({
      path,
      rows: rows(fakeSubscription()),
      answers: { ...answers(fakeSubscription()), ...more },
    })
  /** The server cancels, and knows it from then on. */
  const cancels = (screen: () => Screen): Answers => ({
    cancelWalletSubscription: () => {
      screen().server.answer(answers(canceling))
      return { walletSubscription: canceling }
    },
  })

  test('SUB-05 asks first, saying what becomes of the tokens', async () => {
    const wallet = fakeWallet({
      coinBalance: 6900,
      expiringLots: [
        { coinAmount: 1600, expiresAt: '2026-12-22T09:30:00.000Z' },
        { coinAmount: 300, expiresAt: '2026-12-22T09:30:00.000Z' },
      ],
    })
    const screen = await openScreen({
      path: LIST,
      rows: { ...rows(fakeSubscription()), wallets: [wallets.toRow(wallet, NOW)] },
      answers: { ...answers(fakeSubscription()), listWallets: { wallets: [wallet] } },
    })
    await button('Cancel Subscription').click()
    await expect.element(dialog).toBeVisible()
    await expect.element(dialog.getByText(/remain in your wallet cannot be spent/)).toBeVisible()
    await expect.element(dialog.getByText('You get no more monthly tokens.')).toBeVisible()
    await expect.element(dialog.getByText('You can subscribe again at any time.')).toBeVisible()
    await expect.element(dialog.getByText('1,900 tokens expire on December 22, 2026')).toBeVisible()
    await expect.element(dialog.getByText('5,000 tokens never expire')).toBeVisible()
    await button('Keep Subscription').click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(screen.server.calls('cancelWalletSubscription')).toEqual([])
  })

  test('SUB-05 cancels at the end of the period, and can be taken back', async () => {
    const screen: Screen = await open({
      ...cancels(() => screen),
      resumeWalletSubscription: () => {
        screen.server.answer(answers(fakeSubscription()))
        return { walletSubscription: fakeSubscription() }
      },
    })
    await button('Cancel Subscription').click()
    await dialog.getByRole('button', { name: 'Cancel Subscription' }).click()
    await expect
      .element(
        page.getByText(
          /Subscription cancelled successfully\. It will remain active until the end of the current billing period\.$/,
        ),
      )
      .toBeVisible()
    await expect.element(page.getByText('Cancels at period end')).toBeVisible()
    await expect.element(button('Cancel Subscription')).not.toBeInTheDocument()
    await button('Keep my subscription').click()
    await expect.element(page.getByText('Active')).toBeVisible()
    await expect.element(button('Cancel Subscription')).toBeVisible()
  })

  test("SUB-05 both buttons are disabled and one says 'Canceling...' while it runs", async () => {
    await open({ cancelWalletSubscription: pending })
    await button('Cancel Subscription').click()
    await dialog.getByRole('button', { name: 'Cancel Subscription' }).click()
    await expect.element(button('Canceling...')).toBeDisabled()
    await expect.element(button('Keep Subscription')).toBeDisabled()
  })

  test('SUB-05 a refusal says so in the dialog, where it can be tried again', async () => {
    const screen: Screen = await open({
      cancelWalletSubscription: refused(409, 'subscriptions/not-cancelable', 'It is over.'),
    })
    await button('Cancel Subscription').click()
    await dialog.getByRole('button', { name: 'Cancel Subscription' }).click()
    await expect
      .element(page.getByText('Failed to cancel subscription. Please try again.'))
      .toBeVisible()
    await expect.element(page.getByText('It is over.')).toBeVisible()
    screen.server.answer(cancels(() => screen))
    await dialog.getByRole('button', { name: 'Cancel Subscription' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test('SUB-05 without an answer does not say that it failed', async () => {
    await open({ cancelWalletSubscription: unreachable })
    await button('Cancel Subscription').click()
    await dialog.getByRole('button', { name: 'Cancel Subscription' }).click()
    await expect
      .element(page.getByText(/do not know yet whether your subscription was cancelled/))
      .toBeVisible()
    await expect.element(page.getByText(/Failed to cancel/)).not.toBeInTheDocument()
  })

  test('SUB-06 on the page of one subscription leads to the list', async () => {
    const screen: Screen = await open(
      cancels(() => screen),
      ONE,
    )
    await button('Cancel Subscription').click()
    await dialog.getByRole('button', { name: 'Cancel Subscription' }).click()
    await expect.poll(screen.path).toBe(LIST)
    await expect.element(page.getByText('Cancels at period end')).toBeVisible()
  })
})

describe('one subscription', () => {
  test('SUB-06 shows what this device has of it', async () => {
    await openScreen({
      path: ONE,
      rows: rows(canceling),
      answers: { ...answers(canceling), getWalletSubscription: pending },
    })
    await expect.element(page.getByRole('heading', { name: 'Standard' })).toBeVisible()
    await expect.element(page.getByText('Ends on')).toBeVisible()
    await expect.element(page.getByText('Cancellation')).toBeVisible()
    expect(page.getByText('Cancels at period end').elements()).toHaveLength(2)
    await expect.element(page.getByText(idOf(50))).toBeVisible()
  })

  test("SUB-06 'Wallet subscription not found' where there is none", async () => {
    await openScreen({
      path: ONE,
      answers: { getWalletSubscription: refused(404, 'subscriptions/not-found') },
    })
    await expect.element(page.getByText('Wallet subscription not found')).toBeVisible()
    await expect.element(link('All Subscriptions')).toHaveAttribute('href', LIST)
  })

  test('SUB-06 another failure does not say that there is none', async () => {
    await openScreen({
      path: ONE,
      answers: { getWalletSubscription: refused(422, 'request/invalid', 'Not today.') },
    })
    await expect.element(page.getByText('Unable to fetch your subscription')).toBeVisible()
    await expect.element(page.getByText('Wallet subscription not found')).not.toBeInTheDocument()
  })
})

describe('the menu', () => {
  test('APP-12 leads to My Subscriptions, at 360 px too', async () => {
    const screen = await openScreen({ path: '/edits', answers: answers() })
    await button('Account').click()
    await page.getByRole('menuitem', { name: 'My Subscriptions' }).click()
    await expect.poll(screen.path).toBe(LIST)
    await page.viewport(360, 780)
    onTestFinished(() => page.viewport(1280, 800))
    await button('Open menu').click()
    await expect.element(link('My Subscriptions')).toHaveAttribute('href', LIST)
  })
})
