import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A file of the drive as it is now; a test changes the fields between requests. */
export interface GoogleFile {
  name: string
  mimeType: string
  bytes: Uint8Array | null
  revision: string
  canDownload: boolean
  trashed: boolean
  /** What Drive says of the bytes, where it is not what they are. */
  md5?: string
  claimedBytes?: number
}

/** A video of the drive that the person may download. */
export function driveFile(bytes: Uint8Array, more: Partial<GoogleFile> = {}): GoogleFile {
  return {
    name: 'beach day.mp4',
    mimeType: 'video/mp4',
    bytes,
    revision: 'rev-1',
    canDownload: true,
    trashed: false,
    ...more,
  }
}

/** What one request of a file gets instead of it. */
export type GoogleTrouble =
  | {
      readonly kind: 'error'
      readonly status: number
      readonly reason: string
      readonly retryAfter?: string
      /** It is answered then. */
      readonly after?: Promise<void>
    }
  /** The whole file where a piece was asked for. */
  | { readonly kind: 'whole' }
  /** Another piece than the one that was asked for. */
  | { readonly kind: 'wrong-piece' }
  /** No answer at all. */
  | { readonly kind: 'silent' }
  /** So many bytes, and the rest once it is let go. */
  | { readonly kind: 'hold'; readonly afterBytes: number; readonly until: Promise<void> }
  /** The connection breaks after so many bytes. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Nothing is wrong with this one. */
  | { readonly kind: 'none' }

/** Answers `files.get`, with or without `alt=media`. */
export function answerFile({
  isBytes,
  request,
  response,
  file,
  trouble,
}: {
  readonly isBytes: boolean
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly file: GoogleFile
  readonly trouble: GoogleTrouble | undefined
}): void {
  if (trouble?.kind === 'silent') return
  if (trouble?.kind === 'error') {
    const { status, reason, retryAfter, after } = trouble
    const error = { code: status, message: reason, errors: [{ domain: 'usageLimits', reason }] }
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    return void Promise.resolve(after).then(() =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error })),
    )
  }
  if (isBytes) return give(request, response, file, trouble)
  const { name, mimeType, bytes, revision, canDownload, trashed } = file
  const ofBytes =
    bytes === null
      ? {}
      : {
          size: String(file.claimedBytes ?? bytes.length),
          md5Checksum: file.md5 ?? createHash('md5').update(bytes).digest('hex'),
          headRevisionId: revision,
        }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ name, mimeType, trashed, capabilities: { canDownload }, ...ofBytes }))
}

function give(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { bytes: given, mimeType }: GoogleFile,
  trouble: GoogleTrouble | undefined,
): void {
  const bytes = given ?? new Uint8Array()
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
  const type = { 'content-type': mimeType }
  if (range === null || trouble?.kind === 'whole')
    return void response
      .writeHead(200, { ...type, 'content-length': String(bytes.length) })
      .end(bytes)
  const shift = trouble?.kind === 'wrong-piece' ? 1 : 0
  const [start, end] = [Number(range[1]) + shift, Math.min(Number(range[2]), bytes.length - 1)]
  response.writeHead(206, {
    ...type,
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${bytes.length}`,
  })
  if (trouble?.kind === 'hold') {
    response.write(bytes.subarray(start, start + trouble.afterBytes))
    return void trouble.until.then(() =>
      response.end(bytes.subarray(start + trouble.afterBytes, end + 1)),
    )
  }
  if (trouble?.kind !== 'cut') return void response.end(bytes.subarray(start, end + 1))
  response.write(bytes.subarray(start, start + trouble.afterBytes), () => response.destroy())
}
