import { request as httpRequest, type Agent, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Where requests go, and by which connections. */
export interface Upstream { readonly origin: () => string; readonly agent: Agent }

const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

/**
 * Sends the request on with the given body and resolves with the server's answer, unread. Rejects when there is no server, or
 * when the client went away.
 */
export async function sendOn(upstream: Upstream, incoming: IncomingMessage, body: AsyncIterable<Buffer>, bodyBytes: number | null): Promise<IncomingMessage> {
  const target = new URL(incoming.url ?? '/', upstream.origin())
  const headers: OutgoingHttpHeaders = { ...withoutHops(incoming.headers), ...(bodyBytes === null ? {} : { 'content-length': bodyBytes }) }
  const outgoing = httpRequest(target, { method: incoming.method ?? 'GET', headers, agent: upstream.agent })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  outgoing.once('response', resolve)
  outgoing.once('error', reject)
  outgoing.once('close', () => reject(new Error('the server closed the connection')))
  // A refusal may come before the whole body is sent; then the answer counts, not the broken pipe.
  pipeline(Readable.from(body, { objectMode: false }), outgoing).catch((error: unknown) => reject(error))
  return promise
}

/** Hands the server's answer to the client, with headers changed if wished. */
export async function answerWith(answer: IncomingMessage, outgoing: ServerResponse, change: (headers: OutgoingHttpHeaders) => OutgoingHttpHeaders = (headers) => headers): Promise<void> {
  outgoing.writeHead(answer.statusCode ?? 502, change(withoutHops(answer.headers)))
  await pipeline(answer, outgoing)
}

function withoutHops(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => value !== undefined && !HOP_BY_HOP.has(name))) as OutgoingHttpHeaders
}
