import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** In the page, once the builder has run there. */
declare const axe: {
  run(
    context: Document,
    options: { readonly runOnly: readonly string[]; readonly resultTypes: readonly string[] },
  ): Promise<{ readonly violations: readonly Violation[] }>
}

/**
 * Expects no violation of WCAG 2.2 A and AA on the screen. Injects axe once for each document and
 * then runs it directly: the app has no frames, and axe's own way through frames costs ten times
 * the check.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await settle(page)
  const violations = (await page.evaluate(() => 'axe' in globalThis))
    ? await checkAgain(page)
    : await bringAndCheck(page)
  expect(
    violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html) })),
  ).toEqual([])
}

/**
 * Finishes running transitions, such as colours that change with the scheme, so that axe checks the
 * final state. Lays out what the browser leaves for later as well: until then it may keep the
 * colours of the scheme before.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const late of document.querySelectorAll<HTMLElement>('.laid-out-late'))
      late.style.contentVisibility = 'visible'
    const gliding = (): readonly Animation[] =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        )
    // The end of one transition may start another in the next frame.
    do {
      for (const animation of gliding()) animation.finish()
      await new Promise((resolve) => requestAnimationFrame(resolve))
    } while (gliding().length > 0)
  })
}

async function bringAndCheck(page: Page): Promise<readonly Violation[]> {
  expect(page.frames()).toHaveLength(1)
  return (await new AxeBuilder({ page }).withTags(WCAG).setLegacyMode(true).analyze()).violations
}

async function checkAgain(page: Page): Promise<readonly Violation[]> {
  return page.evaluate(async (tags) => {
    const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))
  }, WCAG)
}
