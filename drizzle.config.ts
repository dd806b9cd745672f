import { defineConfig } from 'drizzle-kit'

/**
 * `npm run db:generate` writes the next numbered migration from the difference to
 * server/src/db/schema.ts.
 */
export default defineConfig({
  dialect: 'postgresql',
  schema: './server/src/db/schema.ts',
  out: './server/migrations',
})
