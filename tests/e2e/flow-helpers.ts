import { expect, type Page } from '@playwright/test'
import { ATTESTATION } from '#spec/attestation.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'
import { expectAccessible, settle } from './accessible.ts'

/**
 * Signs up by the mail's link, as a person does, and chooses a profession. Ends on /uploads/new.
 */
export async function signUpInBrowser(
  page: Page,
  server: Pick<E2eServer, 'origin' | 'mails'>,
  email: string,
): Promise<void> {
  await page.goto(`${server.origin}/signup`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: /Sign up & get 1,000 tokens/ }).click()
  await expect(
    page.getByText('Please check your email for a confirmation link (check spam)'),
  ).toBeVisible()
  await page.goto(await linkFromMailbox(server, email))
  await page.getByRole('button').first().click()
  await page.getByRole('button', { name: 'Creator/Model' }).click()
  await page.waitForURL(`${server.origin}/uploads/new`)
}

async function linkFromMailbox(server: Pick<E2eServer, 'mails'>, email: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const mail = (await server.mails()).find((candidate) => candidate.to === email)
      link = /https?:\/\/\S+\/callback\?token=\S+/.exec(mail?.text ?? '')?.[0]
      return link
    })
    .toBeTruthy()
  return link ?? ''
}

/** Ticks what the first order of a video asks for. */
export async function attest(page: Page): Promise<void> {
  await page.getByText(ATTESTATION.text).click()
}

const SIZES = [
  { name: '360', width: 360, height: 740 },
  { name: '1440', width: 1440, height: 900 },
] as const
const SCHEMES = ['light', 'dark'] as const
/** Screenshots for a person to look at are taken only with `ONECUT_SCREENS=1`. */
const ARE_PICTURES_WANTED = process.env['ONECUT_SCREENS'] === '1'
/** The soak looks at each of them with axe; in `npm test` journeys name what axe looks at. */
const IS_AXE_WANTED = process.env['ONECUT_LOOKS'] === '1'

/**
 * Looks at the screen at both sizes, light and dark: with axe in the soak, and for screenshots in
 * test-results/screens if wanted. `isWholePage`: not only the visible part, which dialogs need.
 */
export async function photograph(page: Page, name: string, isWholePage = true): Promise<void> {
  if (!ARE_PICTURES_WANTED && !IS_AXE_WANTED) return
  const before = page.viewportSize()
  for (const size of SIZES) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      if (isWholePage) await page.evaluate(() => window.scrollTo(0, 0))
      if (ARE_PICTURES_WANTED) {
        await settle(page)
        await page.screenshot({
          path: `test-results/screens/${name}-${size.name}-${colorScheme}.png`,
          fullPage: isWholePage,
        })
      }
      if (IS_AXE_WANTED) await expectAccessible(page)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (before !== null) await page.setViewportSize(before)
}
