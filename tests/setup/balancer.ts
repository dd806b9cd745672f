import {
  Agent,
  createServer,
  request as ask,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { READINESS_PATH } from '#server/http/readiness.ts'

/** A load balancer of HTTP as people run it (nginx, HAProxy), as small as it can be. */
export interface Balancer {
  readonly origin: string
  /** Answers of its own and of servers that it passed on with a status of 500 and above. */
  readonly failures: readonly string[]
  /** Resolves when the readiness of a server has become this. */
  until(origin: string, state: 'in' | 'out'): Promise<void>
  close(): Promise<void>
}

interface Upstream {
  readonly origin: string
  readonly agent: Agent
  state: 'in' | 'out'
}

/** What the answer of one server means for the call: the client's, or ask the next server. */
type Outcome = 'answered' | 'next'

/**
 * Sends calls to `origins` in turn, over connections that it keeps, to those whose readiness is
 * 200. A call goes to the next server when one refuses the connection or answers 503. Nothing else
 * is tried again: what breaks off half-way may have been done.
 */
export async function startBalancer(origins: readonly string[]): Promise<Balancer> {
  const upstreams = origins.map((origin): Upstream => {
    const agent = new Agent({ keepAlive: true })
    return { origin, agent, state: 'in' }
  })
  const failures: string[] = []
  let turn = 0
  const inTurn = (): Upstream[] => {
    turn += 1
    const open = upstreams.filter(({ state }) => state === 'in')
    const all = open.length === 0 ? upstreams : open
    return all.map((_, index) => all[(turn + index) % all.length]!) // the index is below the length
  }
  const server = createServer((incoming, outgoing) => {
    void passOn(inTurn(), incoming, outgoing).then((outcome) => {
      if (outcome === 'next') outgoing.writeHead(502).end()
      if (outgoing.statusCode >= 500)
        failures.push(`${incoming.method} ${incoming.url?.split('?')[0]}: ${outgoing.statusCode}`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const watch = watchReadiness(upstreams)
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    until: watch.until,
    async close() {
      watch.stop()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      for (const { agent } of upstreams) agent.destroy()
    },
  }
}

async function passOn(
  upstreams: readonly Upstream[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Outcome> {
  const body = keepBody(incoming)
  for (const upstream of upstreams)
    if ((await tryOne(upstream, incoming, body, outgoing)) === 'answered') return 'answered'
  return 'next'
}

/** A request's body that goes out as it arrives and, to the next server, from the beginning. */
interface KeptBody {
  sendTo(write: (chunk: Buffer | null) => void): void
}

function keepBody(incoming: IncomingMessage): KeptBody {
  const chunks: (Buffer | null)[] = []
  let send: (chunk: Buffer | null) => void = () => undefined
  const take = (chunk: Buffer | null): void => {
    chunks.push(chunk)
    send(chunk)
  }
  incoming.on('data', take)
  incoming.once('end', () => take(null))
  return {
    sendTo(write) {
      send = write
      for (const chunk of chunks) write(chunk)
    },
  }
}

function tryOne(
  { origin, agent }: Upstream,
  incoming: IncomingMessage,
  body: KeptBody,
  outgoing: ServerResponse,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const { connection: _hop, ...headers } = incoming.headers
  const out = ask(new URL(incoming.url ?? '/', origin), {
    method: incoming.method ?? 'GET',
    headers,
    agent,
  })
  out.once('response', (answer) => {
    if (answer.statusCode === 503) {
      answer.resume()
      return resolve('next')
    }
    const { connection: _itsHop, 'keep-alive': _itsTime, ...kept } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, kept)
    answer.pipe(outgoing)
    answer.once('end', () => resolve('answered'))
    answer.once('error', () => outgoing.destroy())
  })
  out.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') return resolve('next')
    if (!outgoing.headersSent) outgoing.writeHead(502, { 'x-because': error.code ?? '' }).end()
    resolve('answered')
  })
  body.sendTo((chunk) => {
    if (out.destroyed) return
    if (chunk === null) out.end()
    else out.write(chunk)
  })
  return promise
}

/** How often the readiness of each server is asked; others take seconds. */
const READINESS_EVERY_MS = 100

function watchReadiness(upstreams: readonly Upstream[]) {
  const waiting = new Set<() => void>()
  const isReady = async (origin: string): Promise<boolean> =>
    await fetch(`${origin}${READINESS_PATH}`).then(
      ({ status }) => status === 200,
      () => false,
    )
  const look = async (): Promise<void> => {
    for (const upstream of upstreams)
      upstream.state = (await isReady(upstream.origin)) ? 'in' : 'out'
    for (const tell of waiting) tell()
  }
  const timer = setInterval(() => void look(), READINESS_EVERY_MS)
  return {
    stop: () => clearInterval(timer),
    until: async (origin: string, state: Upstream['state']): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const tell = (): void => {
        if (upstreams.some((each) => each.origin === origin && each.state === state)) resolve()
      }
      waiting.add(tell)
      await promise
      waiting.delete(tell)
    },
  }
}
