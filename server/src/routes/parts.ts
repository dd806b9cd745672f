import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { HttpBindings } from '@hono/node-server'
import type { Log } from '#server/log.ts'
import type { DiskStore } from '#server/object-store/disk.ts'
import { PART_URL_PREFIX } from '#server/object-store/part-url.ts'
import { wrongSize } from '#server/object-store/part-writer.ts'
import { problemToWire } from '#server/http/problem-answer.ts'
import { Problem, refusalIn, unavailable } from '#server/problems.ts'

/**
 * `PUT` of signed part URLs: a plain route beside the contract, because bodies go from the raw Node
 * request to the disk without being parsed or buffered. The signature is the right to store; the
 * route needs neither cookie nor XSRF header. Mount it before any middleware that reads bodies. The
 * HTTP server needs `requestTimeout: 0`. A server that stops (`isStopping`) takes no new parts,
 * which may need longer than it has.
 */
export function createPartRoutes(
  store: DiskStore,
  log: Log,
  isStopping: () => boolean,
): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.put(`${PART_URL_PREFIX}/:uploadId/:partNumber`, async (context) => {
    const incoming = context.env.incoming as IncomingMessage
    const outgoing = context.env.outgoing as ServerResponse
    if (isStopping()) await refuseBeforeBody(unavailable(), incoming, outgoing)
    else await receivePart(store, log, incoming, outgoing)
    return RESPONSE_ALREADY_SENT
  })
  return app
}

/** Answers one part `PUT` on the raw request. Never throws. */
export async function receivePart(
  store: DiskStore,
  log: Log,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const { eTag } = await store.parts.write(readAttempt(store, incoming))
    outgoing.writeHead(200, { ...COMMON_HEADERS, ETag: `"${eTag}"`, 'Content-Length': '0' }).end()
  } catch (error) {
    const refusal = refusalIn(error)
    const problem = refusal ?? describe(error)
    if (refusal === null && !incoming.errored) log.error('part-not-stored', error)
    await readOut(incoming)
    if (!outgoing.destroyed) writeProblem(problem, incoming, outgoing).end()
  }
}

/** Answers at once and then reads out the body, so that its sender gets to see the answer. */
async function refuseBeforeBody(
  problem: Problem,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  writeProblem(problem, incoming, outgoing)
  await readOut(incoming)
  outgoing.end()
}

/** Writes the whole answer without ending it. */
function writeProblem(
  problem: Problem,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): ServerResponse {
  const wire = problemToWire(problem)
  const body = JSON.stringify(wire.body)
  outgoing
    .writeHead(wire.status, {
      ...COMMON_HEADERS,
      ...wire.headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      ...(incoming.readableEnded ? {} : { Connection: 'close' }),
    })
    .write(body)
  return outgoing
}

const COMMON_HEADERS = {
  'Access-Control-Expose-Headers': 'ETag',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const

function describe(error: unknown): Problem {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  return isFull
    ? new Problem(
        'uploads/no-space',
        'The server has no space left right now. What you have uploaded is safe. Please try again later.',
      )
    : new Problem('parts/not-stored', 'This part could not be stored. It will be sent again.')
}

function readAttempt(
  store: DiskStore,
  incoming: IncomingMessage,
): Parameters<DiskStore['parts']['write']>[0] {
  const grant = store.readGrant(incoming.url ?? '')
  if (grant === null)
    throw new Problem(
      'parts/signature-invalid',
      'This upload address is no longer valid. Request a new one.',
    )
  const length = incoming.headers['content-length']
  if (length === undefined)
    throw new Problem(
      'parts/length-required',
      'The length of the part is missing (Content-Length).',
    )
  if (Number(length) !== grant.sizeBytes) throw wrongSize(grant.sizeBytes)
  const checksum = incoming.headers['x-amz-checksum-sha256']
  return { grant, body: incoming, checksumSha256: typeof checksum === 'string' ? checksum : null }
}

/** More than any part; a longer body is cut off. */
const READ_OUT_BYTES = 64 * 1024 * 1024
const READ_OUT_IDLE_MS = 20_000

/**
 * Reads what is left of a refused body. A server that answers and closes while the browser is still
 * sending makes the system reset the connection; the page may then see status 0 instead of the
 * reason.
 */
async function readOut(incoming: IncomingMessage): Promise<void> {
  if (
    incoming.readableEnded ||
    incoming.destroyed ||
    Number(incoming.headers['content-length'] ?? 0) > READ_OUT_BYTES
  )
    return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, READ_OUT_IDLE_MS)
  let bytes = 0
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length
    timer.refresh()
    if (bytes > READ_OUT_BYTES) resolve()
  }
  incoming
    .on('data', onData)
    .once('end', resolve)
    .once('close', resolve)
    .once('error', () => resolve())
  incoming.resume()
  await promise
  clearTimeout(timer)
  incoming.off('data', onData)
}
