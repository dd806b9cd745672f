import { defineConfig } from 'vitest/config'

/**
 * Unit, contract and integration tests; the browser tests are Playwright's (playwright.config.ts).
 */
export default defineConfig({
  test: {
    include: ['tests/{unit,contract,integration,suites}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/setup/postgres.ts'],
    // Whole servers and ffmpeg runs share two cores here; a hang is still found.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
