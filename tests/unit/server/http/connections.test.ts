import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, expect, it } from 'vitest'
import { allowPause, CONNECTION_LIMITS, type ConnectionLimits } from '#server/http/connections.ts'
import { listen, type Listener } from '#server/http/listen.ts'
import { patience } from '#tests/setup/patience.ts'

let listener: Listener | null = null
let sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await listener?.close(AbortSignal.abort())
})

const QUICK = 'GET /quick HTTP/1.1\r\nHost: x\r\n\r\n'
const SLOW_BODY = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{'
const UNWANTED_BODY = 'GET /quick HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'

/** Answers that lost their readers, outside and in a session. */
interface Seen {
  cancelled: number
  cancelledOfSession: number
  /** Pieces of endless answers that were made; no more of them come when all readers lag. */
  pieces: number
  /** Calls that are being worked on, without an end. */
  unanswered: number
}

/** A server with limits of its own. */
async function serve(limits: Partial<ConnectionLimits>): Promise<Seen> {
  const seen = { cancelled: 0, cancelledOfSession: 0, pieces: 0, unanswered: 0 }
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.get('/quick', (c) => c.text('done'))
  // A body that is cut off.
  app.onError((_error, c) => c.text('', 500))
  app.post('/body', async (c) => c.text(String((await c.req.text()).length)))
  app.get('/unanswered', async () => {
    seen.unanswered += 1
    return await new Promise<Response>(() => {})
  })
  app.get('/endless', (c) => {
    const isOfSession = c.req.query('session') !== undefined
    if (isOfSession) allowPause(c.env.incoming, c.req.query('session') ?? '')
    return c.body(
      new ReadableStream({
        pull(controller) {
          seen.pieces += 1
          controller.enqueue(new Uint8Array(64 * 1024))
        },
        cancel() {
          seen[isOfSession ? 'cancelledOfSession' : 'cancelled'] += 1
        },
      }),
    )
  })
  listener = await listen('127.0.0.1', 0, { ...CONNECTION_LIMITS, checkEveryMs: 20, ...limits })
  listener.serve(app)
  return seen
}

async function open(sent: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: listener!.port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (sent !== '') socket.write(sent)
  return socket
}

async function openMany(count: number, sent: string): Promise<Socket[]> {
  return await Promise.all(Array.from({ length: count }, async () => await open(sent)))
}

const closedOf = (all: readonly Socket[]): number =>
  all.filter(({ destroyed, closed }) => destroyed || closed).length

async function answerTo(sent: string): Promise<string> {
  const socket = await open(sent)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return chunk.toString().split('\r\n')[0] ?? ''
}

it('TRU-04 hundreds of silent connections and slow bodies beyond the limit keep no other one out', async () => {
  await serve({ atMost: 60 })
  const silent = await openMany(200, '')
  const slow = await openMany(200, SLOW_BODY)
  for (const socket of [...silent, ...slow]) socket.resume()
  for (let call = 0; call < 20; call += 1) expect(await answerTo(QUICK)).toBe('HTTP/1.1 200 OK')
  await expect.poll(() => closedOf([...silent, ...slow])).toBeGreaterThanOrEqual(340)
})

it('TRU-04 a call that is whole is answered although connections have to go', async () => {
  const seen = await serve({ atMost: 3 })
  const first = await open(QUICK)
  const [chunk] = (await once(first, 'data')) as [Buffer]
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 /)
  const others = await openMany(3, 'GET /unanswered HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => seen.unanswered).toBe(3)
  // The first was kept without a call; the next has no other to take the place of.
  await expect.poll(() => closedOf([first])).toBe(1)
  const turnedAway = await open('')
  turnedAway.resume()
  await expect.poll(() => closedOf([turnedAway])).toBe(1)
  expect(closedOf(others)).toBe(0)
})

it('TRU-04 a connection without a request is closed after its time', async () => {
  await serve({ firstRequestMs: 50 })
  const silent = await openMany(5, 'GET /quick HTTP/1.1\r\nX-Slow: ')
  for (const socket of silent) socket.resume()
  await expect.poll(() => closedOf(silent)).toBe(5)
})

it('TRU-04 a body that does not keep up the rate is cut off, and one that does is taken', async () => {
  await serve({ freeMs: 200, bytesPerSecond: 50_000 })
  const slow = await open(SLOW_BODY)
  slow.resume()
  expect(
    await answerTo(
      `POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`,
    ),
  ).toBe('HTTP/1.1 200 OK')
  await expect.poll(() => closedOf([slow])).toBe(1)
})

it('TRU-04 a body that goes on after the answer is not read for ever', async () => {
  await serve({ leftOverMs: 50 })
  const socket = await open(UNWANTED_BODY)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 /)
  socket.resume()
  await expect.poll(() => closedOf([socket])).toBe(1)
})

it('TRU-04 an answer whose reader takes nothing more ends', async () => {
  const seen = await serve({ stuckMs: 200 })
  const socket = await open('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
  socket.pause()
  await expect.poll(() => seen.cancelled, { timeout: patience(10) }).toBe(1)
})

it('TRU-04 an answer to a session waits longer for its reader', async () => {
  const seen = await serve({ stuckMs: 100, stuckOfSessionMs: 600_000 })
  const patient = await open('GET /endless?session HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(patient, 'data')
  patient.pause()
  for (let other = 1; other <= 2; other += 1) {
    const stuck = await open('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
    stuck.pause()
    await expect.poll(() => seen.cancelled, { timeout: patience(10) }).toBe(other)
  }
  expect(seen.cancelledOfSession).toBe(0)
})

it('TRU-04 of one account only so many answers wait long for their readers, the newest', async () => {
  const seen = await serve({ stuckMs: 100, stuckOfSessionMs: 600_000, stuckOfAccount: 2 })
  const lagging: Socket[] = []
  for (const account of ['a', 'b', 'a', 'b', 'a', 'a']) {
    const socket = await open(`GET /endless?session=${account} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(socket, 'data')
    lagging.push(socket.pause())
  }
  await expect.poll(() => seen.cancelledOfSession, { timeout: patience(10) }).toBe(2)
  for (const socket of lagging) socket.resume()
  await expect.poll(() => closedOf(lagging)).toBe(2)
  expect(lagging.map((socket) => closedOf([socket]))).toEqual([1, 0, 1, 0, 0, 0])
})

it('TRU-04 readers who lag make room, of the network that has most of them, and no session does', async () => {
  const seen = await serve({ atMost: 4 })
  const read = async (path: string, address?: string): Promise<Socket> => {
    const socket = await open(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, address)
    await once(socket, 'data')
    return socket.pause()
  }
  const kept = [await read('/endless?session'), await read('/endless', '127.0.0.2')]
  const lagging = [await read('/endless'), await read('/endless')]
  let before = 0
  const isStill = (): boolean => before === (before = seen.pieces)
  await expect.poll(isStill).toBe(true)
  expect(await answerTo(QUICK)).toBe('HTTP/1.1 200 OK')
  expect(seen).toMatchObject({ cancelled: 1, cancelledOfSession: 0 })
  lagging[0]?.resume()
  await expect.poll(() => closedOf([...lagging, ...kept])).toBe(1)
  expect(closedOf(lagging.slice(0, 1))).toBe(1)
})
