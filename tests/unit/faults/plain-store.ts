import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

/** A body that reached the store in full. */
export interface Stored {
  readonly sizeBytes: number
  readonly sha256: string
}

/** Accepts any body and answers 200 with its hash as ETag; nothing else. */
export async function startPlainStore(): Promise<{
  readonly origin: string
  readonly stored: readonly Stored[]
  close(): Promise<void>
}> {
  const stored: Stored[] = []
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const hash = createHash('sha256')
      let sizeBytes = 0
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        hash.update(chunk)
        sizeBytes += chunk.length
      }
      const sha256 = hash.digest('hex')
      stored.push({ sizeBytes, sha256 })
      outgoing.writeHead(200, { ETag: `"${sha256}"`, 'Content-Length': 0 }).end()
    })().catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Sends a body by a plain request; null when the connection broke or the time was over. */
export async function put(
  origin: string,
  path: string,
  body: Uint8Array,
  options: { readonly device?: string; readonly signal?: AbortSignal } = {},
): Promise<{ status: number; headers: Headers; text: string } | null> {
  try {
    const answer = await fetch(origin + path, {
      method: 'PUT',
      body: Readable.toWeb(Readable.from([body])) as ReadableStream,
      duplex: 'half',
      redirect: 'manual',
      headers: {
        'content-length': String(body.length),
        ...(options.device === undefined ? {} : { cookie: `fault-device=${options.device}` }),
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    } as RequestInit)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch {
    return null
  }
}
