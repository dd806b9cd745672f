import { defineConfig } from '@playwright/test'
import { patience } from './tests/setup/patience.ts'
import journeys, { browserOf, CHROMIUM } from './playwright.config.ts'

/** Browser tests that are too long, too random or too large for `npm test`: `npm run soak`. */
export default defineConfig({
  ...journeys,
  testDir: 'tests/soak/e2e',
  workers: 1,
  // The browser that people have.
  use: { ...journeys.use, ...browserOf(CHROMIUM) },
  timeout: patience(3_600),
  projects: [{ name: 'soak' }],
})
