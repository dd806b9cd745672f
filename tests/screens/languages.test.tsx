import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openScreen } from './harness/open-screen.tsx'

/** As a person does in the settings of the browser. */
function speakAsBrowser(language: string): void {
  Object.defineProperty(navigator, 'language', { configurable: true, get: () => language })
  window.dispatchEvent(new Event('languagechange'))
  onTestFinished(() => {
    // The browser's own property stands on the prototype.
    Reflect.deleteProperty(navigator, 'language')
    window.dispatchEvent(new Event('languagechange'))
  })
}

test('in a browser of a language from right to left the arrow keys go the way that the page goes', async () => {
  await openScreen({ path: '/uploads/new' })
  const tabs = page.getByRole('tab')
  await expect.element(tabs.first()).toBeVisible()
  speakAsBrowser('ar-EG')
  await tabs.first().click()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(tabs.nth(1)).toHaveFocus()
  await expect.element(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
})
