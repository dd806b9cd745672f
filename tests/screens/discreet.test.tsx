import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { openScreen } from './harness/open-screen.tsx'

const PATH = '/user-profile'
const answers = { listSessions: { sessions: [] } }
const LOOK = 'Call it “Planner” on this device'
const WORDS = 'Plain words in mails and messages, and plain file names'
const boxOf = (name: string) => page.getByRole('checkbox', { name })

/** What the head of the built page has. */
function withIcons(): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/manifest.webmanifest'
  document.head.append(link)
  onTestFinished(() => link.remove())
  return link
}

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Read until it holds: the change is a transition without length. */
const shown = () => getComputedStyle(document.body).visibility

test('PHO-05 a device whose user chose so has a plain name and a cover, on every screen', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const manifest = withIcons()
  const screen = await openScreen({ path: PATH, answers })
  await expect.element(boxOf(LOOK)).not.toBeChecked()
  expect(document.title).toBe('Your Account · Onecut')
  show('hidden')
  await expect.poll(shown).toBe('visible')
  await page.getByText(LOOK).click()
  await expect.element(boxOf(LOOK)).toBeChecked()
  await expect.poll(() => document.title).toBe('Planner')
  expect(manifest.getAttribute('href')).toBe('/plain.webmanifest')
  await screen.goTo('/help')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(document.title).toBe('Planner')
  show('hidden')
  await expect.poll(shown).toBe('hidden')
  show('visible')
  await expect.poll(shown).toBe('visible')
  await screen.goTo(PATH)
  await page.getByText(LOOK).click()
  await expect.poll(() => document.title).toBe('Your Account · Onecut')
  expect(manifest.getAttribute('href')).toBe('/manifest.webmanifest')
})

test('PHO-05 plain words and names are chosen for the account, and wait for a connection', async () => {
  const screen = await openScreen({
    path: PATH,
    answers: {
      ...answers,
      updateProfile: { userProfile: { profession: 'Creator/Model', discreet: true } },
    },
  })
  await page.getByText(WORDS).click()
  await expect.element(boxOf(WORDS)).toBeChecked()
  await expect
    .poll(() => screen.server.calls('updateProfile').map(({ body }) => body))
    .toEqual([{ userProfile: { discreet: true } }])
})
