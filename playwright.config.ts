import { defineConfig, devices } from '@playwright/test'
import { patience } from './tests/setup/patience.ts'

const chromium = {
  ...devices['Desktop Chrome'],
  viewport: { width: 1280, height: 800 },
  launchOptions: { executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' },
}

/**
 * Browser tests on the built app; each file starts its own server (tests/setup/e2e-server.ts).
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
    ...chromium,
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    reducedMotion: 'reduce',
  },
  projects: [{ name: 'journeys' }],
})
