import { defineConfig, devices } from '@playwright/test'
import { patience } from './tests/setup/patience.ts'

export const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** What begins in the browser itself and not in a page, a journey starts with `startChromium`. */
export const browserOf = (executablePath: string) => ({
  ...devices['Desktop Chrome'],
  viewport: { width: 1280, height: 800 },
  launchOptions: { executablePath },
})

/**
 * Browser tests on the built app. Files share the server of their worker (tests/e2e/journey.ts),
 * but those that need settings of their own.
 * `npm test` runs several of them side by side and tries a failed file again by itself; the first
 * failure's trace is kept.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  workers: 2,
  fullyParallel: false,
  timeout: patience(300),
  expect: { timeout: patience(60) },
  outputDir: 'test-results/artifacts',
  // A failure without a trace costs a day. It has the page at each step; pictures of the screen as
  // well would cost a tenth of the journey.
  use: {
    // The shell draws no window and takes a sixth of the processor time less.
    ...browserOf(process.env['HEADLESS_SHELL_PATH'] ?? CHROMIUM),
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    reducedMotion: 'reduce',
  },
  projects: [{ name: 'journeys' }],
})
