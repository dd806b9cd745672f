import { defineConfig, devices } from '@playwright/test'

const isIntegration = process.env['CI'] !== undefined
/** Files that measure: memory, processor time. */
const MEASURING = /(upload-size|probe-smooth)\.spec\.ts$/
/**
 * It records no traces, so Playwright would put it behind all others, where its minutes pass while
 * the other workers have nothing left to do. The files of the first project begin first.
 */
const BEFORE_ALL = /upload-faults\.spec\.ts$/
const chromium = {
  ...devices['Desktop Chrome'],
  viewport: { width: 1280, height: 800 },
  launchOptions: { executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' },
}

/**
 * Browser tests on the built app; each file starts its own server (tests/setup/e2e-server.ts). Most
 * of their time is waiting for slow networks and starting servers, so three files run side by side
 * on two cores; those that measure run alone, in a run of their own (`npm run test:e2e` does both).
 */
export default defineConfig({
  testDir: 'tests/e2e',
  workers: 3,
  fullyParallel: false,
  // On a busy machine the check of a video took more than 20 s.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // On the integration machine a second run tells a slow machine from a broken product. The report
  // lists the tests that needed it.
  retries: isIntegration ? 1 : 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  outputDir: 'test-results/artifacts',
  // A trace takes pictures all the time: on two cores only after a failure.
  use: {
    ...chromium,
    trace: isIntegration ? 'on-first-retry' : 'retain-on-failure',
    reducedMotion: 'reduce',
  },
  projects: [
    { name: 'side-by-side-first', testMatch: BEFORE_ALL },
    { name: 'side-by-side', testIgnore: [BEFORE_ALL, MEASURING] },
    { name: 'measuring', testMatch: MEASURING, workers: 1 },
  ],
})
