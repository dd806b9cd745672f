import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { watchConsole } from './people.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})
// Every visit is a first one: what another test cached must not hide a failure.
test.use({ serviceWorkers: 'block' })

const publicScreens = [
  { path: '/', heading: 'Spend Less Time Editing, More Time Living' },
  { path: '/signup', heading: 'Create your account' },
  { path: '/login', heading: 'Log In to the product' },
  { path: '/not-authorized', heading: 'Not authorized' },
  { path: '/nowhere/at/all', heading: 'Page not found' },
] as const

for (const screen of publicScreens) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`APP-01 ${screen.path} renders signed out, ${colorScheme}, wide and small, and axe finds nothing`, async ({
      page,
    }, info) => {
      const errors = watchConsole(page)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const width of [1440, 360]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(server.origin + screen.path)
        await expect(page.getByRole('heading', { level: 1, name: screen.heading })).toBeVisible()
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
          ),
        ).toBe(true)
        await expectAccessible(page)
        await info.attach(`${width}-${colorScheme}`, {
          body: await page.screenshot({ fullPage: true }),
          contentType: 'image/png',
        })
      }
      expect(errors()).toEqual([])
    })
  }
}

test('APP-03 an unknown address says so and leads home', async ({ page }) => {
  await page.goto(`${server.origin}/no-such-page`)
  await expect(page.getByText("Sorry, we couldn't find the page you're looking for.")).toBeVisible()
  await page.getByRole('link', { name: 'Go back home' }).click()
  await expect(page).toHaveURL(`${server.origin}/`)
})

test('APP-05 /not-authorized says 401 and leads to My Edits', async ({ page }) => {
  await page.goto(`${server.origin}/not-authorized`)
  await expect(page.getByText('401', { exact: true })).toBeVisible()
  await expect(page.getByText("Sorry, you're not authorized to access this page.")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go back to My Edits' })).toHaveAttribute(
    'href',
    '/edits',
  )
})

test('APP-04 a bug while rendering ends on the error page, whose details can be copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    const real = window.matchMedia.bind(window)
    window.matchMedia = (query) => {
      if (query.includes('reduced-motion')) throw new Error('broken on purpose')
      return real(query)
    }
  })
  await page.goto(server.origin)
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Copy details' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('broken on purpose')
})

test('APP-04 a screen whose files cannot be loaded ends there too, and Reload mends it', async ({
  page,
}) => {
  await page.route('**/assets/LandingScreen*.js', (route) => route.abort())
  await page.goto(server.origin)
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await page.unroute('**/assets/LandingScreen*.js')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(
    page.getByRole('heading', { name: 'Spend Less Time Editing, More Time Living' }),
  ).toBeVisible()
})

test('APP-06 signed-out visitors of a private page see the front page, and the page they wanted is kept', async ({
  page,
}) => {
  for (const path of ['/edits?sort=name', '/media-jobs', '/create-profile']) {
    await page.goto(server.origin + path)
    await expect(page).toHaveURL(`${server.origin}/`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Spend Less Time Editing, More Time Living',
    )
  }
  await page.goto(`${server.origin}/edits?sort=name`)
  await expect(page).toHaveURL(`${server.origin}/`)
  expect(await page.evaluate(() => Object.values(sessionStorage))).toContain('/edits?sort=name')
})

test('LND-06 the sections stand in order and the body has its gradient only here', async ({
  page,
}) => {
  await page.goto(server.origin)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Powerful Edit Formats',
    'Ready to elevate your content?',
    'Made for the way you work',
    'Ready when you are',
    'One Simple Plan',
    'Your industry specialist',
    'Create more, edit less',
  ])
  for (const text of [
    '7,000+',
    '4h',
    '2+',
    '$19',
    '1,900 tokens per month that expire monthly',
    '1 free edit within 7 days',
    '15s teaser',
    'Social GIF pack',
    'Face blurring',
  ])
    await expect(page.getByText(text, { exact: true }).last()).toBeVisible()
  await expect(page.locator('body')).toHaveClass(/landing-gradient/)
  await page.getByRole('link', { name: 'Sign up', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await expect(page.locator('body')).not.toHaveClass(/landing-gradient/)
})

test('LND-03 every banner leads to the sign-up', async ({ page }) => {
  await page.goto(server.origin)
  for (const name of [
    'Get Your First Edit Free',
    'Start Your Free Trial',
    'Try for free',
    'Start your free trial',
  ]) {
    for (const link of await page.getByRole('link', { name, exact: true }).all())
      await expect(link).toHaveAttribute('href', '/signup')
  }
  await expect(page.getByRole('link', { name: /^start your free trial$/i })).toHaveCount(3)
})

test('LND-01 the background video rests under reduced motion and can be played and paused', async ({
  page,
}) => {
  await page.goto(server.origin)
  const isPaused = () =>
    page
      .locator('video')
      .first()
      .evaluate((video: HTMLVideoElement) => video.paused)
  expect(await isPaused()).toBe(true)
  await page.getByRole('button', { name: 'Play the background video' }).click()
  await expect.poll(isPaused).toBe(false)
  await page.getByRole('button', { name: 'Pause the background video' }).click()
  await expect.poll(isPaused).toBe(true)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.reload()
  await expect.poll(isPaused).toBe(false)
})

test('LND-04 testimonials: next wraps, a dot jumps, the picture plays and changing stops it', async ({
  page,
}) => {
  await page.goto(server.origin)
  await expect(page.getByText('Adult Content Creator')).toBeVisible()
  await page.getByRole('button', { name: 'Play the video of Mara Voss' }).click()
  await expect(page.getByLabel('Video of Mara Voss')).toBeVisible()
  await page.getByRole('button', { name: 'Next testimonial' }).click()
  await expect(page.getByRole('button', { name: 'Play the video of Jules Arden' })).toBeVisible()
  await page.getByRole('button', { name: 'Next testimonial' }).click()
  await expect(page.getByRole('button', { name: 'Play the video of Mara Voss' })).toBeVisible()
  await page.getByRole('button', { name: 'Testimonial 2: Jules Arden' }).click()
  await expect(page.getByRole('button', { name: 'Play the video of Jules Arden' })).toBeVisible()
})

test('APP-11 a visitor finds Log in and Sign up, at 360 px in a list that opens and closes', async ({
  page,
}) => {
  await page.goto(server.origin)
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'Log in',
    'Sign up',
  ])
  await page.setViewportSize({ width: 360, height: 780 })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'Log in',
    'Sign up',
  ])
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL(`${server.origin}/login`)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
})

test('APP-13 the footer names the place and the way to write to us', async ({ page }) => {
  await page.goto(server.origin)
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('Toronto, Canada')
  await expect(footer.getByRole('link')).toHaveAttribute('href', /^mailto:support@/)
})

test('LND-02 three formats and where their results are used', async ({ page }) => {
  await page.goto(server.origin)
  const formats = page.getByRole('region', { name: 'Powerful Edit Formats' })
  await expect(formats.getByRole('heading', { level: 3 })).toHaveText([
    '15s teaser',
    'Social GIF pack',
    'Face blurring',
  ])
  await expect(formats.getByText('Works with creator platforms')).toBeVisible()
  for (const platform of ['Social networks', 'Video-hosting sites', 'Subscription sites'])
    await expect(formats.getByText(platform)).toBeVisible()
})

test('LND-05 the plan says what it costs, what is in it and how the trial works', async ({
  page,
}) => {
  await page.goto(server.origin)
  const plan = page.getByRole('region', { name: 'One Simple Plan' })
  for (const text of [
    'Creator Plan',
    '$19',
    'per month',
    '1,900 tokens per month that expire monthly',
    'Monthly billing, cancel anytime',
    'All formats included',
    '1 free edit within 7 days',
  ]) {
    await expect(plan.getByText(text, { exact: true })).toBeVisible()
  }
  await expect(plan.getByText(/No commitment and no credit card/)).toBeVisible()
  await expect(plan.getByText(/Extra tokens purchasable/)).toBeVisible()
  await expect(plan.getByRole('link', { name: 'Start your free trial' })).toHaveAttribute(
    'href',
    '/signup',
  )
})
