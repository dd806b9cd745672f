import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { expect, test as quiet } from './quiet.ts'

/**
 * `test` of a journey that leaves its server running and as it is: all of a worker share one, and
 * each signs up a person of its own.
 */
export const test = quiet.extend<object, { readonly server: E2eServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- it needs no other fixture
    async ({}, use) => {
      const server = await startE2eServer()
      await use(server)
      await server.dispose()
    },
    { scope: 'worker', timeout: 0 },
  ],
})
export { expect }
