import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { receive } from './body-stream.ts'
import { enact } from './enact.ts'
import { createFaultLedger, type FaultLedger } from './fault-ledger.ts'
import { FAST_LINE, type Fault, type FaultRule, type Line, type RequestFacts } from './faults.ts'
import { readFacts } from './request-kind.ts'
import { createThrottle, type Throttle } from './throttle.ts'

/** A line between browser and server that breaks as told, and keeps a book of all that went over it. */
export interface FaultProxy {
  readonly origin: string
  readonly ledger: FaultLedger
  /** The first rule that matches and is not used up spoils the request. */
  add(...rules: readonly FaultRule[]): void
  /** Forgets all rules. */
  clear(): void
  setLine(lane: string, line: Line): void
  /** The server, once its port is known. */
  setTarget(origin: string): void
  close(): Promise<void>
}

interface LaneLine { readonly line: Line; readonly total: Throttle }

/** Listens on a free port of this machine. */
export async function startFaultProxy(): Promise<FaultProxy> {
  const ledger = createFaultLedger()
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const lines = new Map<string, LaneLine>()
  let rules: { readonly rule: FaultRule; left: number }[] = []
  let target = ''

  const pick = (facts: RequestFacts): Fault | null => {
    const found = rules.find(({ rule, left }) => left > 0 && rule.match(facts))
    if (found === undefined) return null
    found.left -= 1
    return found.rule.fault
  }
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    // Kept: a request lets go of its socket when its body is given up.
    const { socket } = incoming
    const reset = (): void => void socket.resetAndDestroy()
    const facts = readFacts(incoming.method ?? 'GET', incoming.url ?? '/', incoming.headers.cookie ?? '')
    const entry = ledger.open(facts, pick)
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    outgoing.once('close', () => {
      ledger.close(entry)
      leave()
    })
    const { line, total } = lines.get(facts.lane) ?? { line: FAST_LINE, total: createThrottle(null) }
    if (line.latencyMs > 0) await delay(line.latencyMs)
    const body = (): AsyncIterable<Buffer> => receive(incoming, [createThrottle(line.connectionBytesPerSecond), total], (bytes) => { entry.receivedBytes += bytes })
    try {
      await enact({ incoming, outgoing, entry, gone, reset, body, upstream: { origin: () => target, agent } }, entry.chosen)
    } catch {
      // No server, or one side hung up: the client sees what it would see without a proxy.
      reset()
    }
  }

  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing))
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger,
    add: (...added) => { rules = [...rules, ...added.map((rule) => ({ rule, left: rule.times }))] },
    clear: () => { rules = [] },
    setLine: (lane, line) => void lines.set(lane, { line, total: createThrottle(line.totalBytesPerSecond) }),
    setTarget: (origin) => { target = origin },
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
