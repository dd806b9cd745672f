import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoise } from '#tests/setup/fail-on-noise.ts'
import { openScreen } from './harness/open-screen.tsx'

const openLanding = () => openScreen({ path: '/', person: null })
const button = (name: string) => page.getByRole('button', { name })

describe('the front page', () => {
  test('LND-06 the sections stand in order and the body has its gradient only here', async () => {
    const screen = await openLanding()
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    const titles = page.getByRole('heading', { level: 2 }).elements()
    expect(titles.map((title) => title.textContent)).toEqual([
      'Powerful Edit Formats',
      'Ready to elevate your content?',
      'Made for the way you work',
      'Ready when you are',
      'One Simple Plan',
      'Your industry specialist',
      'Create more, edit less',
    ])
    for (const text of ['7,000+', '4h', '2+'])
      await expect.element(page.getByText(text, { exact: true }).last()).toBeVisible()
    expect(document.body.className).toContain('landing-gradient')
    await screen.goTo('/signup')
    await expect.element(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
    expect(document.body.className).not.toContain('landing-gradient')
  })

  test('LND-03 every banner leads to the sign-up', async () => {
    await openLanding()
    const links = page.getByRole('link', {
      name: /^(?:get your first edit free|start your free trial|try for free)$/i,
    })
    await expect.element(links.first()).toBeVisible()
    const targets = links.elements().map((link) => link.getAttribute('href'))
    expect(targets.length).toBeGreaterThanOrEqual(5)
    expect(new Set(targets)).toEqual(new Set(['/signup']))
    expect(page.getByRole('link', { name: /^start your free trial$/i }).elements()).toHaveLength(3)
  })

  test('LND-04 testimonials: next wraps, a dot jumps, the picture plays and changing stops it', async () => {
    await openLanding()
    const mara = button('Play the video of Mara Voss')
    const jules = button('Play the video of Jules Arden')
    await expect.element(page.getByText('Adult Content Creator')).toBeVisible()
    await mara.click()
    await expect.element(page.getByLabelText('Video of Mara Voss', { exact: true })).toBeVisible()
    await button('Next testimonial').click()
    await expect.element(jules).toBeVisible()
    await button('Next testimonial').click()
    await expect.element(mara).toBeVisible()
    await button('Testimonial 2: Jules Arden').click()
    await expect.element(jules).toBeVisible()
  })

  test('LND-02 three formats and where their results are used', async () => {
    await openLanding()
    const formats = page.getByRole('region', { name: 'Powerful Edit Formats' })
    await expect.element(formats.getByText('Works with creator platforms')).toBeVisible()
    const titles = formats.getByRole('heading', { level: 3 }).elements()
    expect(titles.map((title) => title.textContent)).toEqual([
      '15s teaser',
      'Social GIF pack',
      'Face blurring',
    ])
    for (const platform of ['Social networks', 'Video-hosting sites', 'Subscription sites'])
      await expect.element(formats.getByText(platform)).toBeVisible()
  })

  test('LND-05 the plan says what it costs, what is in it and how the trial works', async () => {
    await openLanding()
    const plan = page.getByRole('region', { name: 'One Simple Plan' })
    for (const text of [
      'Creator Plan',
      '$19',
      'per month',
      '1,900 tokens per month that expire monthly',
      'Monthly billing, cancel anytime',
      'All formats included',
      '1 free edit within 7 days',
    ])
      await expect.element(plan.getByText(text, { exact: true })).toBeVisible()
    await expect.element(plan.getByText(/No commitment and no credit card/)).toBeVisible()
    await expect.element(plan.getByText(/Extra tokens purchasable/)).toBeVisible()
    await expect
      .element(plan.getByRole('link', { name: 'Start your free trial' }))
      .toHaveAttribute('href', '/signup')
  })

  test('APP-13 the footer names the place and the way to write to us', async () => {
    await openLanding()
    const footer = page.getByRole('contentinfo')
    await expect.element(footer.getByText(/Toronto, Canada/)).toBeVisible()
    expect(footer.getByRole('link').last().element().getAttribute('href')).toMatch(
      /^mailto:support@/,
    )
  })

  test('APP-04 a bug while rendering ends on the error page, whose details can be copied', async () => {
    expectNoise(/broken on purpose/, /a screen failed/)
    const real = window.matchMedia
    window.matchMedia = (query) => {
      if (query.includes('reduced-motion')) throw new Error('broken on purpose')
      return real.call(window, query)
    }
    try {
      await openLanding()
      await expect
        .element(page.getByRole('heading', { name: 'Unexpected Application Error!' }))
        .toBeVisible()
      await button('Copy details').click()
      await expect.element(button('Copied')).toBeVisible()
      expect(await navigator.clipboard.readText()).toContain('broken on purpose')
    } finally {
      window.matchMedia = real
    }
  })
})
