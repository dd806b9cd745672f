import { startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'
import { expect, test as quiet } from './quiet.ts'

/**
 * `test` of a journey: all of a worker share one server behind one proxy with faults, and each
 * signs up a person of its own. A journey that ends the server starts it again.
 */
export const test = quiet.extend<
  object,
  {
    readonly world: FaultWorld
    /** The server of the world, at the address of its proxy. */
    readonly server: E2eServer
  }
>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- it needs no other fixture
    async ({}, use) => {
      const world = await startFaultWorld()
      await use(world)
      await world.dispose()
    },
    { scope: 'worker', timeout: 0 },
  ],
  server: [
    async ({ world }, use) => {
      await use({ ...world.server, origin: world.proxy.origin })
    },
    { scope: 'worker' },
  ],
})
export { expect }
