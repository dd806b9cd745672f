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
 * No violation of WCAG 2.2 A and AA on what is shown. The app has no frames, so axe's own way
 * through them, which costs ten times the check itself, is gone once for each document, to bring it
 * there.
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
 * Brings what glides, as colours do from one scheme to the other, to its end, so that what is
 * looked at is what stays.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const gliding = (): readonly Animation[] =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        )
    // The end of one may begin another, with the next picture.
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
