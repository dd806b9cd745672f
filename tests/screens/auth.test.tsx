import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { MINUTE_MS } from '#src/lib/time.ts'
import {
  answersFor,
  CAPABILITIES,
  CHALLENGE,
  CREATOR,
  meOf,
  type Person,
} from './harness/creator.ts'
import { done, pending, refused } from './harness/fake-server.ts'
import { openScreen } from './harness/open-screen.tsx'
import { speak } from './harness/speak.ts'

const NEWCOMER: Person = { ...CREATOR, profession: null }
const email = page.getByLabelText('E-mail')
const code = page.getByLabelText('Enter the 6-digit code from the email')
const signUp = page.getByRole('button', { name: 'Sign up & get 1,000 tokens' })
const verified = page.getByText('Verified: you are human')
const alert = page.getByRole('alert')
const link = (name: string) => page.getByRole('link', { name, exact: true })
const sent = { signUpByMagicLink: done(202), logInByMagicLink: done(202) }

/** From the sign-up form to the form for the six digits. */
async function askForMail(answers = {}) {
  const screen = await openScreen({
    path: '/signup',
    person: null,
    answers: { ...sent, ...answers },
  })
  await email.fill('ada@example.com')
  await expect.element(verified).toBeVisible()
  await signUp.click()
  await expect.element(code).toBeVisible()
  return screen
}

describe('the form for the address', () => {
  test('AUT-01 /signup says what it is for and that the mail is on its way', async () => {
    const screen = await askForMail()
    await expect
      .element(page.getByText('Please check your email for a confirmation link (check spam)'))
      .toBeVisible()
    await expect.element(page.getByText('ada@example.com')).toBeVisible()
    await expect.element(link('Open the local mailbox')).toHaveAttribute('href', '/dev/mail')
    expect(screen.server.calls('signUpByMagicLink').map(({ body }) => body)).toEqual([
      {
        user: { email: 'ada@example.com' },
        captchaToken: expect.any(String) as string,
        redirectUri: '/create-profile',
      },
    ])
  })

  test('TRU-04 says where to read mail when this browser has not opened the local mailbox', async () => {
    const mail = { mode: 'local-mailbox' as const, localMailboxUrl: null }
    await askForMail({ getCapabilities: { capabilities: { ...CAPABILITIES, mail } } })
    await expect
      .element(
        page.getByText(
          'This server sends no mail. The terminal that started it says where to read it.',
        ),
      )
      .toBeVisible()
    await expect.element(link('Open the local mailbox')).not.toBeInTheDocument()
  })

  test('AUT-01 shows the offer and the way to the log-in', async () => {
    await openScreen({ path: '/signup', person: null })
    await expect
      .element(page.getByText('Reclaim 5+ hours weekly with one-click editing for adult creators'))
      .toBeVisible()
    await expect
      .element(page.getByRole('main').getByRole('link', { name: 'Log in' }))
      .toHaveAttribute('href', '/login')
  })

  test('AUT-02 /login has its title, button and way to the sign-up', async () => {
    const screen = await openScreen({ path: '/login', person: null, answers: sent })
    await expect
      .element(page.getByRole('heading', { level: 1, name: 'Log In to the product' }))
      .toBeVisible()
    await expect.element(link('Not a member? Sign Up for Free')).toHaveAttribute('href', '/signup')
    await email.fill('ada@example.com')
    await page.getByRole('button', { name: 'Log In' }).click()
    await expect
      .element(page.getByText('Please check your email for a login link (check spam)'))
      .toBeVisible()
    expect(screen.server.calls('logInByMagicLink')).toHaveLength(1)
  })

  test('AUT-03 says in the red box what is wrong with the address, and moves the focus to the field', async () => {
    await openScreen({ path: '/signup', person: null })
    await signUp.click()
    await expect.element(alert).toHaveTextContent('Invalid email address')
    await expect.element(email).toHaveFocus()
    await email.fill('eve+two@example.com')
    await expect.element(alert).not.toBeInTheDocument()
    await signUp.click()
    await expect.element(alert).toHaveTextContent('Email address cannot contain "+" character')
    await expect.element(email).toHaveAttribute('aria-invalid', 'true')
  })

  test('TYP-03 AUT-03 says which address it reads before it sends the mail there', async () => {
    const screen = await openScreen({ path: '/login', person: null, answers: sent })
    await email.fill('Ada <ada＠example.com>.')
    await expect.element(page.getByText('Read as ada@example.com')).toBeVisible()
    await expect.element(verified).toBeVisible()
    await page.getByRole('button', { name: 'Log In' }).click()
    await expect.element(page.getByText('ada@example.com', { exact: true })).toBeVisible()
    expect(screen.server.calls('logInByMagicLink').map(({ body }) => body)).toMatchObject([
      { user: { email: 'ada@example.com' } },
    ])
  })

  test('AUT-05 shows what the server says against the address, and why no mail was sent', async () => {
    const screen = await openScreen({
      path: '/signup',
      person: null,
      answers: { signUpByMagicLink: refused(429, 'auth/too-many-mails', 'Too many mails today.') },
    })
    await email.fill('ada@example.com')
    await signUp.click()
    await expect.element(alert).toHaveTextContent('Too many mails today.')
    screen.server.answer(sent)
    await signUp.click()
    await expect.element(code).toBeVisible()
  })

  test('AUT-04 says that the verification runs, and that it is done', async () => {
    await openScreen({ path: '/login', person: null, answers: { getHumanChallenge: pending } })
    await expect.element(page.getByText('Human verification')).toBeVisible()
    await email.fill('finn@example.com')
    await expect.element(page.getByText('Checking that you are human')).toBeVisible()
  })

  test('AUT-04 when the verification cannot be done the form says so and it can be tried again', async () => {
    const screen = await openScreen({
      path: '/login',
      person: null,
      answers: { getHumanChallenge: refused(500, 'server/failed') },
    })
    await email.fill('finn@example.com')
    await expect.element(page.getByText('The verification failed')).toBeVisible()
    await page.getByRole('button', { name: 'Log In' }).click()
    await expect.element(alert).toHaveTextContent('Please complete the captcha')
    screen.server.answer({ getHumanChallenge: CHALLENGE })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(verified).toBeVisible()
  })

  test('AUT-06 a link that was used or has expired leads here, in words', async () => {
    const screen = await openScreen({ path: '/login?problem=auth/link-invalid', person: null })
    const words = page.getByText(/This link has expired or was already used/)
    await expect.element(words).toBeVisible()
    await screen.goTo('/login')
    await expect.element(words).not.toBeInTheDocument()
    await screen.goTo('/login?message=link-expired')
    await expect.element(words).toBeVisible()
  })
})

describe('the form for the six digits', () => {
  test('AUT-06 the sixth digit sends them, pasted with a space too', async () => {
    const screen = await askForMail({ signInByMagicLinkCode: pending })
    await code.fill('123 456')
    await expect
      .poll(() => screen.server.calls('signInByMagicLinkCode').map(({ body }) => body))
      .toEqual([{ email: 'ada@example.com', code: '123456' }])
  })

  test.each([
    ['de', '１２３４５６'],
    ['ar-EG', '١٢٣٤٥٦'],
    ['hi', '१२३ ४५६'],
  ])(
    'TYP-03 AUT-06 takes the digits of other scripts, in a browser that speaks %s',
    async (language, digits) => {
      speak(language)
      const screen = await askForMail({ signInByMagicLinkCode: pending })
      await code.fill(digits.slice(0, 2))
      await expect.element(code).toHaveValue(digits.slice(0, 2))
      await code.fill(digits)
      await expect
        .poll(() => screen.server.calls('signInByMagicLinkCode').map(({ body }) => body))
        .toEqual([{ email: 'ada@example.com', code: '123456' }])
    },
  )

  test('TYP-03 AUT-06 sends no part of a longer number, and says what to enter', async () => {
    const screen = await askForMail({ signInByMagicLinkCode: pending })
    await code.fill('20261129')
    await expect.element(alert).toHaveTextContent('The code has six digits. Enter only those.')
    await expect.element(code).toHaveValue('20261129')
    await userEvent.keyboard('{Enter}')
    expect(screen.server.calls('signInByMagicLinkCode')).toEqual([])
    await code.fill('123456')
    await expect
      .poll(() => screen.server.calls('signInByMagicLinkCode').map(({ body }) => body))
      .toEqual([{ email: 'ada@example.com', code: '123456' }])
  })

  test('AUT-06 a wrong code says so, empties the field and gives it the focus', async () => {
    await askForMail({
      signInByMagicLinkCode: refused(422, 'auth/code-invalid', 'That code is not right.'),
    })
    await code.fill('000000')
    await expect.element(alert).toHaveTextContent('That code is not right.')
    await expect.element(code).toHaveFocus()
    await expect.element(code).toHaveValue('')
    await expect.element(code).toHaveAttribute('aria-invalid', 'true')
  })

  test('AUT-06 fewer than six digits are not sent', async () => {
    const screen = await askForMail()
    await code.fill('123')
    await userEvent.keyboard('{Enter}')
    await expect.element(alert).toHaveTextContent('Enter all six digits')
    expect(screen.server.calls('signInByMagicLinkCode')).toEqual([])
  })

  test('AUT-06 leads on once the person is signed in, here or in another tab', async () => {
    const screen = await askForMail()
    screen.server.answer(answersFor(CREATOR))
    screen.signIn(CREATOR)
    await expect.poll(screen.path).toBe('/uploads/new')
    await expect.element(code).not.toBeInTheDocument()
  })

  test('AUT-06 a refused code stays refused when the button is pressed on the empty field', async () => {
    const screen = await askForMail({
      signInByMagicLinkCode: refused(422, 'auth/code-invalid', 'That code is not right.'),
    })
    await code.fill('000000')
    await expect.element(alert).toHaveTextContent('That code is not right.')
    await page.getByRole('button', { name: 'Log in with the code' }).click()
    await expect.element(code).toHaveFocus()
    await expect.element(alert).toHaveTextContent('That code is not right.')
    expect(screen.server.calls('signInByMagicLinkCode')).toHaveLength(1)
  })

  test('AUT-06 is there again after a reload, with the focus in it, as long as the code works', async () => {
    const screen = await askForMail()
    await expect.element(code).toHaveFocus()
    await screen.goTo('/referral-terms')
    await screen.goTo('/signup')
    await expect.element(page.getByText('ada@example.com')).toBeVisible()
    await expect.element(code).toHaveFocus()
    await screen.goTo('/login')
    await expect.element(email, { message: 'another form' }).toHaveFocus()
    await screen.clock.advance(10 * MINUTE_MS)
    await screen.goTo('/signup')
    await expect.element(signUp).toBeVisible()
  })

  test('AUT-06 is forgotten once the person is signed in', async () => {
    const screen = await askForMail()
    screen.server.answer(answersFor(CREATOR))
    screen.signIn(CREATOR)
    await expect.poll(screen.path).toBe('/uploads/new')
    await expect.poll(() => sessionStorage.getItem('onecut-asked-mail')).toBe(null)
  })

  test('AUT-01 another address can be given after the mail was sent', async () => {
    await askForMail()
    await page.getByRole('button', { name: 'Use another address or send the email again' }).click()
    await expect.element(email).toBeVisible()
  })
})

describe('/create-profile', () => {
  const choice = page.getByRole('main').getByRole('button')

  test('AUT-11 has the focus in its heading after the code, whose field is gone', async () => {
    const screen = await askForMail()
    await expect.element(code).toHaveFocus()
    screen.server.answer(answersFor(NEWCOMER))
    screen.signIn(NEWCOMER)
    await expect.element(page.getByRole('heading', { name: 'I am a' })).toHaveFocus()
  })

  test('AUT-11 says that the profile loads while neither device nor server has told it', async () => {
    await openScreen({
      path: '/create-profile',
      person: NEWCOMER,
      isNewDevice: true,
      answers: { getCurrentUser: pending },
    })
    await expect.element(page.getByText('Loading profile...')).toBeVisible()
  })

  test('AUT-11 offers the three professions, saves the chosen one and leads on', async () => {
    const screen = await openScreen({
      path: '/create-profile',
      person: NEWCOMER,
      answers: { updateProfile: { userProfile: { profession: 'Video Editor' } } },
    })
    await expect.element(page.getByRole('heading', { name: 'I am a' })).toBeVisible()
    expect(choice.elements().map((each) => each.querySelector('span + span')?.textContent)).toEqual(
      ['Creator/Model', 'Video Editor', 'Other'],
    )
    screen.server.answer({
      getCurrentUser: meOf({ ...CREATOR, profession: 'Video Editor' }),
    })
    await page.getByRole('button', { name: 'Video Editor' }).click()
    await expect.poll(screen.path).toBe('/uploads/new')
    expect(screen.server.calls('updateProfile').map(({ body }) => body)).toEqual([
      { userProfile: { profession: 'Video Editor' } },
    ])
  })

  test('AUT-11 keeps the choice through a failure', async () => {
    const screen = await openScreen({
      path: '/create-profile',
      person: NEWCOMER,
      answers: {
        updateProfile: refused(422, 'request/invalid', 'The profile could not be saved'),
      },
    })
    await page.getByRole('button', { name: 'Other' }).click()
    await expect.element(alert).toHaveTextContent('The profile could not be saved')
    screen.server.answer({ updateProfile: { userProfile: { profession: 'Other' } } })
    await page.getByRole('button', { name: 'Other' }).click()
    await expect.poll(screen.path).toBe('/uploads/new')
  })
})

describe('a session that has ended', () => {
  test('AUT-06 shows nothing private and asks to log in again, at the same address', async () => {
    const screen = await openScreen({ path: '/edits' })
    await expect.element(page.getByText('Your edits will be here')).toBeVisible()
    // The page goes on asking; an answer would mean that the person is signed in again.
    screen.server.answer({ getCurrentUser: refused(401, 'auth/signed-out') })
    screen.local.session.markEnded()
    await expect.element(page.getByRole('heading', { name: 'Please log in again' })).toBeVisible()
    await expect.element(page.getByText('Your edits will be here')).not.toBeInTheDocument()
    expect(screen.path()).toBe('/edits')
    await expect.poll(() => screen.local.account(), { message: 'its data is deleted' }).toBe(null)
  })

  test('AUT-06 takes no answer that comes after its end', async () => {
    const late = Promise.withResolvers<ReturnType<typeof meOf>>()
    const screen = await openScreen({
      path: '/edits',
      answers: { getCurrentUser: () => late.promise },
    })
    await expect.element(page.getByText('Your edits will be here')).toBeVisible()
    // The page goes on asking; an answer would mean that the person is signed in again.
    screen.server.answer({ getCurrentUser: refused(401, 'auth/signed-out') })
    screen.local.session.markEnded()
    await expect.poll(() => screen.local.account(), { message: 'its data is deleted' }).toBe(null)
    late.resolve(meOf(CREATOR))
    await expect.element(page.getByRole('heading', { name: 'Please log in again' })).toBeVisible()
    expect(await indexedDB.databases()).toEqual([
      expect.objectContaining({ name: 'onecut-device' }),
    ])
  })
})

test('TRU-05 a passkey logs in without a mail, and a refused one says so', async () => {
  const screen = await openScreen({
    path: '/login',
    person: null,
    answers: {
      signInByPasskey: refused(422, 'auth/passkey-refused', 'This passkey did not work.'),
    },
  })
  const bytes = new Uint8Array([1]).buffer
  const credential = {
    id: 'AQ',
    rawId: bytes,
    type: 'public-key',
    authenticatorAttachment: null,
    response: { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes },
    getClientExtensionResults: () => ({}),
  } as unknown as Credential
  // The field waits for a person who chooses in it.
  vi.spyOn(navigator.credentials, 'get').mockImplementation((options) =>
    options?.mediation === 'conditional'
      ? new Promise(() => undefined)
      : Promise.resolve(credential),
  )
  const passkey = page.getByRole('button', { name: 'Log in with a passkey' })
  await passkey.click()
  await expect.element(alert).toHaveTextContent('This passkey did not work.')
  expect(screen.server.calls('signInByPasskey')[0]?.body).toEqual({
    credential: { id: 'AQ', clientDataJSON: 'AQ', authenticatorData: 'AQ', signature: 'AQ' },
  })
})
