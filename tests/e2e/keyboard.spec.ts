import type { Page } from '@playwright/test'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './journey.ts'
import { beSignedIn } from './signed-in.ts'

// The offline start is another journey; without a service worker the page loads less.
test.use({ serviceWorkers: 'block' })

test('FMT-04 EDT-01 does the whole job by keyboard alone', async ({ page, server }) => {
  const scene = test.info().outputPath('beach day.mp4')
  await makeClip(scene, 6)
  await beSignedIn(page, server)
  // The keyboard reaches the button of the file dialog; the dialog itself is the system's.
  await tabTo(page, 'Choose a video')
  const chooser = page.waitForEvent('filechooser')
  await page.evaluate(() => {
    Reflect.deleteProperty(window, 'showOpenFilePicker')
  })
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(scene)
  await page.getByRole('button', { name: 'Upload anyway' }).waitFor()
  // What was pressed is gone.
  await expect(page.getByRole('heading', { name: 'beach day.mp4' })).toBeFocused()
  await tabTo(page, 'Upload anyway')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/media-jobs\/new$/)
  await page.getByRole('heading', { name: 'Select formats to generate from your video.' }).waitFor()
  await tabTo(page, 'Dynamic Watermark')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name or Social Tag')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Dynamic Watermark', exact: true })).toBeFocused()
  await tabTo(page, 'Still Pack', 'backwards')
  await page.keyboard.press('Space')
  await expect(page.getByText('1 edit · 150 tokens')).toBeVisible()
  await tabTo(page, /^Everyone shown/)
  await page.keyboard.press('Space')
  await tabTo(page, 'Submit for Editing')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/checkout$/)
  await page.getByRole('button', { name: 'Pay & Complete Order' }).waitFor()
  await tabTo(page, /^Pay & Complete Order/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Payment successful')).toBeVisible()
  await expect(page.getByText('100% Processed').first()).toBeVisible({ timeout: patience(120) })
  await expectAccessible(page)
  await tabTo(page, /Download contact sheet/)
  const saved = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await saved).suggestedFilename()).toMatch(/\.(jpg|png)$/)
})

/** Presses Tab until something with this name has the focus. */
async function tabTo(
  page: Page,
  name: string | RegExp,
  direction: 'forwards' | 'backwards' = 'forwards',
): Promise<void> {
  // The trace would keep the page before and after each look of `evaluate`.
  const devtools = await page.context().newCDPSession(page)
  const look = { expression: `(${focusedName.toString()})()`, returnByValue: true }
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press(direction === 'forwards' ? 'Tab' : 'Shift+Tab')
    const focused = String((await devtools.send('Runtime.evaluate', look)).result.value)
    if (typeof name === 'string' ? focused === name : name.test(focused)) {
      await devtools.detach()
      return
    }
  }
  throw new Error(`Nothing named ${String(name)} can be reached by Tab`)
}

/** Runs in the page. */
function focusedName(): string {
  const element = document.activeElement
  const labels =
    element instanceof HTMLInputElement
      ? [...(element.labels ?? [])].map((label) => label.textContent)
      : []
  const named =
    element
      ?.getAttribute('aria-labelledby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '') ?? []
  return (
    [element?.getAttribute('aria-label') ?? '', ...named, ...labels, element?.textContent ?? '']
      .map((text) => text.trim())
      .filter((text) => text !== '')[0] ?? ''
  )
}
