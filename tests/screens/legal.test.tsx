import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openScreen } from './harness/open-screen.tsx'

const open = (path: string) => openScreen({ path, person: null })
const title = (name: string) => page.getByRole('heading', { level: 1, name })
const words = () => document.querySelector('main')?.textContent ?? ''
const robots = () => document.querySelector('meta[name="robots"]')?.getAttribute('content') ?? null

/** Each entry of the table of contents leads to a section that is there. */
function anchors(): (string | null)[] {
  const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link').elements()
  expect(links.length).toBeGreaterThan(8)
  return links.map((link) => {
    const { hash } = new URL(link.getAttribute('href') ?? '', 'http://page.test')
    return document.querySelector(hash)?.tagName ?? null
  })
}

describe('the legal texts', () => {
  test('LEG-01 APP-01 the terms of use have every topic and number, and may be indexed', async () => {
    await open('/terms-of-use')
    await expect.element(title('Terms of Use')).toBeVisible()
    await expect.element(page.getByText('A draft for counsel')).toBeVisible()
    expect(new Set(anchors())).toEqual(new Set(['SECTION']))
    expect(robots()).toBeNull()
    for (const topic of [
      /Tell a friend: referral codes/,
      /The licence to use the software/,
      /the steps of a purchase/,
      /Tokens are a virtual currency/,
      /future payments by a second payment service/,
      /Trial period, and what follows it/,
      /takes effect 1 day after we have your notice/,
      /European Union and in the United Kingdom can withdraw from a purchase within 14 days/,
      /within 14 days after we have the statement/,
      /right of regret .* not applicable/,
      /within 2 years after the supply/,
      /30 days for services that are not durable and 90 days for durable ones/,
      /what you paid us in the 12 months before/,
      /outlives this contract by 5 years/,
      /law of the Province of Ontario/,
      /answer a complaint within 3 days/,
    ])
      expect(words()).toMatch(topic)
  })

  test('LEG-02 APP-01 the privacy policy has every topic, its anchors, and is not indexed', async () => {
    await open('/privacy-policy')
    await expect.element(title('Privacy Policy')).toBeVisible()
    expect(new Set(anchors())).toEqual(new Set(['SECTION']))
    expect(robots()).toBe('noindex, nofollow')
    for (const topic of [
      /Data that you give us/,
      /Data collected automatically/,
      /Google or Dropbox/,
      /You register directly, with your e-mail address/,
      /password/,
      /You keep the ownership of every video/,
      /Only you, the person who uploaded it, can see a video .* our staff and the sub-processors/,
      /We delete videos and edits on your request/,
      /answer a request within 1 month/,
    ])
      expect(words()).toMatch(topic)
    await page.getByRole('link', { name: /How long data is kept/ }).click()
    await expect
      .element(page.getByRole('heading', { name: /How long data is kept/ }))
      .toBeInViewport()
  })

  test('LEG-03 the terms and conditions have every rule and are not indexed', async () => {
    await open('/terms-and-conditions')
    await expect.element(title('Terms and Conditions')).toBeVisible()
    expect(new Set(anchors())).toEqual(new Set(['SECTION']))
    expect(robots()).toBe('noindex, nofollow')
    for (const rule of [
      /business users who are no consumers/,
      /over 18 years old/,
      /One account for each user/,
      /Registration by bots .* is not allowed/,
      /contacting us .* only after the paid period has expired/,
      /We may suspend or delete an account/,
      /You own the videos that you upload and the edits/,
      /a limited licence to store, copy, convert and edit/,
      /other companies as processors/,
      /Backups may be kept for a limited time/,
      /Acceptable use/,
      /The duty outlives the contract by 5 years/,
      /the 12 months before/,
    ])
      expect(words()).toMatch(rule)
  })

  test('APP-13 the foot of each page leads to the legal texts and the licences', async () => {
    await open('/login')
    const foot = page.getByRole('contentinfo')
    for (const [name, href] of [
      ['Terms of use', '/terms-of-use'],
      ['Privacy policy', '/privacy-policy'],
      ['Referral terms', '/referral-terms'],
      ['Terms and conditions', '/terms-and-conditions'],
      ['Licences', '/licences'],
    ] as const)
      await expect
        .element(foot.getByRole('link', { name, exact: true }))
        .toHaveAttribute('href', href)
  })

  test('AUT-01 the sign-up leads to the terms and the privacy policy', async () => {
    await open('/signup')
    const main = page.getByRole('main')
    const terms = main.getByRole('link', { name: 'Terms of Use' })
    await expect.element(terms).toHaveAttribute('href', '/terms-of-use')
    // What is typed stays in this tab.
    await expect.element(terms).toHaveAttribute('target', '_blank')
    await expect
      .element(main.getByRole('link', { name: 'Privacy Policy' }))
      .toHaveAttribute('href', '/privacy-policy')
    await expect
      .element(main.getByText(/By signing up you confirm that you are at least 18 years old/))
      .toBeVisible()
  })
})
