import { expect } from '@playwright/test'
import type { BrowserContext, Page } from '@playwright/test'
import { createTestClient, type TestClient } from '#tests/setup/client.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

/** The six digits of the newest mail to an address. */
export async function newestCode(server: E2eServer, email: string): Promise<string> {
  let code: string | undefined
  await expect
    .poll(async () => {
      code = (await server.mails())
        .find((mail) => mail.to === email)
        ?.text.match(/^ +(\d{6})$/m)?.[1]
      return code
    })
    .toBeDefined()
  return code ?? ''
}

/** The link of the newest mail to an address. */
export async function newestLink(server: E2eServer, email: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      link = (await server.mails())
        .find((mail) => mail.to === email)
        ?.text.match(/https?:\S+callback\S+/)?.[0]
      return link
    })
    .toBeDefined()
  return link ?? ''
}

/** Asks for a mail on `/signup` or `/login`, as a person would. */
export async function askForMail(
  page: Page,
  server: E2eServer,
  path: '/signup' | '/login',
  email: string,
): Promise<void> {
  await page.goto(server.origin + path)
  await page.getByLabel('E-mail').fill(email)
  await page
    .getByRole('button', {
      name: path === '/signup' ? 'Sign up & get 1,000 tokens' : 'Log In',
      exact: true,
    })
    .click()
  await expect(
    page.getByText(
      path === '/signup'
        ? 'Please check your email for a confirmation link (check spam)'
        : 'Please check your email for a login link (check spam)',
    ),
  ).toBeVisible()
}

/** A new account, signed in by code, with a profession; ends on `/uploads/new`. */
export async function signUp(page: Page, server: E2eServer, email: string): Promise<void> {
  await askForMail(page, server, '/signup', email)
  await page
    .getByLabel('Enter the 6-digit code from the email')
    .fill(await newestCode(server, email))
  await expect(page).toHaveURL(`${server.origin}/create-profile`)
  await page.getByRole('button', { name: 'Creator/Model' }).click()
  await expect(page).toHaveURL(`${server.origin}/uploads/new`)
}

/** A client with the session of a browser, but with a connection of its own. */
export async function clientBeside(context: BrowserContext, origin: string): Promise<TestClient> {
  const client = createTestClient(origin)
  for (const cookie of await context.cookies())
    client.cookies.set(cookie.name, decodeURIComponent(cookie.value))
  return client
}

/**
 * Makes the test fail on console errors, except those that its situation causes. Returns the errors
 * so far.
 */
export function watchConsole(page: Page, expected: RegExp = /^$/): () => readonly string[] {
  const seen: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) seen.push(message.text())
  })
  page.on('pageerror', (error) => seen.push(error.message))
  return () => seen
}
