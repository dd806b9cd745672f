import { defineConfig } from '@playwright/test'
import { patience } from './tests/setup/patience.ts'
import journeys from './playwright.config.ts'

/** Browser tests that are too long, too random or too large for `npm test`: `npm run soak`. */
export default defineConfig({
  ...journeys,
  testDir: 'tests/soak/e2e',
  workers: 1,
  timeout: patience(3_600),
  projects: [{ name: 'soak' }],
})
