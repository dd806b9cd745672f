import { expect, test as base } from '@playwright/test'

/** What the browser logs of a request that failed or was refused. */
export const FAILED_REQUESTS = /^Failed to load resource: /

/** One pattern for a line that matches any of these. */
export function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

/**
 * `test` of every browser test: it fails on errors on the console of its context's pages, and on
 * errors that nothing handles. A file or a group that causes some says which:
 * `test.use({ expectedNoise: FAILED_REQUESTS })`. Without a context or page, no browser starts.
 */
export const test = base.extend<{ readonly expectedNoise: RegExp }>({
  // Matches nothing.
  expectedNoise: [/(?!)/, { option: true }],
  context: async ({ context, expectedNoise }, use) => {
    const seen: string[] = []
    context.on('console', (message) => {
      if (message.type() === 'error') seen.push(message.text())
    })
    context.on('weberror', (error) => seen.push(error.error().message))
    // oxlint-disable-next-line react-hooks/rules-of-hooks -- Playwright's, not React's
    await use(context)
    const noise = seen.filter((line) => !expectedNoise.test(line))
    expect(noise, 'errors on the console that the test does not expect').toEqual([])
  },
})
export { expect }
