import { playwright } from '@vitest/browser-playwright'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Integration tests first, since one of them may take a minute: begun last, it would run alone
 * while the other core waits. A fresh clone knows no times of earlier runs to sort by.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/integration/')
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * Two projects: `node` runs the unit, contract and integration tests, `screens` runs the screen
 * tests in Chromium. Playwright runs the journeys (playwright.config.ts).
 */
export default defineConfig({
  test: {
    // Half of their time is waiting, for servers and for ffmpeg's own processes.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: 'node',
          include: ['tests/{unit,contract,integration,suites}/**/*.test.ts'],
          globalSetup: ['tests/setup/postgres.ts'],
          setupFiles: [
            'tests/setup/fail-on-noise.ts',
            'tests/setup/keep-abort-controllers.ts',
            'tests/setup/seeds.ts',
          ],
          // Whole servers and ffmpeg runs share two cores here. A hang is still found.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
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
            'react-aria-components/Menu',
            'react-aria-components/Modal',
            'react-aria-components/NumberField',
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
          include: ['tests/screens/**/*.test.tsx'],
          setupFiles: ['tests/setup/fail-on-noise.ts'],
          // A story of many presses took 33 s on a machine with much other work.
          testTimeout: 90_000,
          expect: { poll: { timeout: 30_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            provider: playwright({
              // The first screen of a file is built while its first press waits.
              actionTimeout: 30_000,
              launchOptions: {
                executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
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
