import { describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { CAPABILITIES } from './harness/creator.ts'
import { refused } from './harness/fake-server.ts'
import { openScreen } from './harness/open-screen.tsx'

const title = (name: string) => page.getByRole('heading', { level: 1, name })
const main = page.getByRole('main')
const link = (name: string | RegExp) => main.getByRole('link', { name })

describe('the help', () => {
  test('LIF-05 lists its pages, finds them by their words, and leads to the section', async () => {
    await page.viewport(360, 780)
    onTestFinished(() => page.viewport(1280, 800))
    const screen = await openScreen({ path: '/', person: null })
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help' }).click()
    await expect.element(title('Help')).toBeVisible()
    await expect.element(link('Refunds')).toBeVisible()
    const search = page.getByRole('searchbox', { name: 'Search the help' })
    await search.fill('code not accepted')
    await expect.element(link(/^Logging in, passkeys and devices/)).toBeVisible()
    expect(screen.path()).toBe('/help?search=code%20not%20accepted'.replaceAll('%20', '+'))
    await link(/^Logging in, passkeys and devices/).click()
    await expect.element(title('Logging in, passkeys and devices')).toBeVisible()
    expect(screen.path()).toBe('/help/signing-in')
    await expect
      .element(main.getByRole('heading', { level: 2, name: 'The code is not accepted' }))
      .toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    await screen.goBack()
    await search.fill('zebra')
    await expect.element(page.getByText('Nothing found for “zebra”')).toBeVisible()
  })

  test('LIF-05 opens without a connection, with anchors and the address for questions', async () => {
    await openScreen({ path: '/help/refunds', network: 'offline' })
    await expect.element(title('Refunds')).toBeVisible()
    const contents = main.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const hashes = contents
      .elements()
      .map((one) => new URL(one.getAttribute('href') ?? '', 'http://page.test').hash)
    expect(hashes.length).toBeGreaterThan(2)
    for (const hash of hashes) expect(document.querySelector(hash)?.tagName).toBe('SECTION')
    await expect
      .element(link('support@onecut.example'))
      .toHaveAttribute('href', 'mailto:support@onecut.example')
  })

  test('LIF-05 says so where there is no such page, and where no address is set', async () => {
    await openScreen({
      path: '/help/horses',
      person: null,
      answers: { getCapabilities: { capabilities: { ...CAPABILITIES, supportMail: null } } },
    })
    await expect.element(page.getByText('This help page does not exist')).toBeVisible()
    await link('All help').click()
    await expect
      .element(page.getByText('The operator of this server has not set an address for questions.'))
      .toBeVisible()
  })

  test('LIF-05 where nothing is sold, nothing about paying is listed or found, and its pages say so', async () => {
    const payments = { ...CAPABILITIES.payments, isEnabled: false }
    const answers = { getCapabilities: { capabilities: { ...CAPABILITIES, payments } } }
    await openScreen({ path: '/help/subscription', answers })
    await expect.element(page.getByText(/^Edits cost nothing on this server/)).toBeVisible()
    await link('All help').click()
    await expect.element(link('Choosing edits')).toBeVisible()
    expect(link('Your subscription').elements()).toHaveLength(0)
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('receipt')
    await expect.element(main.getByRole('status')).toBeVisible()
    expect(link(/^Paying and receipts/).elements()).toHaveLength(0)
  })

  test('LIF-05 a problem that a page explains leads to it', async () => {
    await openScreen({
      path: '/edits',
      answers: { listMediaJobsPage: refused(403, 'auth/permission-missing') },
    })
    await expect.element(link('Help with this')).toHaveAttribute('href', '/help/subscription')
  })
})
