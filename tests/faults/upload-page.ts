import { expect, type BrowserContext, type Page } from '@playwright/test'
import type { TestClient } from '#tests/setup/client.ts'
import { patience } from '#tests/setup/patience.ts'

const DONE = 'Your video has been uploaded and is ready for editing'

/** Signs a browser in without a mail and gives it a device name for the proxy. */
export async function signInContext(
  context: Pick<BrowserContext, 'addCookies'>,
  client: TestClient,
  device: string,
): Promise<void> {
  const cookies = Array.from(client.cookies, ([name, value]) => ({
    name,
    value: encodeURIComponent(value),
    url: client.origin,
    sameSite: 'Lax' as const,
  }))
  await context.addCookies([
    ...cookies,
    { name: 'fault-device', value: device, url: client.origin, sameSite: 'Lax' },
  ])
}

/**
 * Installs the app in a browser as an earlier visit does: the first visit waits with it while an
 * upload is on its way.
 */
export async function installApp(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.close()
}

/**
 * Chooses a file as a person does and waits until its upload has a page. Returns the server's id of
 * the upload.
 */
export async function beginUpload(
  page: Page,
  origin: string,
  choose: (page: Page) => Promise<void>,
): Promise<string> {
  await page.goto(`${origin}/uploads/new`)
  await choose(page)
  // Appears only when the check on the device has findings.
  const anyway = page.getByRole('button', { name: 'Upload anyway' })
  const started = page.waitForURL(/\/uploads\/[0-9a-f-]{36}\/media-jobs\/new$/, {
    timeout: patience(60),
  })
  await Promise.race([started, anyway.click({ timeout: patience(60) }).catch(() => undefined)])
  await started
  return uploadRequestIdOf(page)
}

/** Chooses by the file button. */
export function chooseByInput(path: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByLabel('Choose a video').setInputFiles(path)
  }
}

/** The id in the address of the page that follows one upload. */
function uploadRequestIdOf(page: Page): string {
  const id = /\/uploads\/([0-9a-f-]{36})\//.exec(page.url())?.[1]
  if (id === undefined) throw new Error(`No upload at ${page.url()}`)
  return id
}

/** Waits until the page says that everything arrived and was checked. */
export async function expectDone(page: Page, timeoutMs = patience(60)): Promise<void> {
  await expect(page.getByText(DONE).first()).toBeVisible({ timeout: timeoutMs })
}
