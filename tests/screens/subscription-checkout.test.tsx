import { describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { CheckoutSession } from '#src/hooks/pay/use-checkout-session.ts'
import { fakeCheckoutSession, fakeSubscription, idOf } from '#tests/fakes/fake-rows.ts'
import { CREATOR, meOf, type Person } from './harness/creator.ts'
import { pending, refused, unreachable, type Answers } from './harness/fake-server.ts'
import { openScreen, type Screen } from './harness/open-screen.tsx'
import { withoutPayments } from './harness/without-payments.ts'

const CHECKOUT = '/subscriptions/stripe/checkout'
const NAMED = `${CHECKOUT}?stripeCheckoutSessionId=cs_test_1`
const link = (name: string) => page.getByRole('link', { name })
const button = (name: string) => page.getByRole('button', { name })
const title = page.getByRole('heading', { name: 'Subscribe for Tokens' })
const blank = (): string => {
  const url = URL.createObjectURL(new Blob(['<title>Pay</title>'], { type: 'text/html' }))
  onTestFinished(() => URL.revokeObjectURL(url))
  return url
}
const session = (changes: Partial<CheckoutSession> = {}): CheckoutSession =>
  fakeCheckoutSession({
    _id: 'cs_test_1',
    planSlug: 'standard',
    coinAmount: null,
    chargedCoinAmount: null,
    payUrl: blank(),
    ...changes,
  })
/** A server that has this session. */
const answers = (one = session()): Answers => ({
  createSubscriptionCheckoutSession: { stripeCheckoutSession: one },
  getSubscriptionCheckoutSession: { stripeCheckoutSession: one },
  listWalletSubscriptions: { walletSubscriptions: [] },
})
/** A person on the eighth day. */
const ended: Person = { ...CREATOR, permissions: ['create:walletSubscriptions'] }
const paid = { status: 'complete', payment: 'paid' } as const

/** As a build does whose flag is not 'true'. */
describe('the checkout of a subscription', () => {
  test('SUB-01 begins one session for a visit, which the address names from then on', async () => {
    const screen = await openScreen({ path: CHECKOUT, answers: answers() })
    await expect.element(title).toBeVisible()
    await expect.element(page.getByTitle('Payment')).toBeInTheDocument()
    await expect.poll(screen.path).toBe(NAMED)
    const calls = screen.server.calls('createSubscriptionCheckoutSession')
    expect(calls.map(({ body }) => body)).toEqual([
      { stripeCheckoutSession: { planSlug: 'standard' } },
    ])
    expect(calls[0]?.idempotencyKey).not.toBe(null)
  })

  test('SUB-01 shows the session of the address and begins none', async () => {
    const screen = await openScreen({ path: NAMED, answers: answers() })
    await expect.element(page.getByTitle('Payment')).toBeInTheDocument()
    expect(screen.server.calls('getSubscriptionCheckoutSession')[0]?.params).toEqual({
      id: 'cs_test_1',
    })
    expect(screen.server.calls('createSubscriptionCheckoutSession')).toEqual([])
  })

  test('SUB-01 says beside the payment what is bought, while it is still being opened', async () => {
    await openScreen({
      path: CHECKOUT,
      answers: { createSubscriptionCheckoutSession: pending },
    })
    await expect.element(page.getByRole('status', { name: 'Loading the payment' })).toBeVisible()
    for (const name of ['Monthly Token Delivery', 'Flexible Cancellation', 'Secure Payment'])
      await expect.element(page.getByRole('heading', { name })).toBeVisible()
    await expect.element(page.getByText(/^1,900 tokens come to your wallet/)).toBeVisible()
    await expect.element(page.getByText('$19.00 each month')).toBeVisible()
  })

  test("SUB-01 'Checkout Session Not Found' leads to the subscriptions", async () => {
    const screen = await openScreen({
      path: NAMED,
      answers: {
        ...answers(),
        getSubscriptionCheckoutSession: refused(404, 'payments/session-not-found'),
      },
    })
    await expect.element(page.getByText('Checkout Session Not Found')).toBeVisible()
    await expect
      .element(
        page.getByText(
          "We couldn't find your checkout session. Please try again or contact support if the issue persists.",
        ),
      )
      .toBeVisible()
    await link('Back to Your Subscriptions').click()
    await expect.poll(screen.path).toBe('/subscriptions')
  })

  test('SUB-01 without a connection says so, and begins when it is tried again', async () => {
    const screen = await openScreen({
      path: CHECKOUT,
      answers: { createSubscriptionCheckoutSession: unreachable },
    })
    await expect.element(page.getByText(/It is safe to try again/)).toBeVisible()
    screen.server.answer(answers())
    await button('Try again').click()
    await expect.element(page.getByTitle('Payment')).toBeInTheDocument()
  })

  test('SUB-01 who has a subscription is led to it', async () => {
    await openScreen({
      path: CHECKOUT,
      answers: {
        createSubscriptionCheckoutSession: refused(
          409,
          'subscriptions/already-active',
          'You already have a subscription.',
        ),
      },
    })
    await expect.element(page.getByText('You already have a subscription.')).toBeVisible()
    await expect.element(link('My Subscriptions')).toHaveAttribute('href', '/subscriptions')
  })

  test('SUB-01 a session that was left begins again as another one', async () => {
    const screen = await openScreen({
      path: NAMED,
      answers: answers(session({ status: 'expired' })),
    })
    await expect
      .element(page.getByText('This payment was not finished. Nothing was taken.'))
      .toBeVisible()
    screen.server.answer(answers(session({ _id: 'cs_test_2' })))
    await button('Start again').click()
    await expect.element(page.getByTitle('Payment')).toBeInTheDocument()
    await expect.poll(screen.path).toBe(`${CHECKOUT}?stripeCheckoutSessionId=cs_test_2`)
    expect(screen.server.calls('createSubscriptionCheckoutSession')).toHaveLength(1)
  })
})

describe('paying', () => {
  /** From now on the server knows the subscription, and says so in its cookie. */
  const pay = (screen: Screen): void => {
    screen.server.answer({
      ...answers(session(paid)),
      listWalletSubscriptions: { walletSubscriptions: [fakeSubscription()] },
      getCurrentUser: () => {
        screen.signIn(CREATOR)
        return meOf(CREATOR)
      },
    })
  }

  test('JOB-07 leads from the blocked flow to the payment and back, with no new sign-in', async () => {
    const screen = await openScreen({ path: '/uploads/new', person: ended, answers: answers() })
    const dialog = page.getByRole('alertdialog', { name: 'Subscription Required' })
    await expect.element(dialog).toBeVisible()
    await link('Subscribe Now').click()
    await expect.poll(screen.path).toBe(NAMED)
    await expect.element(link('Back to Your Order')).not.toBeInTheDocument()
    pay(screen)
    await screen.letTimePassUntil(page.getByText('Payment successful'))
    await link('Back to Your Order').click()
    await expect.poll(screen.path).toBe('/uploads/new')
    await expect.element(page.getByText('What you can make from your video')).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test('APP-12 the menu leads to the new subscription as soon as it is paid', async () => {
    const screen = await openScreen({ path: CHECKOUT, person: ended, answers: answers() })
    await expect.poll(screen.path).toBe(NAMED)
    pay(screen)
    await screen.letTimePassUntil(page.getByText('Payment successful'))
    await expect.element(link('Upload a Video')).toHaveAttribute('href', '/uploads/new')
    await button('Account').click()
    // What an account may do comes with a pull, which waits while another one is under way.
    await screen.letTimePassUntil(page.getByRole('menuitem', { name: 'My Subscriptions' }))
  })
})

describe('who may subscribe', () => {
  test('APP-08 the checkout does not open without the right to subscribe', async () => {
    const screen = await openScreen({ path: CHECKOUT, person: { ...CREATOR, permissions: [] } })
    await expect.poll(screen.path).toBe('/not-authorized')
    await expect.element(page.getByText('Not authorized')).toBeVisible()
  })

  test('APP-08 the list opens for who has none yet, and leads to the first', async () => {
    await openScreen({ path: '/subscriptions', person: ended, answers: answers() })
    await expect.element(link('Create Subscription')).toHaveAttribute('href', CHECKOUT)
  })

  test('APP-21 without the flag no checkout opens and nothing leads to one', async () => {
    withoutPayments()
    const screen = await openScreen({ path: CHECKOUT, answers: answers() })
    await expect.element(page.getByText('Page not found')).toBeVisible()
    await expect.element(link('Subscribe')).not.toBeInTheDocument()
    await screen.goTo('/subscriptions')
    await expect.element(page.getByText('No Active Subscriptions')).toBeVisible()
    await expect.element(link('Create Subscription')).not.toBeInTheDocument()
    expect(screen.server.calls('createSubscriptionCheckoutSession')).toEqual([])
  })

  test('APP-21 without the flag the blocked flow leads back only', async () => {
    withoutPayments()
    await openScreen({ path: '/uploads/new', person: ended })
    await expect.element(link('Back to Your Edits')).toBeVisible()
    await expect.element(link('Subscribe Now')).not.toBeInTheDocument()
  })
})

describe('the referral code of a subscription', () => {
  const box = page.getByRole('region', { name: 'Referral code' })
  const field = box.getByRole('textbox', { name: 'Referral code' })
  const question = box.getByRole('button', { name: 'Do you have a referral code?' })
  const redemption = {
    _id: idOf(70),
    code: 'MARA2026',
    refereeUserId: CREATOR.userId,
    claimedAt: '2026-11-21T09:59:00.000Z',
    qualifiedAt: null,
    rewardedAt: null,
    reversedAt: null,
    rewardSlug: 'tokens-1900-one-month',
  }

  test('SUB-01 REF-07 is redeemed here by a person who says that they are at least 18', async () => {
    const screen = await openScreen({ path: CHECKOUT, answers: answers() })
    await question.click()
    await box.getByRole('button', { name: 'Redeem' }).click()
    await expect.element(box.getByText('Please enter a referral code')).toBeVisible()
    const sentence = 'Please confirm that you are at least 18 years old.'
    screen.server.answer({
      redeemReferralCode: refused(422, 'referrals/age-not-confirmed', sentence),
    })
    await field.fill(' mara2026 ')
    await box.getByRole('button', { name: 'Redeem' }).click()
    await expect.element(box.getByText(sentence)).toBeVisible()
    screen.server.answer({
      redeemReferralCode: () => {
        screen.server.answer({ getReferralCodeRedemption: { referralCodeRedemption: redemption } })
        return { referralCodeRedemption: redemption }
      },
    })
    await box.getByText('I am at least 18 years old.').click()
    await box.getByRole('button', { name: 'Redeem' }).click()
    await expect.element(page.getByText('Referral code accepted')).toBeVisible()
    await expect
      .element(box.getByRole('textbox', { name: 'Redeemed referral code' }))
      .toHaveValue('MARA2026')
    await expect
      .element(box.getByText('You get 1,900 tokens more when your first month is paid.'))
      .toBeVisible()
    expect(screen.server.calls('redeemReferralCode').map(({ body }) => body)).toEqual([
      { referralCode: { code: 'mara2026', isAtLeast18: false } },
      { referralCode: { code: 'mara2026', isAtLeast18: true } },
    ])
  })

  test.each([
    [refused(404, 'referrals/not-found'), 'Invalid referral code'],
    [refused(409, 'referrals/already-redeemed'), 'Referral code has already been redeemed'],
    [
      refused(422, 'referrals/own-code', 'You cannot redeem your own referral code.'),
      'You cannot redeem your own referral code.',
    ],
  ])('SUB-01 REF-07 %j is %s', async (redeemReferralCode, words) => {
    await openScreen({ path: CHECKOUT, answers: { ...answers(), redeemReferralCode } })
    await question.click()
    await field.fill('MARA2026')
    await box.getByRole('button', { name: 'Redeem' }).click()
    await expect.element(box.getByText(words)).toBeVisible()
  })

  test.each([
    [{ rewardedAt: redemption.claimedAt }, 'You have received 1,900 tokens for it.'],
    [
      { rewardedAt: redemption.claimedAt, reversedAt: redemption.claimedAt },
      'Its reward was taken back, because the payment went back.',
    ],
  ])('REF-07 a redemption with %j says so', async (changes, words) => {
    const own = { referralCodeRedemption: { ...redemption, ...changes } }
    await openScreen({
      path: CHECKOUT,
      answers: { ...answers(), getReferralCodeRedemption: own },
    })
    await expect.element(box.getByText(words)).toBeVisible()
  })

  test('SUB-01 is not guessed while it is not known', async () => {
    await openScreen({
      path: CHECKOUT,
      answers: { ...answers(), getReferralCodeRedemption: pending },
    })
    await expect
      .element(box.getByRole('status', { name: 'Loading your referral code' }))
      .toBeVisible()
    await expect.element(question).not.toBeInTheDocument()
  })

  test('SUB-01 is asked for again after a failure', async () => {
    const screen = await openScreen({
      path: CHECKOUT,
      answers: {
        ...answers(),
        getReferralCodeRedemption: refused(422, 'request/invalid', 'Not today.'),
      },
    })
    await expect.element(box.getByText('Unable to fetch your referral code')).toBeVisible()
    await expect.element(question).not.toBeInTheDocument()
    screen.server.answer({ getReferralCodeRedemption: { referralCodeRedemption: null } })
    await box.getByRole('button', { name: 'Try Again' }).click()
    await expect.element(question).toBeVisible()
  })
})
