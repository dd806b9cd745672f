import { hastenTime, type FastTime } from './fast-time.ts'
import { startFaultWorld, type FaultWorld } from './fault-world.ts'
import { NodeXhr } from './node-xhr.ts'

/** A fault world for uploads by Node: small parts, and devices whose time runs fast. */
export interface ClientWorld {
  readonly world: FaultWorld
  readonly time: FastTime
  dispose(): Promise<void>
}

/** Starts it; until `dispose`, XMLHttpRequest and the timers of this process are its own. */
export async function startClientWorld(partBytes: number, speed: number): Promise<ClientWorld> {
  const world = await startFaultWorld(
    { ONECUT_TEST_PART_BYTES: String(partBytes) },
    'tests/setup/odd-server.ts',
  )
  const time = hastenTime(speed)
  Object.assign(globalThis, { XMLHttpRequest: NodeXhr })
  return {
    world,
    time,
    dispose: async () => {
      time.restore()
      Reflect.deleteProperty(globalThis, 'XMLHttpRequest')
      await world.dispose()
    },
  }
}
