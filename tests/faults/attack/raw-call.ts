import { Agent, request } from 'node:http'

/** A request as it goes over the line; `headers` may repeat a name. */
export interface RawCall {
  readonly method: string
  /** Path and query, encoded. */
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | null
}

/** An answer, or 0 when the server ended the connection instead. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Longer than any answer should take; what hangs is found, and nothing is judged by time. */
const HANGS_MS = 60_000

/** Sends requests that `fetch` would correct or refuse. */
export function createRawCaller(origin: string): {
  call(call: RawCall): Promise<RawAnswer>
  close(): void
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const { hostname, port } = new URL(origin)
  return {
    close: () => agent.destroy(),
    call: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const sent = request({ hostname, port, method, path, agent, timeout: HANGS_MS })
        for (const name of new Set(headers.map(([name]) => name.toLowerCase()))) {
          const values = headers.filter((header) => header[0].toLowerCase() === name)
          const [only = ['', '']] = values
          sent.setHeader(name, values.length === 1 ? only[1] : values.map(([, value]) => value))
        }
        sent.setHeader('content-length', body?.length ?? 0)
        sent.once('timeout', () => sent.destroy(new Error('no answer')))
        // A body that is too large is refused before its end; the line may break then.
        sent.once('error', (error) =>
          error.message === 'no answer'
            ? reject(new Error(`${method} ${path} has no answer`))
            : resolve({ status: 0, headers: {}, text: '' }),
        )
        sent.once('response', (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.once('error', () => resolve({ status: 0, headers: {}, text: '' }))
          answer.once('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          )
        })
        sent.end(body)
      }),
  }
}
