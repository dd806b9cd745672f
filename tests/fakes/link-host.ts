import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Reach } from '#server/net/outgoing.ts'

/** A file as the host gives it out now; a test changes the fields between requests. */
export interface LinkedFile {
  bytes: Uint8Array
  etag: string | null
  /** False: every request gets the whole file. */
  takesRanges: boolean
  contentType: string
  disposition: string | null
}

/** What the next requests get instead of the file, in this order; then the file again. */
type Trouble =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** The connection breaks after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** So many bytes of the body, and then nothing, while the connection stands. */
  | { readonly kind: 'hold'; readonly afterBytes: number }
  /** Nothing is wrong with this one. */
  | { readonly kind: 'none' }
  /** Another piece than was asked for. */
  | { readonly kind: 'wrong-piece' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** No answer until the client leaves. */
  | { readonly kind: 'silent' }

/** A host of share links on this machine, over real HTTP. */
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
  stop(): Promise<void>
}

const PIECE_BYTES = 64 * 1024

export async function startLinkHost(name = 'files.share.example'): Promise<LinkHost> {
  const files = new Map<string, LinkedFile>()
  const troubles: Trouble[] = []
  const asked: string[] = []
  let sent = 0
  const server = createServer((request, response) => {
    asked.push(request.headers.range ?? '')
    const file = files.get(new URL(request.url ?? '/', 'http://host').pathname)
    const trouble = troubles.shift()
    if (trouble?.kind === 'silent') return
    if (trouble?.kind === 'redirect')
      return void response.writeHead(302, { location: trouble.to }).end()
    if (trouble?.kind === 'status')
      return void response
        .writeHead(trouble.status, retryHeader(trouble.retryAfter))
        .end('not the file')
    if (file === undefined) return void response.writeHead(404).end()
    const first = answerHead(request, response, file, trouble?.kind === 'wrong-piece')
    void give(response, first, trouble, (bytes) => (sent += bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    name,
    port,
    origin: `http://${name}:${port}`,
    reach: {
      protocol: 'http:',
      answerMs: 2_000,
      isReachable: (address) => address === '127.0.0.1',
      resolve: async () => await Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    },
    files,
    troubles,
    asked,
    sentBytes: () => sent,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A file as most hosts give it out. */
export function linkedFile(bytes: Uint8Array, more: Partial<LinkedFile> = {}): LinkedFile {
  return {
    bytes,
    etag: '"v1"',
    takesRanges: true,
    contentType: 'video/mp4',
    disposition: null,
    ...more,
  }
}

function retryHeader(retryAfter: string | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': retryAfter }
}

/** Writes the status and headers; returns the body. */
function answerHead(
  { headers }: IncomingMessage,
  response: ServerResponse,
  file: LinkedFile,
  isWrong: boolean,
): Uint8Array {
  const { bytes, etag, contentType, disposition } = file
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const common = {
    'content-type': contentType,
    ...(etag === null ? {} : { etag }),
    ...(disposition === null ? {} : { 'content-disposition': disposition }),
  }
  if (range === null || !file.takesRanges || !isSame) {
    response.writeHead(200, { ...common, 'content-length': String(bytes.length) })
    return bytes
  }
  const start = Number(range[1]) + (isWrong ? 1 : 0)
  const end = Math.min(Number(range[2]), bytes.length - 1)
  response.writeHead(206, {
    ...common,
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${bytes.length}`,
  })
  return bytes.subarray(start, end + 1)
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
  body: Uint8Array,
  trouble: Trouble | undefined,
  onSent: (bytes: number) => void,
): Promise<void> {
  const isCut = trouble?.kind === 'cut' || trouble?.kind === 'hold'
  const until = Math.min(body.length, isCut ? trouble.afterBytes : Infinity)
  for (let at = 0; at < until && !response.destroyed; at += PIECE_BYTES) {
    const piece = body.subarray(at, Math.min(until, at + PIECE_BYTES))
    onSent(piece.length)
    if (!response.write(piece)) await drained(response)
  }
  if (trouble?.kind === 'hold') return
  if (until < body.length) response.destroy()
  else response.end()
}
