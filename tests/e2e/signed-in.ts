import { expect, type Page } from '@playwright/test'
import { signInContext } from '#tests/faults/upload-page.ts'
import type { TestClient } from '#tests/setup/client.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpCreator } from '#tests/setup/e2e-sign-up.ts'

/**
 * A new account with a profession, signed in without the sign-up screens, which saves seconds in
 * tests of something else. Ends on `/uploads/new`; the client is signed in as well.
 */
export async function beSignedIn(page: Page, server: E2eServer): Promise<TestClient> {
  const client = await signUpCreator(server)
  await signInContext(page.context(), client, 'direct')
  await page.goto(`${server.origin}/uploads/new`)
  await expect(page.getByLabel('Choose a video')).toBeAttached()
  return client
}
