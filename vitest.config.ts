import { defineConfig } from 'vitest/config'

/** Unit, contract and integration tests; the browser tests are Playwright's (playwright.config.ts). */
export default defineConfig({
  test: {
    include: ['tests/{unit,contract,integration,suites}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/setup/postgres.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
