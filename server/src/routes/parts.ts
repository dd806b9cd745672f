import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context as HonoContext } from 'hono'
import type { HttpBindings } from '@hono/node-server'
import type { Log } from '#server/log.ts'
import type { DiskStore } from '#server/object-store/disk.ts'
import { PART_URL_PREFIX, type PartGrant, type ReadPartUrl } from '#server/object-store/part-url.ts'
import type { PartOutcome } from '#server/object-store/part-writer.ts'
import { paced, wrongSize } from '#server/object-store/receive-body.ts'
import { exemptBody } from '#server/http/connections.ts'
import { problemToWire } from '#server/http/problem-answer.ts'
import { PLAIN_HEADERS } from '#server/http/security-headers.ts'
import { Problem, refusalIn, unavailable } from '#server/problems.ts'

/** What takes parts. A server that stops takes no new ones: they may need longer than it has. */
export interface PartServer {
  readonly store: DiskStore
  readonly log: Log
  isStopping(): boolean
  /** Waits with an address that was never signed here ([Note: line] in http/line.ts). */
  wait(): Promise<() => void>
}

/**
 * `PUT`, `PATCH` and `HEAD` of signed part URLs (docs/part-path.md): plain routes beside the
 * contract, because bodies go from the raw Node request to the disk without being parsed or
 * buffered. The signature is the right to store; the routes need neither cookie nor XSRF header.
 * Mount them before any middleware that reads bodies. The HTTP server needs `requestTimeout: 0`.
 */
export function createPartRoutes(
  server: Omit<PartServer, 'wait'>,
  wait: (c: HonoContext, isGone: () => boolean) => ReturnType<PartServer['wait']>,
): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  // Hono answers HEAD by the route of GET.
  app.on(['PUT', 'PATCH', 'GET'], `${PART_URL_PREFIX}/:uploadId/:partNumber`, async (context) => {
    const { incoming, outgoing } = context.env
    // Asked of Hono, its signal would have the body read.
    const isGone = (): boolean => outgoing.destroyed
    const parts = { ...server, wait: async () => await wait(context, isGone) }
    await receivePart(parts, incoming as IncomingMessage, outgoing as ServerResponse)
    return RESPONSE_ALREADY_SENT
  })
  return app
}

/** Answers one request for a part on the raw request. Never throws. */
export async function receivePart(
  { store, log, isStopping, wait }: PartServer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  // A connection that breaks says so by an error; receiving it and answering it see it themselves.
  incoming.on('error', () => {})
  const grant = store.readGrant(incoming.url ?? '')
  // Who holds an address that was signed has a limit of parts, and each part a rate of its own.
  if (grant !== 'forged') exemptBody(incoming)
  const leave = grant === 'forged' ? await wait().catch(() => null) : null
  const answering = isStopping()
    ? Promise.reject(unavailable())
    : answerPart(store, incoming, grant)
  const answer = await answering.catch((error: unknown) => {
    const refusal = refusalIn(error)
    if (refusal === null) log.error('part-not-stored', error)
    return answerOf(refusal ?? describe(error))
  })
  leave?.()
  if (outgoing.destroyed) return
  // Its body is left unread, so that no other request can come.
  if (grant === 'forged') outgoing.shouldKeepAlive = false
  outgoing.writeHead(answer.status, { ...COMMON_HEADERS, ...answer.headers })
  if (incoming.readableEnded) return void outgoing.end(answer.body)
  // The client may be sending still. It has the whole answer now, and its connection after that.
  if (answer.body === '' || incoming.method === 'HEAD') outgoing.flushHeaders()
  else outgoing.write(answer.body)
  if (grant === 'forged') return leaveUnread(incoming, outgoing)
  await readOut(incoming, answer.status === 200 ? STORED_ALREADY : REFUSED)
  outgoing.end()
}

/** An answer with all its headers; `body` is empty or JSON. */
interface PartAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string
}

const COMMON_HEADERS = {
  'Access-Control-Expose-Headers': 'ETag, Upload-Offset, Upload-Complete',
  'Cache-Control': 'no-store',
  ...PLAIN_HEADERS,
} as const

async function answerPart(
  store: DiskStore,
  incoming: IncomingMessage,
  grant: ReadPartUrl,
): Promise<PartAnswer> {
  if (grant === 'expired' || grant === 'forged')
    throw new Problem(
      'parts/signature-invalid',
      'This upload address is no longer valid. Request a new one.',
    )
  const checksumSha256 = readChecksum(incoming)
  switch (incoming.method) {
    case 'PUT': {
      const sizeBytes = readLength(incoming)
      if (sizeBytes !== grant.sizeBytes) throw wrongSize(grant.sizeBytes)
      const attempt = { grant, offset: 0, sizeBytes, body: incoming, checksumSha256 }
      return answerTo(grant, await store.parts.write(attempt))
    }
    case 'PATCH': {
      const sizeBytes = readLength(incoming)
      const offset = readOffset(incoming)
      if (sizeBytes < 1 || offset + sizeBytes > grant.sizeBytes) throw wrongSize(grant.sizeBytes)
      const version = needChecksum(checksumSha256)
      const attempt = { grant, offset, sizeBytes, body: incoming, checksumSha256: version }
      return answerTo(grant, await store.parts.write(attempt))
    }
    case 'HEAD': {
      const state = await store.parts.look(grant, needChecksum(checksumSha256))
      return { ...answerTo(grant, state), status: 200 }
    }
    default:
      throw new Problem('request/method-not-allowed', 'A part takes PUT, PATCH and HEAD.')
  }
}

/** Field names and structured values of draft-ietf-httpbis-resumable-upload (read 2026-11-22). */
function answerTo(grant: PartGrant, outcome: PartOutcome): PartAnswer {
  switch (outcome.kind) {
    case 'stored':
      return {
        status: 200,
        headers: {
          ETag: `"${outcome.eTag}"`,
          'Upload-Offset': grant.sizeBytes,
          'Upload-Complete': '?1',
          'Content-Length': 0,
        },
        body: '',
      }
    case 'held':
      return { status: 204, headers: offsetHeaders(outcome.offset), body: '' }
    case 'refused': {
      const answer = answerOf(
        new Problem(
          'parts/offset-differs',
          'The server holds another number of bytes of this part. It goes on from there.',
        ),
      )
      return { ...answer, headers: { ...answer.headers, ...offsetHeaders(outcome.offset) } }
    }
  }
}

function offsetHeaders(offset: number): Record<string, string | number> {
  return { 'Upload-Offset': offset, 'Upload-Complete': '?0' }
}

function answerOf(problem: Problem): PartAnswer {
  const wire = problemToWire(problem)
  const body = JSON.stringify(wire.body)
  return {
    status: wire.status,
    headers: {
      ...wire.headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    },
    body,
  }
}

/** A full file system, and a full quota on it. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

function describe(error: unknown): Problem {
  const isFull = error instanceof Error && 'code' in error && FULL.has(error.code)
  return isFull
    ? new Problem(
        'uploads/no-space',
        'The server has no space left right now. What you have uploaded is safe. Please try again later.',
      )
    : new Problem('parts/not-stored', 'This part could not be stored. It will be sent again.', {
        retryAfterS: 5,
      })
}

function readLength(incoming: IncomingMessage): number {
  const length = incoming.headers['content-length']
  if (length === undefined)
    throw new Problem(
      'parts/length-required',
      'The length of the part is missing (Content-Length).',
    )
  return Number(length) // Node refuses anything but digits
}

function readOffset(incoming: IncomingMessage): number {
  const offset = incoming.headers['upload-offset']
  if (typeof offset === 'string' && /^\d{1,15}$/.test(offset)) return Number(offset)
  throw invalid('Upload-Offset', 'Upload-Offset must say where the body begins in the part.')
}

/** Base64 of 32 bytes, or null without the header. */
function readChecksum(incoming: IncomingMessage): string | null {
  const checksum = incoming.headers[CHECKSUM_HEADER]
  if (checksum === undefined) return null
  if (typeof checksum === 'string' && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(checksum))
    return checksum
  throw invalid(CHECKSUM_HEADER, `${CHECKSUM_HEADER} must be the base64 SHA-256 of the whole part.`)
}

function needChecksum(checksum: string | null): string {
  if (checksum !== null) return checksum
  throw invalid(CHECKSUM_HEADER, `${CHECKSUM_HEADER} must say which version of the part is meant.`)
}

const CHECKSUM_HEADER = 'x-amz-checksum-sha256'

function invalid(header: string, message: string): Problem {
  return new Problem('request/invalid', message, { fields: { [header]: message } })
}

/** How long a body is read that is not wanted. */
interface Patience {
  readonly longestMs: number
  readonly idleMs: number
  readonly bytes: number
}

/**
 * The part is there, so its sender may send it to the end, however slowly: a connection that is cut
 * would make it begin again, and never get further.
 */
const STORED_ALREADY: Patience = { longestMs: Infinity, idleMs: 60_000, bytes: Infinity }
/**
 * Like nginx's `lingering_time` and `lingering_timeout` (nginx.org, read 2026-11-22), and as much
 * as any part of a multipart upload has.
 */
const REFUSED: Patience = { longestMs: 30_000, idleMs: 5_000, bytes: 64 * 1024 * 1024 }

/**
 * Reads what is left of a body that is not wanted, and closes the connection when that is too much.
 * A server that closes while the browser is still sending makes the system reset the connection;
 * the page may then see status 0 instead of the answer.
 */
async function readOut(incoming: IncomingMessage, patience: Patience): Promise<void> {
  if (incoming.destroyed) return
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const giveUp = (): void => resolve(false)
  const idle = setTimeout(giveUp, patience.idleMs)
  const longest = patience.longestMs === Infinity ? null : setTimeout(giveUp, patience.longestMs)
  const onProgress = paced(idle)
  let bytes = 0
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length
    onProgress(chunk.length)
    if (bytes > patience.bytes) giveUp()
  }
  incoming
    .on('data', onData)
    .once('end', () => resolve(true))
    .once('close', giveUp)
    .resume()
  if (!(await promise)) incoming.socket.destroy()
  clearTimeout(idle)
  if (longest !== null) clearTimeout(longest)
  incoming.off('data', onData)
}

/** For the answer to be on its way to a sender that reads it at all. */
const UNREAD_MS = 1_000

/**
 * Ends a connection whose body has an address that was never signed here, and which no app sends.
 * Reading it costs more than all else of the call. The connection stays for a moment, because an
 * answer that its sender has not read yet is lost with it.
 */
function leaveUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.complete) return void outgoing.end()
  const { socket } = incoming
  const late = setTimeout(() => socket.destroy(), UNREAD_MS)
  socket.once('close', () => clearTimeout(late))
}
