import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { CONNECTION_LIMITS, limitConnections, type ConnectionLimits } from './connections.ts'
import {
  answerAlive,
  createReadiness,
  LIVENESS_PATH,
  READINESS_PATH,
  refuse,
  type Readiness,
} from './readiness.ts'
import { StartError } from '#server/start-error.ts'

/**
 * A socket that is taken before anything else starts, so that a second server fails at once and in
 * plain words.
 */
export interface Listener {
  readonly port: number
  /**
   * Answers with the app from now on; until then everything is 503. `migration` is what readiness
   * says of the database.
   */
  serve(app: Hono<{ Bindings: HttpBindings }>, migration?: string): void
  /** True from the first moment of `close`: new work that takes long is to be refused. */
  isStopping(): boolean
  /**
   * Ends the server without an error for callers that have another one to go to.
   *
   * [Note: stop without a loss] Readiness falls first, and each answer asks its connection to
   * close; calls are still answered until the balancer that watches has noticed. Then the port
   * closes, which a balancer answers by the next server, and what runs may end. Whatever is left
   * after a minute, or when `hurry` aborts, is cut off.
   */
  close(hurry?: AbortSignal): Promise<void>
}

/**
 * Longer than a balancer keeps a connection that it does not use (nginx and AWS 60 s, others 75 s),
 * so that it is the balancer that closes: a server that does so meets a call that is on its way.
 */
const KEEP_ALIVE_MS = 80_000
/** Node's own limit of 60 s would count a kept connection's wait for its next call. */
const HEADERS_MS = KEEP_ALIVE_MS + 5_000
const LONGEST_CLOSE_MS = 60_000
/** A connection that was opened but has sent nothing yet: a call on its way, or never to come. */
const SILENT_CONNECTION_MS = 500

/**
 * Listens; throws `StartError` when the address is taken or not allowed. Port 0 takes a free one.
 */
export async function listen(
  host: string,
  port: number,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Promise<Listener> {
  const readiness = createReadiness()
  const running = new Set<ServerResponse>()
  let app: RequestListener = (_request, response) => refuse(response)
  const server = createServer((request, response) => {
    running.add(response)
    response.once('close', () => running.delete(response))
    if (readiness.isStopping()) response.shouldKeepAlive = false
    if (request.url === READINESS_PATH) readiness.answer(response)
    else if (request.url === LIVENESS_PATH) answerAlive(response)
    else app(request, response)
  })
  limitConnections(server, limits)
  // Parts may take any time to arrive; their route ends a connection whose bytes stop moving.
  server.requestTimeout = 0
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.headersTimeout = HEADERS_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(describeListenError(error, host, port)),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    serve(hono, migration) {
      app = getRequestListener(hono.fetch, { overrideGlobalObjects: false }) as RequestListener
      readiness.serve(migration)
    },
    isStopping: readiness.isStopping,
    close: (hurry) => {
      const limit = AbortSignal.timeout(LONGEST_CLOSE_MS)
      const cut = hurry === undefined ? limit : AbortSignal.any([hurry, limit])
      return closeServer(server, readiness, running, cut)
    },
  }
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

async function closeServer(
  server: Server,
  readiness: Readiness,
  running: ReadonlySet<ServerResponse>,
  cut: AbortSignal,
): Promise<void> {
  const told = readiness.stop(cut)
  for (const response of running) response.shouldKeepAlive = false
  await told
  // Right after the loop has read its sockets: a call that has arrived on a kept connection counts
  // as running by then, so that only connections without one are closed.
  await setImmediate()
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  const cutOff = (): void => server.closeAllConnections()
  cut.addEventListener('abort', cutOff)
  if (cut.aborted) cutOff()
  do {
    while (running.size > 0) await Promise.all([...running].map(isOver))
    await Promise.race([closed, setTimeout(SILENT_CONNECTION_MS, undefined, { ref: false })])
  } while (running.size > 0)
  cutOff()
  await closed
  cut.removeEventListener('abort', cutOff)
}

function isOver(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve)
  })
}
