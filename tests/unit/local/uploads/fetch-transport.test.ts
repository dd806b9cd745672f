import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFetchTransport } from '#src/local/uploads/adapters/fetch-transport.ts'
import type { PartRequest } from '#src/local/uploads/ports.ts'

let server: Server
let origin: string
let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>
beforeEach(async () => {
  server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

function part(more: Partial<PartRequest> = {}): PartRequest {
  return {
    url: '/parts/1?signature=s',
    body: new Blob(['the bytes'], { type: 'video/mp4' }),
    offset: 0,
    partSizeBytes: 9,
    sha256: 'c2hh',
    signal: new AbortController().signal,
    onSent: () => undefined,
    pace: { failedConnects: 0, unanswered: 0, expectedGapMs: null, bytesPerSecond: null },
    ...more,
  }
}
const transport = () => createFetchTransport({ origin, nowEpochMs: () => 0, fetch })

describe('a part sent by fetch', () => {
  it('UPL-09 is the raw slice without a content type, with its checksum, and returns the ETag without quotes', async () => {
    const seen: unknown[] = []
    const sent: number[] = []
    answer = async (request, response) => {
      seen.push(
        request.method,
        request.url,
        request.headers['content-type'],
        request.headers['x-amz-checksum-sha256'],
        request.headers['content-length'],
        await text(request),
      )
      response.setHeader('ETag', '"abc"').end()
    }
    expect(await transport().put(part({ onSent: (bytes) => void sent.push(bytes) }))).toEqual({
      kind: 'answer',
      status: 200,
      eTag: 'abc',
      retryAfterMs: null,
      errorCode: null,
      heldBytes: null,
      isOwn: true,
    })
    expect(seen).toEqual(['PUT', '/parts/1?signature=s', undefined, 'c2hh', '9', 'the bytes'])
    expect(sent).toEqual([9])
  })

  it('reads refusals, and recognises the page of a captive portal', async () => {
    answer = async (request, response) => {
      await text(request)
      response.writeHead(503, { 'Retry-After': '7' }).end('<Error><Code>SlowDown</Code></Error>')
    }
    expect(await transport().put(part())).toMatchObject({
      status: 503,
      retryAfterMs: 7_000,
      errorCode: 'SlowDown',
    })
    answer = async (request, response) => {
      await text(request)
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<html>Welcome to the hotel</html>')
    }
    expect(await transport().put(part())).toMatchObject({ isOwn: false })
  })

  it('is silence when the network breaks, and an abort when it was dropped', async () => {
    answer = (request) => Promise.resolve(void request.socket.destroy())
    expect(await transport().put(part())).toEqual({
      kind: 'silence',
      didStall: false,
      movedBytes: 0,
    })
    const dropped = new AbortController()
    answer = () => Promise.resolve(dropped.abort())
    await expect(transport().put(part({ signal: dropped.signal }))).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})
