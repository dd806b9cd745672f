import type { ClientRunOptions } from './client-run.ts'
import { createFastClock, hastenTimers, type FastClock } from './fast-time.ts'
import { startFaultWorld, type FaultWorld } from './fault-world.ts'
import { NodeXhr } from './node-xhr.ts'
import type { TestClient } from '#tests/setup/client.ts'

/** A fault world for uploads by Node: parts of any size, and devices whose time runs fast. */
export interface ClientWorld {
  readonly world: FaultWorld
  /** A new device, by its name at the proxy. */
  device(name: string): Promise<Omit<ClientRunOptions, 'file'>>
  dispose(): Promise<void>
}

/** How fast the time of devices runs. */
export interface ClientSpeed {
  /** While nothing moves on the device's network: back-offs take no time. */
  readonly idle: number
  /** While something moves: limits of a second must not become shorter than a busy server. */
  readonly moving: number
  /** Limits of single requests, 15 s and more. */
  readonly timers: number
}

export const QUICK_WAITS: ClientSpeed = { idle: 20, moving: 2, timers: 10 }

/** Few, because the server limits sign-ups. */
const ACCOUNTS = 5
/** In a row; an account may have 20 that are unfinished. */
const UPLOADS_OF_ONE = 10

/** Starts it; until `dispose`, XMLHttpRequest and the timers of this process are its own. */
export async function startClientWorld(
  partBytes: number,
  speed: ClientSpeed,
  env: Readonly<Record<string, string>> = {},
): Promise<ClientWorld> {
  const world = await startFaultWorld(
    { ONECUT_TEST_PART_BYTES: String(partBytes), ...env },
    'tests/setup/odd-server.ts',
  )
  const restoreTimers = hastenTimers(speed.timers)
  Object.assign(globalThis, { XMLHttpRequest: NodeXhr })
  const accounts: Promise<TestClient>[] = []
  const clocks: FastClock[] = []
  return {
    world,
    device: async (device) => {
      const at = Math.floor(clocks.length / UPLOADS_OF_ONE) % ACCOUNTS
      accounts[at] ??= world.signUp()
      const clock = createFastClock(() =>
        world.proxy.isMoving(device) ? speed.moving : speed.idle,
      )
      clocks.push(clock)
      return { world, account: await accounts[at], device, clock }
    },
    dispose: async () => {
      restoreTimers()
      for (const clock of clocks) clock.stop()
      Reflect.deleteProperty(globalThis, 'XMLHttpRequest')
      await world.dispose()
    },
  }
}
