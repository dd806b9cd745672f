import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { idOf } from '#tests/fakes/fake-rows.ts'
import { done, pending, refused, unreachable } from './harness/fake-server.ts'
import { openScreen, type ScreenOptions } from './harness/open-screen.tsx'

const question = page.getByRole('button', { name: 'Do you have a referral code?' })
const field = page.getByLabelText('Referral code')
const validate = page.getByRole('button', { name: 'Validate' })
const signUp = page.getByRole('button', { name: 'Sign up & get 1,000 tokens' })
const text = (words: string) => page.getByText(words, { exact: true })

const valid = { referralCode: { code: 'MARA2026' }, referralCodeRedemption: null }
const redemption = {
  _id: idOf(7),
  code: 'MARA2026',
  refereeUserId: idOf(8),
  claimedAt: '2026-11-20T09:00:00.000Z',
  qualifiedAt: null,
  rewardedAt: null,
  reversedAt: null,
  rewardSlug: 'tokens-1900-one-month',
}

const openSignUp = (answers: ScreenOptions['answers'] = {}) =>
  openScreen({
    path: '/signup',
    person: null,
    answers: { signUpByMagicLink: done(202), ...answers },
  })

describe('the referral box of the sign-up', () => {
  test('AUT-08 is closed until it is wanted', async () => {
    await openSignUp()
    await expect.element(question).toHaveAttribute('aria-expanded', 'false')
    await question.click()
    await expect.element(field).toBeVisible()
    await expect.element(field).toHaveValue('')
  })

  test('AUT-08 is open and filled where a link brought a code, and the sign-up sends it', async () => {
    const screen = await openSignUp({
      getReferralCodeCookie: { referralCode: { code: 'MARA2026' } },
    })
    await expect.element(field).toHaveValue('MARA2026')
    await page.getByLabelText('E-mail').fill('ada@example.com')
    await signUp.click()
    await expect.element(text('Check your email')).toBeVisible()
    expect(screen.server.calls('signUpByMagicLink').map(({ body }) => body)).toEqual([
      expect.objectContaining({ referralCode: 'MARA2026' }),
    ])
  })

  test('AUT-08 shows no error when the link cannot be asked for', async () => {
    await openSignUp({ getReferralCodeCookie: refused(429, 'request/too-many') })
    await expect.element(question).toHaveAttribute('aria-expanded', 'false')
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  test('AUT-09 asks for a code where there is none, and the words go when one is typed', async () => {
    await openSignUp()
    await question.click()
    await field.fill('  ')
    await validate.click()
    await expect.element(text('Please enter a referral code')).toBeVisible()
    await field.fill('M')
    await expect.element(text('Please enter a referral code')).not.toBeInTheDocument()
  })

  test('AUT-09 says that a code is valid, until another one is typed', async () => {
    const screen = await openSignUp({ validateReferralCode: valid })
    await question.click()
    await field.fill(' mara2026 ')
    await validate.click()
    await expect.element(text('Valid referral code')).toBeVisible()
    await expect.element(text('Referral code accepted')).toBeVisible()
    expect(screen.server.calls('validateReferralCode').map(({ params }) => params)).toEqual([
      { code: 'mara2026' },
    ])
    await field.fill('MARA')
    await expect.element(text('Valid referral code')).not.toBeInTheDocument()
  })

  test('TYP-03 AUT-09 finds the code in a pasted invitation, and says so before it is sent', async () => {
    const screen = await openSignUp({ validateReferralCode: valid })
    await question.click()
    const link = 'https://onecut.example/invite/MARA2026'
    await field.fill(`Join Onecut with my link and both of us get tokens: ${link} See you!`)
    await expect.element(text('Read as MARA2026')).toBeVisible()
    await validate.click()
    await expect.element(text('Valid referral code')).toBeVisible()
    await field.fill('Join Onecut with my code, which I send you later')
    await validate.click()
    await expect.element(text('Invalid referral code')).toBeVisible()
    expect(screen.server.calls('validateReferralCode').map(({ params }) => params)).toEqual([
      { code: 'MARA2026' },
    ])
  })

  test.each([
    [
      '404',
      refused(404, 'referrals/not-found', 'Referral code not found.'),
      'Invalid referral code',
    ],
    ['422', refused(422, 'referrals/own-code', 'Your own.'), 'Invalid referral code'],
    [
      '429',
      refused(429, 'request/too-many', 'Too many codes were checked.'),
      'Too many codes were checked.',
    ],
    ['no network', unreachable, 'No response received from the server'],
  ])('AUT-09 says what %s means, and the code stays', async (_, answer, words) => {
    const screen = await openSignUp({ validateReferralCode: answer })
    await question.click()
    await field.fill('NOSUCH')
    await validate.click()
    await screen.letTimePassUntil(text(words))
    await expect.element(field).toHaveValue('NOSUCH')
    await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  })

  test('AUT-09 a redeemed code is shown and cannot be changed', async () => {
    await openSignUp({
      validateReferralCode: { ...valid, referralCodeRedemption: redemption },
    })
    await question.click()
    await field.fill('OTHER')
    await validate.click()
    await expect.element(text('Redeemed referral code')).toBeVisible()
    await expect.element(text('Referral code has already been redeemed')).toBeVisible()
    await expect.element(field).toHaveAttribute('readonly')
    await expect.element(field).toHaveValue('MARA2026')
  })
})

describe('/invite/{code}', () => {
  const next = page.getByRole('link', { name: 'Continue to Sign Up' })

  test('AUT-13 checks the code and goes to the sign-up', async () => {
    const answer = Promise.withResolvers<typeof valid>()
    const screen = await openScreen({
      path: '/invite/mara2026',
      person: null,
      answers: { validateReferralCode: () => answer.promise },
    })
    await expect.element(text('Checking the referral code...')).toBeVisible()
    answer.resolve(valid)
    await expect.poll(screen.path).toBe('/signup')
  })

  test('AUT-13 waits as long as the server does', async () => {
    const screen = await openScreen({
      path: '/invite/MARA',
      person: null,
      answers: { validateReferralCode: pending },
    })
    await expect.element(text('Checking the referral code...')).toBeVisible()
    expect(screen.path()).toBe('/invite/MARA')
  })

  test('AUT-13 an unknown code is named, and the sign-up is one step away', async () => {
    const screen = await openScreen({
      path: '/invite/%26amp',
      person: null,
      answers: { validateReferralCode: refused(404, 'referrals/not-found') },
    })
    await expect.element(text('Invalid referral code: &amp')).toBeVisible()
    await next.click()
    await expect.poll(screen.path).toBe('/signup')
  })

  test('AUT-13 without a code it says so', async () => {
    await openScreen({ path: '/invite', person: null })
    await expect.element(text('No referral code provided')).toBeVisible()
    await expect.element(next).toBeVisible()
  })

  test('AUT-13 a failure says what it is and can be tried again', async () => {
    const screen = await openScreen({
      path: '/invite/MARA2026',
      person: null,
      network: 'offline',
    })
    await screen.letTimePassUntil(text('You are offline. Please try again when you are connected.'))
    screen.setNetwork('online')
    screen.server.answer({ validateReferralCode: valid })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect.poll(screen.path).toBe('/signup')
  })
})
