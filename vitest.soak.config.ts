import { defineConfig } from 'vitest/config'
import { patience } from './tests/setup/patience.ts'
import { integration } from './vitest.config.ts'

/** What is too long, too random or too large for `npm test`: `npm run soak`. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...integration,
          name: 'soak',
          include: ['tests/soak/**/*.test.ts'],
          testTimeout: patience(3_600),
        },
      },
    ],
  },
})
