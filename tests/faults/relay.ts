import {
  request as httpRequest,
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { createThrottle } from './throttle.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Where requests go, and by which connections. */
export interface Upstream {
  readonly origin: () => string
  readonly agent: Agent
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** Headers by which a client accepts less than the plain text. */
const SPARING: ReadonlySet<string> = new Set([
  'accept-encoding',
  'if-none-match',
  'if-modified-since',
  'range',
])

/**
 * Sends the request on with the given body; resolves with the server's answer, unread. Rejects when
 * there is no server or the client went away. `isPlain` requests the whole text of the answer.
 */
export async function sendOn(
  upstream: Upstream,
  incoming: IncomingMessage,
  body: AsyncIterable<Buffer>,
  bodyBytes: number | null,
  isPlain = false,
): Promise<IncomingMessage> {
  const target = new URL(incoming.url ?? '/', upstream.origin())
  const asked = Object.entries(withoutHops(incoming.headers)).filter(
    ([name]) => !isPlain || !SPARING.has(name),
  )
  const headers: OutgoingHttpHeaders = {
    ...Object.fromEntries(asked),
    ...(bodyBytes === null ? {} : { 'content-length': bodyBytes }),
  }
  const outgoing = httpRequest(target, {
    method: incoming.method ?? 'GET',
    headers,
    agent: upstream.agent,
  })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  outgoing.once('response', resolve)
  outgoing.once('error', reject)
  outgoing.once('close', () => reject(new Error('the server closed the connection')))
  // They travel ahead of the body on every network: requests reach the server in their order.
  outgoing.flushHeaders()
  // A refusal may come before the whole body is sent; then the answer counts, not the broken pipe.
  pipeline(Readable.from(body, { objectMode: false }), outgoing).catch((error: unknown) =>
    reject(error),
  )
  return promise
}

/** An answer that replaces the server's. */
export interface AnswerChange {
  readonly headers?: (headers: OutgoingHttpHeaders, path: string) => OutgoingHttpHeaders
  /** For texts only; the whole text is held in memory. Null leaves this one unchanged. */
  readonly text?: (text: string, path: string) => string | null
  /** How fast the bytes of an answer come, asked for each piece; null: as the server sends them. */
  readonly bytesPerSecond?: (path: string) => number | null
  /** Paths whose text may change; the server must send them uncompressed. */
  readonly hasText?: (path: string) => boolean
}

/** Sends the server's answer to the client, changed if requested. */
export async function answerWith(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  {
    path,
    spoil,
    change,
  }: {
    readonly path: string
    readonly spoil?: ((headers: OutgoingHttpHeaders) => OutgoingHttpHeaders) | undefined
    readonly change: AnswerChange | null
  },
): Promise<void> {
  const told = change?.headers?.(withoutHops(answer.headers), path) ?? withoutHops(answer.headers)
  const headers = spoil?.(told) ?? told
  if (change?.hasText?.(path) !== true) {
    outgoing.writeHead(answer.statusCode ?? 502, headers)
    const rate = change?.bytesPerSecond
    if (rate === undefined) await pipeline(answer, outgoing)
    else
      await pipeline(
        slowed(answer, () => rate(path)),
        outgoing,
      )
    return
  }
  const text = Buffer.concat((await answer.toArray()) as readonly Buffer[]).toString()
  const changed = change.text?.(text, path) ?? text
  // The hash of the changed text is another one.
  const { etag: _etag, ...rest } = headers
  outgoing
    .writeHead(answer.statusCode ?? 502, {
      ...rest,
      ...(changed === '' ? {} : { 'content-length': Buffer.byteLength(changed) }),
    })
    .end(changed)
}

async function* slowed(
  answer: AsyncIterable<Buffer>,
  rate: () => number | null,
): AsyncGenerator<Buffer> {
  const throttle = createThrottle(rate)
  for await (const chunk of answer) {
    await throttle.take(chunk.length)
    yield chunk
  }
}

function withoutHops(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value !== undefined && !HOP_BY_HOP.has(name)),
  ) as OutgoingHttpHeaders
}
