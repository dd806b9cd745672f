import { expect, test } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import { HOUR_MS } from '#src/lib/time.ts'
import { CREATOR } from './harness/creator.ts'
import { done, tooMany, type Answers } from './harness/fake-server.ts'
import { openScreen } from './harness/open-screen.tsx'

// While the server refuses a call because it came too often, no form offers it.

const LIMIT = 'Too many of these. Please try again in 1 hour.'
const REFUSED = tooMany(LIMIT, HOUR_MS / 1000)
const FROM = 'You can try again from 11:00 AM on.'
const emptyUploads: Answers = {
  listUploadRequests: { uploadRequests: [], pagination: { nextCursor: null } },
}

/** The button takes no press, says from when on it does, and that is its description. */
async function isTooSoon(button: Locator): Promise<void> {
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button).toHaveAccessibleDescription(FROM)
  await expect.element(page.getByText(FROM)).toBeVisible()
}

test('a form keeps focus and words, and sends neither by a press nor by Enter until it is time', async () => {
  const screen = await openScreen({
    path: '/login',
    person: null,
    answers: { logInByMagicLink: REFUSED },
  })
  const email = page.getByLabelText('E-mail')
  const logIn = page.getByRole('button', { name: 'Log In', exact: true })
  await email.fill('ada@example.com')
  await expect.element(page.getByText('Verified: you are human')).toBeVisible()
  await logIn.click()
  await isTooSoon(logIn)
  await expect.element(logIn).toHaveFocus()
  // Said aloud once: by what the server answers, not by the words that stand beside the button.
  await expect.element(page.getByRole('alert')).toHaveTextContent(LIMIT)
  await userEvent.keyboard('{Enter}')
  await email.click()
  await userEvent.keyboard('{Enter}')
  await logIn.click({ force: true })
  expect(screen.server.calls('logInByMagicLink')).toHaveLength(1)
  await expect.element(email).toHaveValue('ada@example.com')
  screen.server.answer({ logInByMagicLink: done(202) })
  await screen.clock.advance(HOUR_MS)
  await expect.element(page.getByText(FROM)).not.toBeInTheDocument()
  await logIn.click()
  await expect.element(page.getByText(/Please check your email/)).toBeVisible()
})

test('a mail for another address may be asked for at once', async () => {
  await openScreen({ path: '/signup', person: null, answers: { signUpByMagicLink: REFUSED } })
  const signUp = page.getByRole('button', { name: 'Sign up & get 1,000 tokens' })
  const email = page.getByLabelText('E-mail')
  await email.fill('ada@example.com')
  await expect.element(page.getByText('Verified: you are human')).toBeVisible()
  await signUp.click()
  await isTooSoon(signUp)
  await email.fill('eve@example.com')
  await expect.element(page.getByText(FROM)).not.toBeInTheDocument()
  await expect.element(page.getByText(LIMIT)).not.toBeInTheDocument()
  await expect.element(signUp).toHaveAttribute('aria-disabled', 'false')
})

test('six digits that come too soon stay in their field and are not sent by themselves', async () => {
  const screen = await openScreen({
    path: '/signup',
    person: null,
    answers: { signUpByMagicLink: done(202), signInByMagicLinkCode: REFUSED },
  })
  await page.getByLabelText('E-mail').fill('ada@example.com')
  await page.getByRole('button', { name: 'Sign up & get 1,000 tokens' }).click()
  const code = page.getByLabelText('Enter the 6-digit code from the email')
  await code.fill('123456')
  await isTooSoon(page.getByRole('button', { name: 'Log in with the code' }))
  await expect.element(code).toHaveValue('123456')
  await code.fill('654321')
  expect(screen.server.calls('signInByMagicLinkCode')).toHaveLength(1)
})

test('a question knows the limit after it was closed, and promises what is so', async () => {
  const screen = await openScreen({
    path: '/user-profile',
    answers: { listSessions: { sessions: [] }, deleteAccount: REFUSED },
  })
  const question = page.getByRole('alertdialog', { name: 'Delete your account?' })
  const confirm = question.getByRole('button', { name: 'Delete my account' })
  const open = page.getByRole('button', { name: 'Delete my account' })
  await open.click()
  await question.getByLabelText('Type the email address of your account').fill(CREATOR.email)
  await confirm.click()
  await isTooSoon(confirm)
  await expect.element(question.getByText('Your account could not be deleted')).toBeVisible()
  await question.getByRole('button', { name: 'Keep my account' }).click()
  await open.click()
  await isTooSoon(confirm)
  await question.getByLabelText('Type the email address of your account').fill(CREATOR.email)
  await userEvent.keyboard('{Enter}')
  expect(screen.server.calls('deleteAccount')).toHaveLength(1)
})

test('a switch that came too soon goes back, says from when on it is taken, and sends nothing', async () => {
  const screen = await openScreen({
    path: '/user-profile',
    answers: { listSessions: { sessions: [] }, updateProfile: REFUSED },
  })
  const sent = () => screen.server.calls('updateProfile')
  const press = (words: string) => page.getByText(words).click()
  const STOPPED = 'When an upload has stopped for a day'
  const stopped = page.getByRole('checkbox', { name: STOPPED })
  const named = page.getByRole('checkbox', { name: 'Name my videos in these mails' })
  await press(STOPPED)
  await expect.element(page.getByText(LIMIT)).toBeVisible()
  await expect.element(stopped).toBeChecked()
  await press(STOPPED)
  // The server's 'in 1 hour' was of the first press.
  await expect.element(page.getByText(`This came too often. ${FROM}`)).toBeVisible()
  await expect.element(page.getByText(LIMIT)).not.toBeInTheDocument()
  await expect.element(stopped).toBeChecked()
  await press('Name my videos in these mails')
  await expect.element(named).not.toBeChecked()
  expect(sent()).toHaveLength(1)
  screen.server.answer({ updateProfile: done(204) })
  await screen.clock.advance(HOUR_MS)
  await press(STOPPED)
  await expect.poll(sent).toHaveLength(2)
})

test('a dialog with one field keeps a link that came too soon', async () => {
  const screen = await openScreen({
    path: '/uploads/new',
    answers: { ...emptyUploads, createUploadRequest: REFUSED },
  })
  await page.getByRole('button', { name: 'Paste a link' }).click()
  const field = page.getByLabelText('Link to your video')
  await field.fill('https://www.dropbox.com/scl/fi/abc/scene.mp4?dl=0')
  await userEvent.keyboard('{Enter}')
  const send = page.getByRole('button', { name: 'Import' })
  await isTooSoon(send)
  await field.click()
  await userEvent.keyboard('{Enter}')
  expect(screen.server.calls('createUploadRequest')).toHaveLength(1)
  await expect.element(field).toHaveValue('https://www.dropbox.com/scl/fi/abc/scene.mp4?dl=0')
})
