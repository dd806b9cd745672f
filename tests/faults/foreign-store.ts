import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FaultProxy } from './fault-proxy.ts'

/**
 * `hides-etag`: pages may send parts and cannot read the ETag (no Access-Control-Expose-Headers).
 * `none`: pages may not send.
 */
export type StoreCors = 'hides-etag' | 'none'

/** A storage on another origin, like S3; its bytes go to the same server. */
export interface ForeignStore {
  readonly origin: string
  close(): Promise<void>
}

const UPLOAD_REQUESTS = /^\/editors\/api\/v\d\/upload-requests/

/**
 * Starts it for one device of the proxy: from now on part URLs name it, and the app may connect to
 * it.
 */
export async function startForeignStore(
  proxy: FaultProxy,
  device: string,
  cors: StoreCors,
): Promise<ForeignStore> {
  const allowed: OutgoingHttpHeaders =
    cors === 'none' ? {} : { 'access-control-allow-origin': proxy.origin }
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (incoming.method === 'OPTIONS') {
      outgoing
        .writeHead(
          cors === 'none' ? 403 : 204,
          cors === 'none'
            ? {}
            : {
                ...allowed,
                'access-control-allow-methods': 'PUT',
                'access-control-allow-headers': 'x-amz-checksum-sha256',
              },
        )
        .end()
      return
    }
    void proxy.carry(incoming, outgoing, device, {
      headers: (headers) => ({ ...without(headers, 'access-control-expose-headers'), ...allowed }),
    })
  }
  const server = createServer(serve)
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy.setChange(device, {
    headers: (headers) => {
      const policy = headers['content-security-policy']
      return typeof policy === 'string'
        ? {
            ...headers,
            'content-security-policy': policy.replace(
              "connect-src 'self'",
              `connect-src 'self' ${origin}`,
            ),
          }
        : headers
    },
    hasText: (path) => UPLOAD_REQUESTS.test(path),
    // Its parts do not resume, as those of S3 do not.
    text: (text) =>
      text
        .replaceAll(/"presignedUrl":"[^"]*?(?=\/editors\/)/g, `"presignedUrl":"${origin}`)
        .replaceAll('"resumable":true', '"resumable":false'),
  })
  return {
    origin,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function without(headers: OutgoingHttpHeaders, name: string): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}
