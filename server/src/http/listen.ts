import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { StartError } from '#server/start-error.ts'

/**
 * A socket that is taken before anything else starts, so that a second server fails at once and in
 * plain words.
 */
export interface Listener {
  readonly port: number
  /** Answers with the app from now on; until then everything is 503. */
  serve(app: Hono<{ Bindings: HttpBindings }>): void
  /** Lets running answers finish for a moment, then cuts them. */
  close(): Promise<void>
}

/** Running answers (downloads) get this long at shutdown. */
const GRACE_MS = 2_000

/**
 * Listens; throws `StartError` when the address is taken or not allowed. Port 0 takes a free one.
 */
export async function listen(host: string, port: number): Promise<Listener> {
  const server = createServer(notYet)
  // Parts may take any time to arrive; their route ends a connection whose bytes stop moving.
  server.requestTimeout = 0
  server.keepAliveTimeout = 20_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(describeListenError(error, host, port)),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    serve(app) {
      server.removeAllListeners('request')
      server.on(
        'request',
        getRequestListener(app.fetch, { overrideGlobalObjects: false }) as RequestListener,
      )
    },
    close: () => closeServer(server),
  }
}

const notYet: RequestListener = (_request, response) => {
  response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      error: { message: 'Onecut is starting. Try again in a moment.', code: 'system/starting' },
    }),
  )
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} is already in use; stop the program that uses it, or choose another one, for example PORT=${port + 1}.`,
      )
    case 'EACCES':
      return new StartError(
        `Port ${port} may not be used by this user; choose one above 1023, for example PORT=4400.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `HOST is "${host}", but it must be an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
      )
    default:
      return error
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearTimeout(cut)
}
