import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { referralCodes } from '#src/local/nouns/referral-codes.ts'
import { referralRedemptions } from '#src/local/nouns/referral-redemptions.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'
import { compose } from './harness/compose.ts'
import { CREATOR } from './harness/creator.ts'
import { pending, refused } from './harness/fake-server.ts'
import { NOW, openScreen, type ScreenOptions } from './harness/open-screen.tsx'
import { watchCopying } from './harness/watch-copying.ts'

const code = (number: number, name: string) => ({
  _id: idOf(number),
  code: name,
  createdAt: `2026-11-2${number}T09:00:00.000Z`,
})
const redemption = (number: number, changes: object = {}) => ({
  _id: idOf(number),
  code: 'MARA2026',
  refereeUserId: idOf(40 + number),
  claimedAt: `2026-11-1${number}T09:00:00.000Z`,
  qualifiedAt: null,
  rewardedAt: null,
  reversedAt: null,
  rewardSlug: 'tokens-1900-one-month',
  ...changes,
})
const codes = (...given: ReturnType<typeof code>[]) => ({ referralCodes: given })
const redeemed = (...given: ReturnType<typeof redemption>[]) => ({
  referralCodeRedemptions: given,
})
const text = (words: string) => page.getByText(words, { exact: true })
const field = page.getByLabelText('Referral code')
const adult = page.getByText('I am at least 18 years old.')
const create = page.getByRole('button', { name: 'Create Custom Code' })

const open = (answers: ScreenOptions['answers'] = {}, more: Partial<ScreenOptions> = {}) =>
  openScreen({
    path: '/referral-codes',
    ...more,
    answers: {
      listReferralCodes: codes(),
      listReferralCodeRedemptions: redeemed(),
      ...answers,
    },
  })

describe('/referral-codes', () => {
  test('REF-01 says what both sides get, and what will be here', async () => {
    await open()
    const heading = page.getByRole('heading', { level: 1, name: 'Get Paid by Referring Friends' })
    await expect.element(heading).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'They Get' })).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'You Get' })).toBeVisible()
    await expect.element(text('No Referral Codes Yet')).toBeVisible()
    await expect.element(text('No Redemptions Yet')).toBeVisible()
  })

  test('REF-01 loads, and never says that there is nothing before it is known', async () => {
    await open({ listReferralCodes: pending, listReferralCodeRedemptions: pending })
    await expect.element(page.getByRole('status', { name: 'Loading your codes' })).toBeVisible()
    await expect.element(text('No Referral Codes Yet')).not.toBeInTheDocument()
    await expect.element(text('No Redemptions Yet')).not.toBeInTheDocument()
    await expect.element(field).toBeEnabled()
  })

  test('REF-01 shows what this device has when loading fails, and tries again', async () => {
    const screen = await open(
      {
        listReferralCodes: refused(422, 'request/invalid', 'Not today.'),
        listReferralCodeRedemptions: refused(422, 'request/invalid', 'Not today.'),
      },
      { rows: { referralCodes: [referralCodes.toRow(code(1, 'MARA2026'), NOW)] } },
    )
    await expect.element(page.getByRole('heading', { name: 'MARA2026' })).toBeVisible()
    await expect.element(text('Unable to fetch code redemptions')).toBeVisible()
    await expect.element(text('No Redemptions Yet')).not.toBeInTheDocument()
    screen.server.answer({ listReferralCodeRedemptions: redeemed() })
    await page.getByRole('button', { name: 'Try Again' }).last().click()
    await expect.element(text('No Redemptions Yet')).toBeVisible()
  })

  test('REF-01 lists that were empty before are no failure without a network', async () => {
    const facts = ['list:referralCodes', 'list:referralRedemptions'].map((key) => ({
      key,
      value: null,
      pulledAtEpochMs: NOW - 60_000,
    }))
    await open({}, { rows: { facts }, network: 'offline' })
    await expect.element(text('No Referral Codes Yet')).toBeVisible()
    await expect.element(text('No Redemptions Yet')).toBeVisible()
    const notFresh = page.getByText(/^As of .*\. It is updated as soon as the server answers\.$/)
    expect(notFresh.elements()).toHaveLength(2)
    expect(page.getByRole('main').getByRole('alert').elements()).toEqual([])
  })

  test('APP-11 the header leads here with the right to read codes only', async () => {
    const link = page.getByRole('link', { name: 'Referrals' })
    await open()
    await expect.element(link).toHaveAttribute('href', '/referral-codes')
  })

  test('APP-11 without the right there is no link and no screen', async () => {
    const person = {
      ...CREATOR,
      permissions: CREATOR.permissions.filter((one) => one !== 'read:referralCodes'),
    }
    const screen = await open({}, { person })
    await expect.poll(screen.path).toBe('/not-authorized')
    await expect.element(page.getByRole('link', { name: 'Referrals' })).not.toBeInTheDocument()
  })
})

describe('the codes', () => {
  test('REF-02 are listed newest first with their links, which can be copied', async () => {
    await open({ listReferralCodes: codes(code(1, 'OLDER'), code(2, 'NEWER')) })
    await expect.element(page.getByRole('heading', { name: 'OLDER' })).toBeVisible()
    expect(
      page
        .getByRole('heading', { level: 3 })
        .elements()
        .map((each) => each.textContent),
    ).toEqual(['NEWER', 'OLDER'])
    const link = `${window.location.origin}/invite/OLDER`
    await expect.element(text(link)).toBeVisible()
    const copied = watchCopying()
    await page.getByRole('button', { name: 'Copy Link of OLDER' }).click()
    await expect.element(text('Referral code copied to clipboard')).toBeVisible()
    expect(copied()).toBe(link)
  })

  test('REF-03 are shared in a new tab without an opener; for Discord the text is copied', async () => {
    await open({ listReferralCodes: codes(code(1, 'MARA2026')) })
    for (const name of ['Telegram', 'WhatsApp', 'Twitter', 'SMS']) {
      const link = page.getByRole('link', { name: `Share MARA2026 by ${name}` })
      await expect.element(link).toHaveAttribute('target', '_blank')
      await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
    }
    const copied = watchCopying()
    await page.getByRole('button', { name: 'Copy MARA2026 for Discord' }).click()
    await expect.element(text('Copied to clipboard for Discord sharing')).toBeVisible()
    expect(copied()).toMatch(/^Here's the video .*\/invite\/MARA2026$/)
  })

  test('REF-02 a browser that does not let copy is said', async () => {
    const { clipboard } = navigator
    clipboard.writeText = async () => Promise.reject(new Error('not allowed'))
    onTestFinished(() => void Reflect.deleteProperty(clipboard, 'writeText'))
    await open({ listReferralCodes: codes(code(1, 'MARA2026')) })
    await page.getByRole('button', { name: 'Copy Link of MARA2026' }).click()
    await expect.element(page.getByText(/The browser did not allow copying$/)).toBeVisible()
  })
})

describe('making a code', () => {
  test('REF-04 REF-06 makes it in upper case and shows it', async () => {
    const answer = Promise.withResolvers<{ referralCode: ReturnType<typeof code> }>()
    const screen = await open({ createReferralCode: () => answer.promise })
    await expect
      .element(page.getByRole('heading', { name: 'Create New Referral Code' }))
      .toBeVisible()
    await expect.element(text('You can create 2 more codes')).toBeVisible()
    await expect
      .element(text('Use uppercase letters and numbers only (4-20 characters)'))
      .toBeVisible()
    await expect.element(field).toHaveAttribute('maxlength', '20')
    await field.fill('mara2026')
    await expect.element(field).toHaveValue('MARA2026')
    await adult.click()
    await create.click()
    await expect.element(page.getByRole('button', { name: 'Creating...' })).toBeDisabled()
    await expect.element(field).toBeDisabled()
    screen.server.answer({ listReferralCodes: codes(code(1, 'MARA2026')) })
    answer.resolve({ referralCode: code(1, 'MARA2026') })
    await expect.element(text('Referral code "MARA2026" created successfully')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'MARA2026' })).toBeVisible()
    await expect.element(text('You can create 1 more code')).toBeVisible()
    await expect.element(field).toHaveValue('')
    expect(screen.server.calls('createReferralCode').map(({ body }) => body)).toEqual([
      { referralCode: { code: 'MARA2026', isAtLeast18: true } },
    ])
  })

  test('TYP-03 REF-04 keeps what a keyboard composes, and says what it reads', async () => {
    const screen = await open({ createReferralCode: pending })
    await expect.element(text('You can create 2 more codes')).toBeVisible()
    await field.click()
    await compose('ａ', 'ａｄ', 'ａｄａ', 'ａｄａ２')
    await expect.element(field).toHaveValue('ＡＤＡ２')
    await expect.element(text('Read as ADA2')).toBeVisible()
    await adult.click()
    await create.click()
    await expect
      .poll(() => screen.server.calls('createReferralCode').map(({ body }) => body))
      .toEqual([{ referralCode: { code: 'ADA2', isAtLeast18: true } }])
  })

  test('REF-05 says what is wrong, until it is right', async () => {
    const screen = await open()
    await create.click()
    await expect.element(text('Please enter a code')).toBeVisible()
    await field.fill('ABC')
    await expect.element(text('Code must be at least 4 characters')).toBeVisible()
    await field.fill('ABC-1')
    await expect.element(text('Code must contain only uppercase letters and numbers')).toBeVisible()
    await field.fill('ABC1')
    await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
    expect(screen.server.calls('createReferralCode')).toEqual([])
  })

  test('REF-07 asks whether the person is at least 18', async () => {
    const screen = await open({ createReferralCode: { referralCode: code(1, 'MARA2026') } })
    await field.fill('MARA2026')
    await create.click()
    await expect.element(text('Please confirm that you are at least 18 years old.')).toBeVisible()
    const box = page.getByRole('checkbox', { name: 'I am at least 18 years old.' })
    await expect
      .element(box)
      .toHaveAccessibleDescription('Please confirm that you are at least 18 years old.')
    await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
    expect(screen.server.calls('createReferralCode')).toEqual([])
    await adult.click()
    await expect
      .element(text('Please confirm that you are at least 18 years old.'))
      .not.toBeInTheDocument()
    await create.click()
    await expect.element(text('Referral code "MARA2026" created successfully')).toBeVisible()
  })

  test('REF-04 at the limit nothing can be typed or sent', async () => {
    await open({ listReferralCodes: codes(code(1, 'ONE1'), code(2, 'TWO2')) })
    await expect.element(text("You've reached the maximum of 2 codes allowed")).toBeVisible()
    await expect.element(field).toBeDisabled()
    await expect.element(create).toBeDisabled()
  })

  test.each([
    [409, 'This code is already taken. Please choose another code.'],
    [500, 'Unable to create referral code. Please try again.'],
  ])(
    'REF-06 after %i the code stays, with words at the field and a message',
    async (status, words) => {
      await open({ createReferralCode: refused(status, 'referrals/code-taken', words) })
      await adult.click()
      await field.fill('MARA2026')
      await userEvent.keyboard('{Enter}')
      await expect.element(page.getByText(words, { exact: true }).first()).toBeVisible()
      await expect
        .element(page.getByText(/^Error: Unable to create referral code\. Please try again\.$/))
        .toBeVisible()
      await expect.element(field).toHaveValue('MARA2026')
      await expect.element(field).toHaveAttribute('aria-invalid', 'true')
    },
  )
})

describe('the redemptions', () => {
  test('REF-07 are a table of code, user, date, status and reward', async () => {
    const at = '2026-11-20T09:00:00.000Z'
    await open(
      {
        listReferralCodeRedemptions: redeemed(
          redemption(6, { qualifiedAt: at, rewardedAt: at, reversedAt: at }),
          redemption(5, { qualifiedAt: at, rewardedAt: at }),
          redemption(4, { qualifiedAt: at, rewardWaitsUntil: '2026-12-04T09:00:00.000Z' }),
          redemption(3, { qualifiedAt: at, reversedAt: at }),
          redemption(2, { qualifiedAt: at, noReward: 'card-known' }),
          redemption(1),
        ),
      },
      {
        rows: { referralRedemptions: [referralRedemptions.toRow(redemption(1), NOW)] },
      },
    )
    await expect.element(text('Rewarded')).toBeVisible()
    const of = (day: number) => ['MARA2026', '0197a3f2…', `Nov ${day}, 2026`]
    const cells = page
      .getByRole('row')
      .elements()
      .map((row) => [...row.children].map((each) => each.textContent))
    expect(cells).toEqual([
      ['Code', 'User', 'Claimed Date', 'Status', 'Reward'],
      [...of(16), 'Reversed', '1,900 tokens'],
      [...of(15), 'Rewarded', '1,900 tokens'],
      [...of(14), 'Qualified', '1,900 tokens, waiting until Dec 4, 2026'],
      [...of(13), 'No reward', 'None: the payment went back'],
      [...of(12), 'No reward', 'None: this card was used by another account'],
      [...of(11), 'Pending', '1,900 tokens'],
    ])
  })

  test('REF-07 at 360 px only the table scrolls to the side', async () => {
    await page.viewport(360, 780)
    onTestFinished(() => page.viewport(1280, 800))
    await open({
      listReferralCodes: codes(code(1, 'M'.repeat(20))),
      listReferralCodeRedemptions: redeemed(redemption(1, { code: 'M'.repeat(20) })),
    })
    await expect.element(text('Pending')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  })
})

describe('/referral-terms', () => {
  test('APP-01 LEG-02 REF-07 says the rules to everybody, and is not indexed', async () => {
    await openScreen({ path: '/referral-terms', person: null })
    await expect
      .element(page.getByRole('heading', { level: 1, name: 'Referral Terms' }))
      .toBeVisible()
    await expect
      .element(page.getByText(/you get 1,900 tokens, and so does that person/))
      .toBeVisible()
    await expect
      .element(page.getByText(/in good standing, and at least 18 years old/))
      .toBeVisible()
    await expect.element(text('You can make up to 2 codes.')).toBeVisible()
    expect(document.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex')
  })

  test('APP-13 REF-07 the foot of each page and the codes lead there', async () => {
    const screen = await open()
    const links = page.getByRole('link', { name: 'Referral terms' })
    await expect.element(links.first()).toHaveAttribute('href', '/referral-terms')
    await links.last().click()
    await expect.poll(screen.path).toBe('/referral-terms')
  })
})
