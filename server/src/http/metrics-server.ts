import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from '#server/metrics.ts'
import { StartError } from '#server/start-error.ts'
import { answerAlive, LIVENESS_PATH } from './readiness.ts'

/** The port on which an operator's own programs read the figures of this process. */
interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/**
 * Answers `/metrics` and `/livez` on a port of its own: the figures are the operator's, and a proxy
 * that forwards everything would show them to everybody. Throws `StartError` where the port is
 * taken.
 */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && request.url === LIVENESS_PATH) return answerAlive(response)
    if (!isRead || request.url !== '/metrics') return void response.writeHead(404).end()
    void metrics.text().then((text) => {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
      response.end(text)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError(
          `The metrics cannot be served at ${host}:${port} (${error.code ?? error.message}); choose another ONECUT_METRICS_PORT or ONECUT_METRICS_HOST.`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
