import { createHash } from 'node:crypto'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'

/** A request for a part whose body the test sends by hand. */
export interface RawPart {
  /** Sends bytes; resolves when the system has taken them. */
  send(bytes: Uint8Array): Promise<void>
  /** Breaks the connection. */
  cut(): void
  /** Status and error code of the answer, which may come before the body is sent. */
  readonly answer: Promise<RawAnswer>
}

interface RawAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly code: string | null
}

/** Begins a request for a part; only its head is sent. */
export function beginPart(
  url: URL,
  options: {
    readonly method?: 'PUT' | 'PATCH'
    readonly sizeBytes: number
    readonly headers?: Readonly<Record<string, string>>
  },
): RawPart {
  const sending: ClientRequest = request(url, {
    method: options.method ?? 'PUT',
    headers: { ...options.headers, 'content-length': String(options.sizeBytes) },
    agent: false,
  })
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    sending.on('response', (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      incoming.on('error', reject)
      incoming.on('end', () => {
        const body = text === '' ? null : (JSON.parse(text) as { error: { code: string } })
        const code = body?.error.code ?? null
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, code })
      })
    })
    sending.on('error', reject)
  })
  answer.catch(() => {}) // not every test waits for the end of a broken connection
  sending.flushHeaders()
  return {
    answer,
    send: (bytes) =>
      new Promise((resolve, reject) => {
        sending.write(bytes, (error) => (error == null ? resolve() : reject(error)))
      }),
    cut: () => sending.destroy(),
  }
}

/** What `x-amz-checksum-sha256` says of these bytes. */
export function checksumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64')
}
