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
  /** Bytes of an unfinished part. */
  held(path: string): number
  close(): Promise<void>
}

/**
 * Listens on a free port of this machine. A part counts as stored only with its checksum, without a
 * content type; pieces of it come by PATCH. `other` answers every other request.
 */
export async function startPartStorage(
  other: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(404).end(),
): Promise<PartStorage> {
  const stored = new Set<string>()
  const held = new Map<string, Buffer>()
  let treatment: Treatment = 'stores'
  let arrival = Promise.withResolvers<void>()

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!['PUT', 'PATCH', 'HEAD'].includes(request.method ?? '')) return other(request, response)
    arrival.resolve()
    if (treatment === 'hangs') return
    const body = await buffer(request)
    if (treatment === 'breaks') return void request.socket.destroy()
    if (treatment === 'portal')
      return void response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<html>Welcome to the hotel</html>')
    if (treatment === 'floods') return flood(response)
    if (treatment === 'slow-down')
      return void response
        .writeHead(503, { 'Retry-After': '7', 'Content-Type': 'application/xml' })
        .end('<Error><Code>SlowDown</Code></Error>')
    const path = request.url ?? ''
    const eTag = treatment === 'hides-etag' ? {} : { ETag: '"etag-1"' }
    const before = held.get(path) ?? Buffer.alloc(0)
    if (request.method === 'HEAD')
      return void response
        .writeHead(200, stored.has(path) ? eTag : { 'Upload-Offset': before.length })
        .end()
    const offset = Number(request.headers['upload-offset'] ?? 0)
    if (request.method === 'PATCH' && offset !== before.length)
      return void response.writeHead(409, { 'Upload-Offset': before.length }).end()
    const bytes = request.method === 'PATCH' ? Buffer.concat([before, body]) : body
    const sha256 = createHash('sha256').update(bytes).digest('base64')
    if (request.headers['content-type'] !== undefined) return void response.writeHead(400).end()
    if (sha256 === request.headers['x-amz-checksum-sha256']) {
      stored.add(path)
      return void response.writeHead(200, eTag).end()
    }
    if (request.method === 'PUT') return void response.writeHead(400).end()
    held.set(path, bytes)
    response.writeHead(204, { 'Upload-Offset': bytes.length }).end()
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
    held: (path) => held.get(path)?.length ?? 0,
    close: stop,
  }
}

/** A page without an end; a reader of all of it would hold more and more. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/html' })
  const words = Buffer.alloc(16 * 1_024, 'Welcome to the hotel. ')
  const more = (): void => {
    while (!response.destroyed && response.write(words));
  }
  response.on('drain', more)
  more()
}
