import type { Page } from '@playwright/test'

/** The app's own script; the shell stands before it. */
export const SCRIPT = '**/assets/app-*.js'

/** Waits for the service worker; whether it answers for this page. */
export function isControlled(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    await navigator.serviceWorker.ready
    return navigator.serviceWorker.controller !== null
  })
}

/** Keeps the app's script on its way; returns what lets it arrive. */
export async function holdApp(page: Page): Promise<() => Promise<void>> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(SCRIPT, async (route) => {
    await held
    await route.continue()
  })
  return async () => {
    letGo()
    // `unroute` would let a request go that the handler still has in its hands.
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** Where the parts of the page stand that the shell and the app share. */
export async function placesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    ['header', 'header a', 'h1', '[aria-label=Steps]', '[data-state=idle]', 'main > div'].map(
      (selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect()
        if (box === undefined) return `${selector} is not there`
        return `${selector}: ${[box.x, box.y, box.width].map(Math.round).join(' ')}`
      },
    ),
  )
}
