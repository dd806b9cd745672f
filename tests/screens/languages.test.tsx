import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
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

test('in a browser of another language what a screen reader hears of a menu is in that of the page', async () => {
  await openScreen({ path: '/uploads/new' })
  const account = page.getByRole('button', { name: 'Account' })
  await expect.element(account).toBeVisible()
  speakAsBrowser('ar-EG')
  await account.click()
  await expect.element(page.getByRole('menu')).toBeVisible()
  const ends = page.getByRole('button', { name: 'Dismiss', includeHidden: true })
  expect(ends.elements().length).toBeGreaterThan(0)
})
