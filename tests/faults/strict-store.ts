import { createHash } from 'node:crypto'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A store as strict as AWS, in front of one that is not. */
interface StrictStore {
  readonly origin: string
  close(): Promise<void>
}

/**
 * Passes requests on to `origin` after it has done what AWS does and Ceph does not: it refuses
 * headers `x-amz-…` that no signature covers, and compares the body of a part with its
 * `x-amz-checksum-sha256`, which it answers. Signatures themselves are the engine's affair: `Host`
 * passes as it came.
 */
export async function startStrictStore(origin: string): Promise<StrictStore> {
  const server = createServer((incoming, outgoing) => {
    carry(new URL(origin), incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const CHECKSUM = 'x-amz-checksum-sha256'

async function carry(
  { hostname, port }: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method, url = '/', headers } = incoming
  const body = await buffer(incoming)
  const refusal = refusalOf(url, headers, body)
  if (refusal !== null) {
    outgoing.writeHead(refusal.status, { 'content-type': 'application/xml', ...corsOf(headers) })
    outgoing.end(`<?xml version="1.0"?><Error><Code>${refusal.code}</Code></Error>`)
    return
  }
  const passed = request({ hostname, port, method, path: url, headers }, (answer) => {
    const checksum = headers[CHECKSUM]
    const kept = answer.statusCode === 200 && checksum !== undefined ? { [CHECKSUM]: checksum } : {}
    outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...kept })
    answer.pipe(outgoing)
  })
  passed.on('error', () => outgoing.destroy())
  passed.end(body)
}

function refusalOf(
  url: string,
  headers: IncomingMessage['headers'],
  body: Buffer,
): { readonly status: number; readonly code: string } | null {
  const signed = new URL(url, 'http://store').searchParams.get('X-Amz-SignedHeaders')
  const names = signed ?? /SignedHeaders=([^,\s]+)/.exec(headers.authorization ?? '')?.[1]
  const isCovered = (name: string): boolean => names?.split(';').includes(name) === true
  const bare = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !isCovered(name))
  if (names !== undefined && bare.length > 0) return { status: 403, code: 'AccessDenied' }
  const given = headers[CHECKSUM]
  if (given === undefined) return null
  const found = createHash('sha256').update(body).digest('base64')
  return given === found ? null : { status: 400, code: 'BadDigest' }
}

/** Without these a page could not read why its part was refused. */
function corsOf({ origin }: IncomingMessage['headers']): Record<string, string> {
  return origin === undefined ? {} : { 'access-control-allow-origin': origin }
}
