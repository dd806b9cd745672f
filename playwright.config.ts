import { defineConfig, devices } from '@playwright/test'

/** Browser tests on the built app; each file starts its own server (tests/setup/e2e-server.ts). */
export default defineConfig({
  testDir: 'tests/e2e',
  // Two cores: a server with its database and a browser are enough at a time.
  workers: 1,
  fullyParallel: false,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // A second run on the integration machine tells a slow machine from a broken product; the report names what needed it.
  retries: process.env['CI'] === undefined ? 0 : 1,
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
