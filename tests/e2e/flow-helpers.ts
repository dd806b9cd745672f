import { expect, type Page } from '@playwright/test'
import { AxeBuilder } from '@axe-core/playwright'
import { mkdir } from 'node:fs/promises'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

/** Signs up by the mail's link, as a person does, and chooses a profession. Ends on /uploads/new. */
export async function signUpInBrowser(page: Page, server: E2eServer, email: string): Promise<void> {
  await page.goto(`${server.origin}/signup`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: /Sign up & get 1,000 tokens/ }).click()
  await expect(page.getByText('Please check your email for a confirmation link (check spam)')).toBeVisible({ timeout: 30_000 })
  await page.goto(await linkFromMailbox(server, email))
  await page.getByRole('button').first().click()
  await page.getByRole('button', { name: 'Creator/Model' }).click()
  await page.waitForURL(`${server.origin}/uploads/new`)
}

async function linkFromMailbox(server: E2eServer, email: string): Promise<string> {
  let link: string | undefined
  await expect.poll(async () => {
    const mail = (await server.mails()).find((candidate) => candidate.to === email)
    link = /https?:\/\/\S+\/callback\?token=\S+/.exec(mail?.text ?? '')?.[0]
    return link
  }, { timeout: 20_000 }).toBeTruthy()
  return link ?? ''
}

/** No violation of WCAG 2.2 A and AA on what is shown. */
export async function expectAccessible(page: Page): Promise<void> {
  const result = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
  expect(result.violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html) }))).toEqual([])
}

const SIZES = [{ name: '360', width: 360, height: 740 }, { name: '1440', width: 1440, height: 900 }] as const

/** Pictures of the screen at both sizes, light and dark, in test-results/screens; each is also checked with axe. Dialogs: what is in sight. */
export async function photograph(page: Page, name: string, isWholePage = true): Promise<void> {
  await mkdir('test-results/screens', { recursive: true })
  const before = page.viewportSize()
  for (const size of SIZES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      if (isWholePage) await page.evaluate(() => window.scrollTo(0, 0))
      // Colours glide from one scheme to the other.
      await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running' || animation.effect?.getComputedTiming().iterations === Infinity))
      await page.screenshot({ path: `test-results/screens/${name}-${size.name}-${colorScheme}.png`, fullPage: isWholePage })
      await expectAccessible(page)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (before !== null) await page.setViewportSize(before)
}
