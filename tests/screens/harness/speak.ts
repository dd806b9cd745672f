import { onTestFinished } from 'vitest'

/** Lets the browser speak another language until the test ends: 'de', 'ar-EG'. */
export function speak(language: string): void {
  Object.defineProperty(navigator, 'language', { configurable: true, get: () => language })
  window.dispatchEvent(new Event('languagechange'))
  onTestFinished(() => {
    // The browser's own property stands on the prototype, so deleting this one brings it back.
    Reflect.deleteProperty(navigator, 'language')
    window.dispatchEvent(new Event('languagechange'))
  })
}
