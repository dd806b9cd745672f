import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Treatment } from '#tests/suites/part-transport.ts'

/** A storage over HTTP that takes parts and misbehaves on request; for the suite of transports. */
export interface PartStorage {
  readonly origin: string
  treat(treatment: Treatment): void
  reached(): Promise<void>
  has(path: string): boolean
  goAway(): Promise<void>
  close(): Promise<void>
}

/**
 * Listens on a free port of this machine. A part counts as stored only with its checksum, without a
 * content type. `other` answers every request that is neither PUT nor HEAD.
 */
export async function startPartStorage(
  other: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(404).end(),
): Promise<PartStorage> {
  const stored = new Set<string>()
  let treatment: Treatment = 'stores'
  let arrival = Promise.withResolvers<void>()

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'PUT' && request.method !== 'HEAD') return other(request, response)
    arrival.resolve()
    if (treatment === 'hangs') return
    const body = await buffer(request)
    if (treatment === 'breaks') return void request.socket.destroy()
    if (treatment === 'portal')
      return void response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<html>Welcome to the hotel</html>')
    if (treatment === 'slow-down')
      return void response
        .writeHead(503, { 'Retry-After': '7', 'Content-Type': 'application/xml' })
        .end('<Error><Code>SlowDown</Code></Error>')
    const sha256 = createHash('sha256').update(body).digest('base64')
    const isWhole = sha256 === request.headers['x-amz-checksum-sha256']
    if (request.method === 'PUT' && (!isWhole || request.headers['content-type'] !== undefined))
      return void response.writeHead(400).end()
    if (request.method === 'PUT') stored.add(request.url ?? '')
    response.writeHead(200, treatment === 'hides-etag' ? {} : { ETag: '"etag-1"' }).end()
  }

  const server = createServer((request, response) => void answer(request, response))
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    treat: (next) => {
      treatment = next
      arrival = Promise.withResolvers()
    },
    reached: () => arrival.promise,
    has: (path) => stored.has(path),
    goAway: stop,
    close: stop,
  }
}
