import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json as readJson } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'

/** What a request of the writing side does. */
type WriteStep =
  | 'new-id'
  | 'find-folder'
  | 'make-folder'
  | 'open-session'
  | 'read-session'
  | 'write-piece'
  | 'find-file'
  | 'remove-file'

/** What the next request of a step gets instead, or beside its answer. */
type WriteTrouble =
  | {
      readonly on: WriteStep
      readonly kind: 'error'
      readonly status: number
      readonly reason?: string
      readonly retryAfter?: string
    }
  /** The connection breaks once so many bytes of a piece have come; what is whole of it is kept. */
  | { readonly on: 'write-piece'; readonly kind: 'cut'; readonly afterBytes: number }
  /** Everything is done, and the connection breaks before the answer. */
  | { readonly on: WriteStep; readonly kind: 'lost-answer' }

/** A file or folder that is in the drive. */
export interface DriveEntry {
  readonly id: string
  readonly name: string
  readonly mimeType: string
  readonly parents: readonly string[]
  readonly appProperties: Readonly<Record<string, string>>
  bytes: Buffer
  trashed: boolean
}

/** The part of Google Drive that takes files: pre-made ids, folders and resumable uploads. */
export interface FakeWriting {
  readonly entries: Map<string, DriveEntry>
  readonly troubles: WriteTrouble[]
  /** Steps that were asked for, in order. */
  readonly asked: WriteStep[]
  /** Bytes of pieces that came, also of those that were cut. */
  sentBytes(): number
  /** What Drive says of the bytes of the next file, where it is not what they are. */
  falseMd5: string | null
  /** Hears of each request before it is done and before it is answered, and may hold it. */
  onStep: ((step: WriteStep, when: 'before' | 'after') => unknown) | null
  /** Sessions are over from now on. */
  expireSessions(): void
  /** As just started. */
  clear(): void
  isAsked(url: URL, request: IncomingMessage): boolean
  answer(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void>
}

interface Session {
  readonly entry: Omit<DriveEntry, 'bytes' | 'trashed'>
  readonly sizeBytes: number
  held: Buffer
}

interface Asked {
  readonly url: URL
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const FILES = '/drive/v3/files'
const UPLOADS = '/upload/drive/v3/files'
/** What is no whole one of these is lost with its connection. */
const WHOLE = 256 * 1024

export function createWriting(): FakeWriting {
  const entries = new Map<string, DriveEntry>()
  const sessions = new Map<string, Session>()
  /** Ids that a file had, or has. */
  const used = new Set<string>()
  const troubles: WriteTrouble[] = []
  const asked: WriteStep[] = []
  let sentBytes = 0

  async function answer(url: URL, request: IncomingMessage, response: ServerResponse) {
    const step = stepOf(url, request)
    asked.push(step)
    await writing.onStep?.(step, 'before')
    const at = troubles.findIndex(({ on }) => on === step)
    const [trouble] = at === -1 ? [] : troubles.splice(at, 1)
    if (trouble?.kind === 'error') {
      request.resume()
      return refuse(response, trouble)
    }
    const done = await steps[step]({ url, request, response }, trouble)
    await writing.onStep?.(step, 'after')
    if (trouble !== undefined) return void response.destroy()
    done()
  }

  type Step = (
    asked: Asked,
    trouble: WriteTrouble | undefined,
  ) => Promise<() => void> | (() => void)
  const steps: Readonly<Record<WriteStep, Step>> = {
    'new-id': ({ response }) => {
      const id = `made-${randomUUID()}`
      return () => json(response, 200, { ids: [id] })
    },
    'find-folder': ({ url, response }) => {
      const query = /key='(.+?)' and value='(.+?)'/.exec(url.searchParams.get('q') ?? '')
      const [, key = '', value = ''] = query ?? []
      const files = [...entries.values()]
        .filter((entry) => entry.appProperties[key] === value && !entry.trashed)
        .map(({ id }) => ({ id }))
      return () => json(response, 200, { files })
    },
    'make-folder': async ({ request, response }) => {
      const id = `folder-${randomUUID()}`
      store({ ...toEntry(await readJson(request)), id }, Buffer.alloc(0))
      return () => json(response, 200, { id })
    },
    'open-session': async ({ request, response }) => {
      const entry = toEntry(await readJson(request))
      if (used.has(entry.id)) return () => refuse(response, { status: 409, reason: 'fileIdInUse' })
      if (!entry.parents.every((parent) => entries.get(parent)?.trashed === false))
        return () => refuse(response, { status: 404, reason: 'notFound' })
      const uploadId = randomUUID()
      const sizeBytes = Number(request.headers['x-upload-content-length'])
      sessions.set(uploadId, { entry, sizeBytes, held: Buffer.alloc(0) })
      const scheme = request.socket instanceof TLSSocket ? 'https' : 'http'
      const location = `${scheme}://${request.headers.host ?? ''}${UPLOADS}?uploadType=resumable&upload_id=${uploadId}`
      return () => void response.writeHead(200, { location }).end()
    },
    'read-session': ({ url, response }) => {
      const session = sessions.get(url.searchParams.get('upload_id') ?? '')
      return () => tell(response, session)
    },
    'write-piece': async ({ url, request, response }, trouble) => {
      const session = sessions.get(url.searchParams.get('upload_id') ?? '')
      const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(request.headers['content-range'] ?? '')
      const [start = 0, end = 0, total = 0] = (range ?? []).slice(1).map(Number)
      const most = trouble?.kind === 'cut' ? trouble.afterBytes : Infinity
      const piece = await readPiece(request, most)
      sentBytes += piece.length
      if (session === undefined) return () => tell(response, session)
      const isNext = start === session.held.length && total === session.sizeBytes
      const isLast = end + 1 === total
      if (!isNext || (!isLast && (end + 1 - start) % WHOLE !== 0))
        return () => refuse(response, { status: 400, reason: 'badContent' })
      const isCut = piece.length < end + 1 - start
      const kept = isCut ? piece.subarray(0, piece.length - (piece.length % WHOLE)) : piece
      session.held = Buffer.concat([session.held, kept])
      if (session.held.length === session.sizeBytes) store(session.entry, session.held)
      return () => tell(response, session)
    },
    'find-file': ({ url, response }) => {
      const entry = entries.get(idOf(url))
      if (entry === undefined) return () => refuse(response, { status: 404, reason: 'notFound' })
      const md5Checksum = writing.falseMd5 ?? createHash('md5').update(entry.bytes).digest('hex')
      return () => json(response, 200, { size: String(entry.bytes.length), md5Checksum })
    },
    'remove-file': ({ url, response }) => {
      const isGone = !entries.delete(idOf(url))
      return () =>
        isGone
          ? refuse(response, { status: 404, reason: 'notFound' })
          : void response.writeHead(204).end()
    },
  }

  function store(entry: Session['entry'], bytes: Buffer): void {
    used.add(entry.id)
    entries.set(entry.id, { ...entry, bytes, trashed: false })
  }

  const writing: FakeWriting = {
    entries,
    troubles,
    asked,
    sentBytes: () => sentBytes,
    falseMd5: null,
    onStep: null,
    expireSessions: () => sessions.clear(),
    clear() {
      for (const kept of [entries, sessions, used]) kept.clear()
      for (const list of [troubles, asked]) list.length = 0
      Object.assign(writing, { falseMd5: null, onStep: null })
      sentBytes = 0
    },
    isAsked: ({ pathname }, { method }) =>
      pathname === UPLOADS ||
      pathname === FILES ||
      pathname === `${FILES}/generateIds` ||
      (pathname.startsWith(`${FILES}/`) && (method === 'DELETE' || isWritten(pathname))),
    answer,
  }
  const isWritten = (pathname: string): boolean => /\/made-[\w-]+$/.test(pathname)
  return writing
}

function stepOf({ pathname }: URL, { method, headers }: IncomingMessage): WriteStep {
  if (pathname === UPLOADS && method === 'POST') return 'open-session'
  if (pathname === UPLOADS)
    return headers['content-range']?.startsWith('bytes */') === true
      ? 'read-session'
      : 'write-piece'
  if (pathname === FILES) return method === 'POST' ? 'make-folder' : 'find-folder'
  if (pathname.endsWith('/generateIds')) return 'new-id'
  return method === 'DELETE' ? 'remove-file' : 'find-file'
}

function idOf({ pathname }: URL): string {
  return pathname.slice(FILES.length + 1)
}

function toEntry(body: unknown): Session['entry'] {
  const named = body as Partial<Session['entry']>
  return {
    id: named.id ?? '',
    name: named.name ?? '',
    mimeType: named.mimeType ?? 'application/octet-stream',
    parents: named.parents ?? [],
    appProperties: named.appProperties ?? {},
  }
}

/** The body, as far as `most` bytes; the connection is not read on. */
async function readPiece(request: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, most - bytes))
      bytes += chunk.length
      if (bytes >= most) break
    }
  } catch {
    // The client has left; what came counts.
  }
  return Buffer.concat(chunks)
}

/** What Google says of a session: all is there, how much is there, or that it is over. */
function tell(response: ServerResponse, session: Session | undefined): void {
  if (session === undefined) return refuse(response, { status: 404, reason: 'notFound' })
  const { held, sizeBytes, entry } = session
  if (held.length === sizeBytes) return json(response, 200, { id: entry.id })
  const range = held.length === 0 ? {} : { range: `bytes=0-${held.length - 1}` }
  response.writeHead(308, range).end()
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function refuse(
  response: ServerResponse,
  {
    status,
    reason = '',
    retryAfter,
  }: { readonly status: number; readonly reason?: string; readonly retryAfter?: string },
): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  const error = { code: status, message: reason, errors: [{ domain: 'global', reason }] }
  json(response, status, { error })
}
