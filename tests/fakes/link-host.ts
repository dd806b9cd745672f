import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Reach } from '#server/net/outgoing.ts'

/** A file as the host gives it out now; a test changes the fields between requests. */
export interface LinkedFile {
  sizeBytes: number
  /** The bytes from `start` to before `end`, of which it has at most `PIECE_BYTES`. */
  read(start: number, end: number): Uint8Array
  etag: string | null
  /** False: every request gets the whole file. */
  takesRanges: boolean
  contentType: string
  disposition: string | null
}

/**
 * What the next requests get instead of the file, in this order; then the file again. With `from`,
 * only a request for bytes from there gets it.
 */
type Trouble = { readonly from?: number } & TroubleKind

type TroubleKind =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** The connection breaks after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** So many bytes of the body, then nothing while the connection stands, until it is let go. */
  | { readonly kind: 'hold'; readonly afterBytes: number; readonly until?: Promise<void> }
  /** Nothing is wrong with this one. */
  | { readonly kind: 'none' }
  /** Another piece than was asked for. */
  | { readonly kind: 'wrong-piece' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** The file, with these headers in the place of its own. */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string>> }
  /** The file again and again, without an end and without a length. */
  | { readonly kind: 'endless' }
  /** No answer until the client leaves. */
  | { readonly kind: 'silent' }

/** A host of share links on this machine, over real HTTPS. */
export interface LinkHost {
  readonly name: string
  readonly port: number
  readonly origin: string
  /** Lets a test server fetch from this machine, and from nowhere else. */
  readonly reach: Reach
  readonly files: Map<string, LinkedFile>
  readonly troubles: Trouble[]
  /** `Range` of each request, in order; the empty text for none. */
  readonly asked: string[]
  /** The bytes of bodies that were given out. */
  sentBytes(): number
  /** The requests that were put on hold, each after all that it gets before. */
  holds(): number
  stop(): Promise<void>
}

const PIECE_BYTES = 64 * 1024
/** For `share.example` and the names below it, signed by itself. */
export const LINK_HOST_CERTIFICATE = fileURLToPath(new URL('link-host.cert.pem', import.meta.url))

/** The same with its key, for a server of a test. */
export const linkHostTls = (): { readonly cert: string; readonly key: string } => ({
  cert: readFileSync(LINK_HOST_CERTIFICATE, 'utf8'),
  key: readFileSync(new URL('link-host.key.pem', import.meta.url), 'utf8'),
})

/** This process trusts its certificate; another one by `NODE_EXTRA_CA_CERTS`. */
export async function startLinkHost(name = 'files.share.example'): Promise<LinkHost> {
  const files = new Map<string, LinkedFile>()
  const troubles: Trouble[] = []
  const asked: string[] = []
  const given = { bytes: 0, holds: 0 }
  const { cert, key } = linkHostTls()
  setDefaultCACertificates([...getCACertificates('default'), cert])
  const server = createServer({ cert, key }, (request, response) => {
    asked.push(request.headers.range ?? '')
    const file = files.get(new URL(request.url ?? '/', 'http://host').pathname)
    const trouble = takeTrouble(troubles, request)
    if (trouble?.kind === 'silent') return
    if (trouble?.kind === 'redirect')
      return void response.writeHead(302, { location: trouble.to }).end()
    if (trouble?.kind === 'status')
      return void response
        .writeHead(trouble.status, retryHeader(trouble.retryAfter))
        .end('not the file')
    if (file === undefined) return void response.writeHead(404).end()
    const stretch = answerHead(request, response, file, trouble)
    void give(response, stretch, trouble, given)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    name,
    port,
    origin: `https://${name}:${port}`,
    reach: {
      protocol: 'https:',
      answerMs: 2_000,
      isReachable: (address) => address === '127.0.0.1',
      resolve: async () => await Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    },
    files,
    troubles,
    asked,
    sentBytes: () => given.bytes,
    holds: () => given.holds,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A file as most hosts give it out. */
export function linkedFile(bytes: Uint8Array, more: Partial<LinkedFile> = {}): LinkedFile {
  return {
    sizeBytes: bytes.length,
    read: (start, end) => bytes.subarray(start, end),
    etag: '"v1"',
    takesRanges: true,
    contentType: 'video/mp4',
    disposition: null,
    ...more,
  }
}

/** A file of any size in the memory of a few parts; no two parts of it are the same. */
export function largeLinkedFile(sizeBytes: number, block: Uint8Array): LinkedFile {
  const round = Buffer.concat([block, block.subarray(0, PIECE_BYTES)])
  const read = (start: number, end: number): Uint8Array => {
    const from = start % block.length
    return round.subarray(from, from + end - start)
  }
  return { ...linkedFile(new Uint8Array()), sizeBytes, read }
}

/** What a request gets of a file: the bytes from `start` to before `end`. */
interface Stretch extends Pick<LinkedFile, 'read'> {
  readonly start: number
  readonly end: number
}

function takeTrouble(troubles: Trouble[], { headers }: IncomingMessage): Trouble | undefined {
  const index = troubles.findIndex(
    ({ from }) => from === undefined || headers.range?.startsWith(`bytes=${from}-`) === true,
  )
  return index === -1 ? undefined : troubles.splice(index, 1)[0]
}

function retryHeader(retryAfter: string | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': retryAfter }
}

/** Writes the status and headers; returns what the body is. */
function answerHead(
  { headers }: IncomingMessage,
  response: ServerResponse,
  file: LinkedFile,
  trouble: Trouble | undefined,
): Stretch {
  const { sizeBytes, read, etag, contentType, disposition } = file
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
  const isEndless = trouble?.kind === 'endless'
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const common = {
    'content-type': contentType,
    ...(etag === null ? {} : { etag }),
    ...(disposition === null ? {} : { 'content-disposition': disposition }),
  }
  const instead = trouble?.kind === 'headers' ? trouble.headers : {}
  if (range === null || !file.takesRanges || !isSame) {
    response.writeHead(200, {
      ...common,
      ...(isEndless ? {} : { 'content-length': String(sizeBytes) }),
      ...instead,
    })
    return { read, start: 0, end: sizeBytes }
  }
  const start = Number(range[1]) + (trouble?.kind === 'wrong-piece' ? 1 : 0)
  const end = Math.min(Number(range[2]), sizeBytes - 1)
  response.writeHead(206, {
    ...common,
    ...(isEndless ? {} : { 'content-length': String(end - start + 1) }),
    'content-range': `bytes ${start}-${end}/${sizeBytes}`,
    ...instead,
  })
  return { read, start, end: end + 1 }
}

/** Waits until more can be written, or the reader has left. */
async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  response.on('drain', resolve).on('close', resolve)
  await promise
  response.off('drain', resolve).off('close', resolve)
}

async function give(
  response: ServerResponse,
  { read, start, end }: Stretch,
  trouble: Trouble | undefined,
  given: { bytes: number; holds: number },
): Promise<void> {
  const isEndless = trouble?.kind === 'endless'
  const isCut = trouble?.kind === 'cut' || trouble?.kind === 'hold'
  const until = isCut ? Math.min(end, start + trouble.afterBytes) : end
  do
    for (let at = start; at < until && !response.destroyed; at += PIECE_BYTES) {
      const piece = read(at, Math.min(until, at + PIECE_BYTES))
      given.bytes += piece.length
      if (!response.write(piece)) await drained(response)
    }
  while (isEndless && !response.destroyed)
  if (trouble?.kind === 'hold') {
    given.holds += 1
    await trouble.until
    if (trouble.until !== undefined)
      await give(response, { read, start: until, end }, undefined, given)
    return
  }
  if (until < end) response.destroy()
  else response.end()
}
