import { playwright } from '@vitest/browser-playwright'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { runs } from './tests/seeds.ts'
import { patience } from './tests/setup/patience.ts'

/**
 * A worker of tests makes many objects that are soon gone. With room for them it clears up less
 * often, which takes 6 to 10 % of its processor time.
 */
const execArgv = ['--min-semi-space-size=64', '--max-semi-space-size=64']

/** Contract and integration tests, beside a PostgreSQL. */
export const integration = {
  name: 'integration',
  isolate: false,
  execArgv,
  include: ['tests/{contract,integration}/**/*.test.ts'],
  globalSetup: ['tests/setup/postgres.ts'],
  setupFiles: [
    'tests/setup/fail-on-noise.ts',
    'tests/setup/keep-abort-controllers.ts',
    'tests/setup/seeds.ts',
  ],
  // Whole servers and ffmpeg runs share two cores here. A hang is still found. In the soak a
  // property has 20 times as many tries.
  testTimeout: patience(runs(180)),
  hookTimeout: patience(180),
  expect: { poll: { timeout: patience(30) } },
}

/**
 * Three projects: `unit` needs nothing but Node, `integration` runs the contract and integration
 * tests beside a PostgreSQL, and `screens` runs the screen tests in Chromium. Playwright runs the
 * journeys (playwright.config.ts).
 */
export default defineConfig({
  test: {
    // Half of their time is waiting, for servers and for ffmpeg's own processes.
    maxWorkers: 3,
    // A golden text that is missing fails; `-u` writes it.
    update: 'none',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          // No file here leaves anything in a module or a global, so a worker loads what they share
          // only once.
          isolate: false,
          execArgv,
          setupFiles: [
            // Before the first file loads Dexie, which looks for IndexedDB only then.
            'fake-indexeddb/auto',
            'tests/setup/fail-on-noise.ts',
            'tests/setup/keep-abort-controllers.ts',
            'tests/setup/seeds.ts',
          ],
          testTimeout: patience(runs(60)),
          hookTimeout: patience(60),
          expect: { poll: { timeout: patience(30) } },
        },
      },
      { test: integration },
      {
        plugins: [react(), tailwind()],
        publicDir: 'public',
        // Vite would reload the page, and fail the test under way, when it finds one of them late.
        optimizeDeps: {
          include: [
            '@tanstack/react-query',
            '@tanstack/react-virtual',
            'altcha-lib',
            'altcha-lib/algorithms/web/pbkdf2',
            'comlink',
            'dexie',
            'jotai',
            'lucide-react',
            'openapi-fetch',
            'react',
            'react-aria-components',
            'react-aria-components/Button',
            'react-aria-components/Checkbox',
            'react-aria-components/Dialog',
            'react-aria-components/Disclosure',
            'react-aria-components/I18nProvider',
            'react-aria-components/Menu',
            'react-aria-components/Modal',
            'react-aria-components/ProgressBar',
            'react-aria-components/RadioGroup',
            'react-aria-components/Tabs',
            'react-aria-components/TextField',
            'react-aria-components/ToggleButton',
            'react-aria-components/ToggleButtonGroup',
            'react-aria-components/Toolbar',
            'react-dom',
            'react-dom/client',
            'react-router',
            'react-router/dom',
            'react/jsx-dev-runtime',
            'uuid',
            'valibot',
            'vitest-browser-react/pure',
            'yaml',
          ],
        },
        test: {
          name: 'screens',
          // A test closes the screen that it opens, so the next file meets the page as the first
          // one did, and the app is loaded once.
          isolate: false,
          include: ['tests/screens/**/*.test.tsx'],
          setupFiles: [
            'tests/setup/lean-page.ts',
            'tests/setup/fail-on-noise.ts',
            'tests/setup/close-screen.ts',
          ],
          // A story of many presses took 33 s on a machine with much other work.
          testTimeout: patience(90),
          expect: { poll: { timeout: patience(30) } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            provider: playwright({
              // The first screen of a file is built while its first press waits.
              actionTimeout: patience(30),
              launchOptions: {
                // The shell draws no window and takes a fifth of the processor time less.
                executablePath:
                  process.env['HEADLESS_SHELL_PATH'] ??
                  process.env['CHROMIUM_PATH'] ??
                  '/usr/bin/chromium',
              },
              contextOptions: {
                locale: 'en-US',
                timezoneId: 'UTC',
                reducedMotion: 'reduce',
                permissions: ['clipboard-read', 'clipboard-write'],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
