import { onTestFinished } from 'vitest'
import { page } from 'vitest/browser'

/** Width of a small phone: on a wider page something has to be pushed sideways to be read. */
export const PHONE_WIDTH = 360

/** Shows the page of this test on a phone whose letters have this size. */
export async function showOnPhone(fontSize: '100%' | '200%'): Promise<void> {
  await page.viewport(PHONE_WIDTH, 740)
  document.documentElement.style.fontSize = fontSize
  onTestFinished(async () => {
    document.documentElement.style.fontSize = ''
    await page.viewport(1280, 800)
  })
}
