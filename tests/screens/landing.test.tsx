import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoise } from '#tests/setup/fail-on-noise.ts'
import { FRONT_PAGE } from './harness/creator.ts'
import { pending, refused } from './harness/fake-server.ts'
import { openScreen } from './harness/open-screen.tsx'
import { watchCopying } from './harness/watch-copying.ts'

const openLanding = (facts: Partial<typeof FRONT_PAGE> = {}) =>
  openScreen({
    path: '/',
    person: null,
    answers: { getFrontPage: { frontPage: { ...FRONT_PAGE, ...facts } } },
  })
const button = (name: string) => page.getByRole('button', { name })

describe('the front page', () => {
  test('LND-06 the sections stand in order and the body has its gradient only here', async () => {
    const screen = await openLanding()
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    const titles = page.getByRole('heading', { level: 2 })
    await expect
      .poll(() => titles.elements().map((title) => title.textContent))
      .toEqual([
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
    await expect.poll(() => document.body.className).not.toContain('landing-gradient')
  })

  test('LND-06 each edit of the first picture has its name in one line beside it', async () => {
    await page.viewport(1440, 900)
    await openLanding()
    const names = () => [...document.querySelectorAll('main [aria-hidden] img + span')]
    await expect.poll(names).not.toEqual([])
    for (const name of names()) {
      const picture = name.previousElementSibling
      expect(picture?.getBoundingClientRect().width).toBeLessThan(100)
      const lineHeight = Number.parseFloat(getComputedStyle(name).lineHeight)
      expect(name.getBoundingClientRect().height).toBeLessThan(1.5 * lineHeight)
    }
  })

  test('LND-03 every banner leads to the sign-up', async () => {
    await openLanding()
    const links = page.getByRole('link', {
      name: /^(?:get your first edit free|start your free trial|try for free)$/i,
    })
    await expect.element(page.getByRole('link', { name: 'Try for free' })).toBeVisible()
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

  test.each(['error', 'ended'])(
    'LND-04 the video of a testimonial returns to its picture at %s',
    async (event) => {
      await openLanding()
      const mara = button('Play the video of Mara Voss')
      const video = page.getByLabelText('Video of Mara Voss', { exact: true })
      await mara.click()
      await expect.element(video).toBeVisible()
      video.element().dispatchEvent(new Event(event))
      await expect.element(mara).toBeVisible()
      await expect.element(video).not.toBeInTheDocument()
    },
  )

  test('LND-06 says what is promised: time, delivery, rights, privacy and new formats', async () => {
    await openLanding()
    const reasons = page.getByRole('region', { name: 'Your industry specialist' })
    await expect.element(reasons).toBeVisible()
    const shown = document.body.textContent.replace(/\s+/g, ' ')
    for (const claim of [
      'One-click video edits',
      'Creators reclaim 5+ hours weekly.',
      'First edit free',
      'Same-day delivery on most edits',
      'Privacy-first, you keep all rights',
      'New formats as they are released.',
    ])
      expect(shown).toContain(claim)
    for (const claim of [
      'One-click edits',
      'Choose and send. That gives back 5+ hours weekly.',
      'Same-day delivery',
      'Most edits come back on the day you send them.',
      'Full rights ownership',
      'What you upload and what you get back stays yours.',
      'Privacy-first handling',
      'Your videos are used for your edits and for nothing else.',
    ])
      await expect.element(reasons.getByText(claim, { exact: true })).toBeVisible()
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
      'Works with creator platforms',
    ])
    for (const platform of ['Social networks', 'Video-hosting sites', 'Subscription sites'])
      await expect.element(formats.getByText(platform)).toBeVisible()
  })

  test('LND-02 only what this server offers is shown, and what it has not is not sold', async () => {
    await openLanding({
      formats: FRONT_PAGE.formats.filter(({ slug }) =>
        ['dynamic-watermark', 'teaser-15s'].includes(slug),
      ),
    })
    const formats = page.getByRole('region', { name: 'Powerful Edit Formats' })
    await expect.element(formats.getByText('15s teaser')).toBeVisible()
    const titles = formats.getByRole('listitem').getByRole('heading').elements()
    expect(titles.map((title) => title.textContent)).toEqual(['15s teaser', 'Moving watermark'])
    expect(page.getByText(/face blurring/i).elements()).toHaveLength(0)
    await expect.element(page.getByText('Today 2: 15s Teaser, Dynamic Watermark.')).toBeVisible()
  })

  test('LND-05 a server that sells nothing promises neither plan nor trial', async () => {
    await openLanding({ payments: { isEnabled: false, isPublicTest: false } })
    await expect.element(page.getByRole('heading', { name: 'Nothing to pay' })).toBeVisible()
    await expect.element(page.getByText('Every edit free')).toBeVisible()
    for (const text of [/trial/i, /\$19/, /tokens/i, /spend anything/, /credit card\.$/])
      expect(
        page
          .getByRole('main')
          .getByText(text)
          .elements()
          .filter((each) => !each.textContent.startsWith('Edits cost nothing')),
      ).toHaveLength(0)
  })

  test('LND-04 testimonials and figures are called examples where the operator has published none', async () => {
    await openLanding()
    await expect.element(page.getByText(/^Examples: these people are made up/)).toBeVisible()
    await expect.element(page.getByText(/^Example figures/)).toBeVisible()
  })

  test('LND-04 what the operator publishes stands there in the place of the examples', async () => {
    await openLanding({
      testimonials: [
        {
          id: 'testimonial-1',
          name: 'Real Person',
          role: 'Content Creator',
          url: 'https://real.example.com',
          quote: 'It saves me the evening.',
          videoUrl: '/front-page/real.mp4',
          thumbnailUrl: '/presets/teaser-15s.webp',
        },
      ],
      figures: { editsDelivered: 120, averageDeliveryHours: 2, yearsInIndustry: 1 },
    })
    await expect.element(page.getByText('It saves me the evening.')).toBeVisible()
    await expect.element(page.getByText('120+')).toBeVisible()
    expect(page.getByText(/^Example/).elements()).toHaveLength(0)
  })

  test('LND-06 what the server has not said yet is not said', async () => {
    await openScreen({ path: '/', person: null, answers: { getFrontPage: pending } })
    await expect.element(page.getByText('Loading what this server offers…')).toBeVisible()
    expect(page.getByRole('heading', { level: 2 }).elements()).toHaveLength(0)
  })

  test('LND-06 without an answer the page says so, and trying again shows what is offered', async () => {
    const screen = await openScreen({
      path: '/',
      person: null,
      answers: { getFrontPage: refused(422, 'request/invalid') },
    })
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent('What this server offers could not be loaded.')
    screen.server.answer({ getFrontPage: { frontPage: FRONT_PAGE } })
    await button('Try Again').click()
    await expect.element(page.getByRole('heading', { name: 'One Simple Plan' })).toBeVisible()
    await page.getByRole('link', { name: 'Try for free' }).click()
    await expect.element(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
    expect(screen.path()).toBe('/signup')
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

  test('APP-13 the footer names the place, where the operator can be followed, and the way to write to us', async () => {
    await openLanding({
      socialLinks: [{ name: 'Mastodon', url: 'https://social.example.com/@us' }],
    })
    const footer = page.getByRole('contentinfo')
    await expect.element(footer.getByText(/Toronto, Canada/)).toBeVisible()
    await expect
      .element(footer.getByRole('link', { name: 'Mastodon' }))
      .toHaveAttribute('href', 'https://social.example.com/@us')
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
      const copied = watchCopying()
      await button('Copy details').click()
      await expect.element(button('Copied')).toBeVisible()
      expect(copied()).toContain('broken on purpose')
    } finally {
      window.matchMedia = real
    }
  })

  test('APP-04 a page that takes no form ends there, when one is sent to it', async () => {
    expectNoise(/does not have an `action`|405/, /a screen failed/)
    const screen = await openLanding()
    await screen.sendTo('/help')
    await expect
      .element(page.getByRole('heading', { name: 'Unexpected Application Error!' }))
      .toBeVisible()
  })
})
