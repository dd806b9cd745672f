import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { receive } from './body-stream.ts'
import { enact } from './enact.ts'
import { createGate, type Gate } from './gate.ts'
import { createFaultLedger, type FaultLedger, type LedgerEntry } from './fault-ledger.ts'
import {
  FAST_NETWORK,
  carriesBytes,
  type Fault,
  type FaultRule,
  type NetworkSpeed,
  type RequestFacts,
} from './faults.ts'
import type { AnswerChange } from './relay.ts'
import { readFacts } from './request-kind.ts'
import { createThrottle, type Throttle } from './throttle.ts'

/**
 * A network between browser and server that fails as told, and a ledger of everything that passed.
 */
export interface FaultProxy {
  readonly origin: string
  readonly ledger: FaultLedger
  /** The first matching rule that is not used up damages the request. */
  add(...rules: readonly FaultRule[]): void
  /** Forgets all rules. */
  clear(): void
  /** The speed also applies to requests in flight; the latency applies to new ones. */
  setNetwork(device: string, network: NetworkSpeed): void
  /**
   * Cuts a device off until `over` settles, or only from the storage of its parts: requests in
   * flight stop where they are, new ones are not read, and no error is sent. Resolves with the time
   * of the end, as the ledger measures it; rejects as `over` does.
   */
  cutUntil(
    device: string,
    over: Promise<unknown>,
    connections: 'outlived' | 'dead',
    what?: 'all' | 'parts',
  ): Promise<number>
  /**
   * Breaks all connections of a device, and each new one until `forMs` are over, as a train does
   * that enters a tunnel. Resolves at the end.
   */
  breakFor(device: string, forMs: number): Promise<void>
  /**
   * Whether a request of the device is on its way, or with the server; not one that hangs in a
   * black hole or on a network that is cut.
   */
  isMoving(device: string): boolean
  /** Changes the answers that a device gets, from now on. */
  setChange(device: string, change: AnswerChange): void
  /**
   * Carries a request that came in elsewhere, such as at a second origin, as one of this device.
   */
  carry(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    device: string,
    change?: AnswerChange,
  ): Promise<void>
  /** The server, once its port is known. */
  setTarget(origin: string): void
  close(): Promise<void>
}

interface Device {
  network: NetworkSpeed
  readonly total: Throttle
}

/** Listens on a free port of this machine. */
export async function startFaultProxy(): Promise<FaultProxy> {
  const ledger = createFaultLedger()
  // A connection that is kept may be one that the other side is closing: a request on it fails by
  // chance, and the client of a test sends it once.
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
  const devices = new Map<string, Device>()
  const gates = new Map<string, Gate>()
  const changes = new Map<string, AnswerChange>()
  /** What a device has open now, and how to break it. */
  const open = new Map<string, Map<LedgerEntry, () => void>>()
  const broken = new Set<string>()
  let rules: { readonly rule: FaultRule; left: number }[] = []
  let target = ''

  const pick = (facts: RequestFacts): Fault | null => {
    const found = rules.find(({ rule, left }) => left > 0 && rule.match(facts))
    if (found === undefined) return null
    found.left -= 1
    return found.rule.fault
  }
  const gateOf = (device: string, what: 'all' | 'parts'): Gate => {
    const gate = gates.get(`${what} ${device}`) ?? createGate()
    gates.set(`${what} ${device}`, gate)
    return gate
  }
  const deviceOf = (name: string): Device => {
    const known = devices.get(name)
    if (known !== undefined) return known
    const device: Device = {
      network: FAST_NETWORK,
      total: createThrottle(() => device.network.totalBytesPerSecond),
    }
    devices.set(name, device)
    return device
  }
  const carry = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    as: { readonly device: string; readonly change: AnswerChange | undefined } | null,
  ): Promise<void> => {
    // Kept, because a request releases its socket when its body is dropped.
    const { socket } = incoming
    const reset = (): void => void socket.resetAndDestroy()
    const facts = {
      ...readFacts(incoming.method ?? 'GET', incoming.url ?? '/', incoming.headers),
      ...(as === null ? {} : { device: as.device }),
    }
    if (broken.has(facts.device)) return reset()
    const entry = ledger.open(facts, pick)
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    const resets = open.get(facts.device) ?? new Map<LedgerEntry, () => void>()
    open.set(facts.device, resets.set(entry, reset))
    outgoing.once('close', () => {
      resets.delete(entry)
      ledger.close(entry)
      leave()
    })
    const device = deviceOf(facts.device)
    const throttles =
      carriesBytes(facts.kind) && (facts.partNumber ?? 0) <= (device.network.quickParts ?? 0)
        ? []
        : [createThrottle(() => device.network.connectionBytesPerSecond), device.total]
    const passage = async (): Promise<void> => {
      if (facts.partNumber !== null) await gateOf(facts.device, 'parts').pass(gone)
      await gateOf(facts.device, 'all').pass(gone)
    }
    const change = as?.change ?? changes.get(facts.device) ?? null
    const body = (): AsyncIterable<Buffer> =>
      receive(incoming, passage, throttles, (bytes) => {
        entry.firstByteAtMs ??= performance.now()
        entry.receivedBytes += bytes
      })
    try {
      if (device.network.latencyMs > 0) await delay(device.network.latencyMs)
      await passage()
      await enact(
        {
          incoming,
          outgoing,
          entry,
          gone,
          reset,
          body,
          passage,
          change,
          upstream: { origin: () => target, agent },
        },
        entry.chosen,
      )
    } catch {
      // No server, or one side hung up: the client sees what it would see without a proxy.
      reset()
    }
  }

  const server = createServer((incoming, outgoing) => void carry(incoming, outgoing, null))
  server.requestTimeout = 0
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger,
    add: (...added) => {
      rules = [...rules, ...added.map((rule) => ({ rule, left: rule.times }))]
    },
    clear: () => {
      rules = []
    },
    setNetwork: (device, network) => {
      deviceOf(device).network = network
    },
    cutUntil: async (device, over, connections, what = 'all') => {
      gateOf(device, what).cut()
      await over.finally(() => gateOf(device, what).mend(connections))
      return performance.now()
    },
    breakFor: async (device, forMs) => {
      broken.add(device)
      for (const reset of Array.from(open.get(device)?.values() ?? [])) reset()
      await delay(forMs)
      broken.delete(device)
    },
    isMoving: (device) =>
      !gateOf(device, 'all').isCut() &&
      Array.from(open.get(device)?.keys() ?? []).some(({ fault }) => fault !== 'black-hole'),
    setChange: (device, change) => void changes.set(device, change),
    carry: (incoming, outgoing, device, change) => carry(incoming, outgoing, { device, change }),
    setTarget: (origin) => {
      target = origin
    },
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
