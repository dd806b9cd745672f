import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { cutAt, flipBit, keepFirst, readAll } from './body-stream.ts'
import type { AnswerLook, Fault } from './faults.ts'
import type { LedgerEntry } from './fault-ledger.ts'
import { answerWith, sendOn, type AnswerChange, type Upstream } from './relay.ts'

export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly upstream: Upstream
  readonly entry: LedgerEntry
  /** The body; reading starts when it is requested. */
  readonly body: () => AsyncIterable<Buffer>
  /** Resolves when the client has gone. */
  readonly gone: Promise<void>
  readonly reset: () => void
  /** Waits while the network is cut. */
  readonly passage: () => Promise<void>
  /** What the client gets instead of the server's answer; null: the answer itself. */
  readonly change: AnswerChange | null
}

/** Carries the request through, damaged by `fault`. Rejects when a side went away. */
export async function enact(exchange: Exchange, fault: Fault | null): Promise<void> {
  const { incoming, upstream, body, gone, reset } = exchange
  const sizeBytes = Number(incoming.headers['content-length'] ?? 0)
  const relayed = (): Promise<IncomingMessage> =>
    sendOn(
      upstream,
      incoming,
      body(),
      null,
      exchange.change?.hasText?.(incoming.url ?? '/') === true,
    )
  switch (fault?.kind) {
    case undefined:
      return pass(exchange, await relayed())
    case 'latency':
      await delay(fault.delayMs)
      return pass(exchange, await relayed())
    case 'reset': {
      const cut = cutAt(body(), fault.afterBytes, () => reset())
      return void (await sendOn(upstream, incoming, cut, null).catch(() => undefined))
    }
    case 'black-hole':
      if (fault.when === 'after-body') (await relayed()).resume()
      return gone
    case 'lost-answer':
      ;(await relayed()).resume()
      return reset()
    case 'early-answer':
      say(exchange, fault.status, errorDocument('SlowDown'), {
        'Content-Type': 'application/xml',
        Connection: 'close',
      })
      return
    case 'answer': {
      await readAll(keepFirst(body(), 0))
      const retryAfter =
        fault.retryAfterS === undefined ? {} : { 'Retry-After': String(fault.retryAfterS) }
      const { text, type } = LOOKS[fault.look ?? 'xml'](fault.status, fault.code)
      return say(exchange, fault.status, text, {
        ...(type === null ? {} : { 'Content-Type': type }),
        ...retryAfter,
      })
    }
    case 'etag':
      return pass(exchange, await relayed(), (headers) => spoilETag(headers, fault.how))
    case 'short': {
      const leftBytes = Math.max(0, sizeBytes - fault.missingBytes)
      return pass(
        exchange,
        await sendOn(upstream, incoming, keepFirst(body(), leftBytes), leftBytes),
      )
    }
    case 'bit-flip':
      return pass(
        exchange,
        await sendOn(
          upstream,
          incoming,
          flipBit(body(), fault.atByte % Math.max(1, sizeBytes)),
          null,
        ),
      )
    case 'slow-answer': {
      const answer = await relayed()
      await delay(fault.delayMs)
      return pass(exchange, answer)
    }
    case 'twice':
      return twice(exchange)
    case 'portal':
      await readAll(keepFirst(body(), 0))
      return say(
        exchange,
        200,
        '<!doctype html><title>Welcome</title><p>Please accept our terms to use this network.',
        // Browsers may keep it beyond the end of the portal.
        { 'Content-Type': 'text/html', 'Cache-Control': 'max-age=600' },
      )
    case 'error-in-success':
      await readAll(keepFirst(body(), 0))
      return say(exchange, 200, errorDocument('InternalError'), {
        'Content-Type': 'application/xml',
        ETag: '"nothing-was-stored"',
      })
  }
}

async function pass(
  { incoming, outgoing, entry, passage, change }: Exchange,
  answer: IncomingMessage,
  spoil?: (headers: OutgoingHttpHeaders) => OutgoingHttpHeaders,
): Promise<void> {
  await passage()
  entry.status = answer.statusCode ?? null
  await answerWith(answer, outgoing, { path: incoming.url ?? '/', spoil, change })
}

async function twice(exchange: Exchange): Promise<void> {
  const { incoming, upstream, body } = exchange
  const bytes = await readAll(body())
  const once = (): Promise<IncomingMessage> =>
    sendOn(
      upstream,
      incoming,
      (async function* () {
        yield bytes
      })(),
      bytes.length,
    )
  const [first, second] = await Promise.all([once(), once()])
  first.resume()
  await pass(exchange, second)
}

function say(
  { outgoing, entry }: Exchange,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders,
): void {
  entry.status = status
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text)
}

const LOOKS: Readonly<
  Record<
    AnswerLook,
    (status: number, code: string) => { readonly text: string; readonly type: string | null }
  >
> = {
  coded: (_status, code) => ({
    text: JSON.stringify({ error: { code, message: 'Made up by a test.' } }),
    type: 'application/json; charset=utf-8',
  }),
  xml: (_status, code) => ({ text: errorDocument(code), type: 'application/xml' }),
  json: (status) => ({
    text: JSON.stringify({ message: 'no healthy upstream', status }),
    type: 'application/json',
  }),
  html: (status) => ({
    text: `<!doctype html><title>${status}</title><h1>The gateway says ${status}`,
    type: 'text/html',
  }),
  empty: () => ({ text: '', type: null }),
}

function errorDocument(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Made up by a test.</Message></Error>`
}

function spoilETag(
  headers: OutgoingHttpHeaders,
  how: 'missing' | 'weak' | 'wrong',
): OutgoingHttpHeaders {
  const { etag, ...others } = headers
  if (how === 'missing') return others
  return { ...others, etag: how === 'weak' ? `W/${String(etag)}` : '"0123456789abcdef"' }
}
