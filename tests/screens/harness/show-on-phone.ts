import { onTestFinished } from 'vitest'
import { page } from 'vitest/browser'

/** Width of a small phone: on a wider page something has to be pushed sideways to be read. */
export const PHONE_WIDTH = 360

/** Shows the page of this test on a phone whose letters have this size. */
export async function showOnPhone(fontSize: '100%' | '200%' | '400%'): Promise<void> {
  await page.viewport(PHONE_WIDTH, 740)
  const { style } = document.documentElement
  // With reduced motion every change of style is a transition of 10 ns, which ends with the next
  // frame: where none comes, the letters would keep their size.
  style.transitionProperty = 'none'
  style.fontSize = fontSize
  onTestFinished(async () => {
    style.fontSize = ''
    style.transitionProperty = ''
    await page.viewport(1280, 800)
  })
}
