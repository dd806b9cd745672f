import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { receive } from './body-stream.ts'
import { enact } from './enact.ts'
import { createGate, type Gate } from './gate.ts'
import { createFaultLedger, type FaultLedger } from './fault-ledger.ts'
import { FAST_LINE, type Fault, type FaultRule, type Line, type RequestFacts } from './faults.ts'
import type { AnswerChange } from './relay.ts'
import { readFacts } from './request-kind.ts'
import { createThrottle, type Throttle } from './throttle.ts'

/**
 * A line between browser and server that breaks as told, and keeps a book of all that went over it.
 */
export interface FaultProxy {
  readonly origin: string
  readonly ledger: FaultLedger
  /** The first rule that matches and is not used up spoils the request. */
  add(...rules: readonly FaultRule[]): void
  /** Forgets all rules. */
  clear(): void
  /** For what is under way as well; the latency for what comes. */
  setLine(lane: string, line: Line): void
  /**
   * Cuts a lane off for some time, or its parts' store alone: what is under way stops where it is,
   * what comes is not read, nobody is told. Resolves with the time of its end, as the ledger
   * measures.
   */
  cutFor(
    lane: string,
    forMs: number,
    connections: 'outlived' | 'dead',
    what?: 'all' | 'parts',
  ): Promise<number>
  /** Changes what a lane is told, from now on. */
  setChange(lane: string, change: AnswerChange): void
  /** Carries a request that came in elsewhere, such as at a second origin, as one of this lane. */
  carry(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    lane: string,
    change: AnswerChange,
  ): Promise<void>
  /** The server, once its port is known. */
  setTarget(origin: string): void
  close(): Promise<void>
}

interface Lane {
  line: Line
  readonly total: Throttle
}

/** Listens on a free port of this machine. */
export async function startFaultProxy(): Promise<FaultProxy> {
  const ledger = createFaultLedger()
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const lanes = new Map<string, Lane>()
  const gates = new Map<string, Gate>()
  const changes = new Map<string, AnswerChange>()
  let rules: { readonly rule: FaultRule; left: number }[] = []
  let target = ''

  const pick = (facts: RequestFacts): Fault | null => {
    const found = rules.find(({ rule, left }) => left > 0 && rule.match(facts))
    if (found === undefined) return null
    found.left -= 1
    return found.rule.fault
  }
  const gateOf = (lane: string, what: 'all' | 'parts'): Gate => {
    const gate = gates.get(`${what} ${lane}`) ?? createGate()
    gates.set(`${what} ${lane}`, gate)
    return gate
  }
  const laneOf = (name: string): Lane => {
    const known = lanes.get(name)
    if (known !== undefined) return known
    const lane: Lane = {
      line: FAST_LINE,
      total: createThrottle(() => lane.line.totalBytesPerSecond),
    }
    lanes.set(name, lane)
    return lane
  }
  const carry = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    as: { readonly lane: string; readonly change: AnswerChange } | null,
  ): Promise<void> => {
    // Kept: a request lets go of its socket when its body is given up.
    const { socket } = incoming
    const reset = (): void => void socket.resetAndDestroy()
    const facts = {
      ...readFacts(incoming.method ?? 'GET', incoming.url ?? '/', incoming.headers.cookie ?? ''),
      ...(as === null ? {} : { lane: as.lane }),
    }
    const entry = ledger.open(facts, pick)
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    outgoing.once('close', () => {
      ledger.close(entry)
      leave()
    })
    const lane = laneOf(facts.lane)
    const throttles =
      facts.kind === 'part' && (facts.partNumber ?? 0) <= (lane.line.quickParts ?? 0)
        ? []
        : [createThrottle(() => lane.line.connectionBytesPerSecond), lane.total]
    const passage = async (): Promise<void> => {
      if (facts.kind === 'part' || facts.kind === 'knock')
        await gateOf(facts.lane, 'parts').pass(gone)
      await gateOf(facts.lane, 'all').pass(gone)
    }
    const change = as?.change ?? changes.get(facts.lane) ?? null
    const body = (): AsyncIterable<Buffer> =>
      receive(incoming, passage, throttles, (bytes) => {
        entry.firstByteAtMs ??= performance.now()
        entry.receivedBytes += bytes
      })
    try {
      if (lane.line.latencyMs > 0) await delay(lane.line.latencyMs)
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
    setLine: (lane, line) => {
      laneOf(lane).line = line
    },
    cutFor: async (lane, forMs, connections, what = 'all') => {
      gateOf(lane, what).cut()
      await delay(forMs)
      gateOf(lane, what).mend(connections)
      return performance.now()
    },
    setChange: (lane, change) => void changes.set(lane, change),
    carry: (incoming, outgoing, lane, change) => carry(incoming, outgoing, { lane, change }),
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
