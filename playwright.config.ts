import { defineConfig, devices } from '@playwright/test'

/** Browser tests on the built app; each file starts its own server (tests/setup/e2e-server.ts). */
export default defineConfig({
  testDir: 'tests/e2e',
  // Two cores: a server with its database and a browser are enough at a time.
  workers: 1,
  fullyParallel: false,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  outputDir: 'test-results/artifacts',
  use: { trace: 'retain-on-failure', reducedMotion: 'reduce' },
  projects: [
    {
      name: 'chromium',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 }, launchOptions: { executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' } },
    },
  ],
})
