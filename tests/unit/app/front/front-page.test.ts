import { expect, it } from 'vitest'
import { catalogue } from '#recipes/presets.ts'
import { renderFrontPage } from '#src/front-server.tsx'
import type { FrontPage } from '#src/features/landing/front-page.ts'

const facts: FrontPage = {
  formats: catalogue.map(({ slug, name, pricingStrategies }) => ({
    slug,
    name,
    pricingStrategies: [...pricingStrategies],
  })),
  payments: { isEnabled: true, isPublicTest: false },
  testimonials: null,
  figures: null,
  socialLinks: [{ name: 'Mastodon', url: 'https://social.example.com/@us' }],
  supportMail: 'support@onecut.example',
}

it('LND-01 the server writes the whole page before a script runs, and nothing in it plays or loads by itself', () => {
  const html = renderFrontPage(facts)
  for (const text of [
    'Spend Less Time Editing, More Time Living',
    'Get Your First Edit Free',
    'One Simple Plan',
    'Face blurring',
    'Toronto, Canada',
  ])
    expect(html).toContain(text)
  expect(html).not.toMatch(/autoplay/i)
  expect(html.match(/<video/g)?.length).toBe(html.match(/preload="none"/g)?.length)
})

it('APP-13 the front page leads to the legal texts and to where the operator can be followed', () => {
  const html = renderFrontPage(facts)
  for (const path of ['/terms-of-use', '/privacy-policy', '/referral-terms', 'mailto:support@'])
    expect(html).toContain(`href="${path}`)
  expect(html).toContain('href="https://social.example.com/@us"')
})
