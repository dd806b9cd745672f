import { readErrorCode } from './error-body.ts'
import { retryAfterToMs } from '#src/lib/backoff.ts'
import type { PartRequest, PutOutcome } from '#src/local/uploads/ports.ts'

type PutAnswer = Extract<PutOutcome, { readonly kind: 'answer' }>

/** What a transport saw of the answer to a part PUT. */
export interface SeenAnswer {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly body: string
  /** Where the answer came from after redirects; empty when unknown. */
  readonly finalUrl: string
}

/**
 * Reads an answer the same way for every transport. It is the storage's own only if it carries one
 * of its marks; an HTML page or a redirect comes, for example, from a captive portal.
 */
export function putAnswer(seen: SeenAnswer, url: string, nowEpochMs: number): PutAnswer {
  const contentType = seen.header('Content-Type') ?? ''
  const eTag = seen.header('ETag')?.replaceAll('"', '') ?? null
  const heldBytes = readOffset(seen.header('Upload-Offset'))
  const errorCode = readErrorCode(seen.body)
  return {
    kind: 'answer',
    status: seen.status,
    eTag,
    heldBytes,
    retryAfterMs: retryAfterToMs(seen.header('Retry-After'), nowEpochMs),
    errorCode,
    isOwn:
      (eTag !== null || heldBytes !== null || errorCode !== null) &&
      !contentType.includes('text/html') &&
      (seen.finalUrl === '' || seen.finalUrl === url),
  }
}

function readOffset(header: string | null): number | null {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null
}

/** The header that binds a part to its SHA-256, in base64. */
const CHECKSUM_HEADER = 'x-amz-checksum-sha256'
/** What binds it where a store compares the payload with its signature, in hex. */
const PAYLOAD_HEADER = 'x-amz-content-sha256'

/** The headers of a whole part: exactly those that its URL wants, else its checksum. */
export function partHeaders({ sha256, headers }: Pick<PieceFacts, 'sha256' | 'headers'>) {
  return headers ?? { [CHECKSUM_HEADER]: sha256 }
}

/** The SHA-256 in base64 that the headers of a part bind it to; null for none. */
export function boundHash(headers: Pick<Headers, 'get'>): string | null {
  const hex = headers.get(PAYLOAD_HEADER)
  if (hex === null || !/^[0-9a-f]{64}$/.test(hex)) return headers.get(CHECKSUM_HEADER)
  const bytes = hex.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? []
  return btoa(String.fromCharCode(...bytes))
}

/**
 * Method and headers of a piece: a whole part is a plain PUT, as S3 takes it; a piece is a PATCH as
 * in the IETF draft "Resumable Uploads for HTTP".
 */
export function pieceHeaders({ body, offset, partSizeBytes, ...bound }: PieceFacts): {
  readonly method: 'PUT' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
} {
  const checksum = partHeaders(bound)
  return offset === 0 && body.size === partSizeBytes
    ? { method: 'PUT', headers: checksum }
    : { method: 'PATCH', headers: { ...checksum, 'Upload-Offset': String(offset) } }
}

type PieceFacts = Pick<PartRequest, 'body' | 'offset' | 'partSizeBytes' | 'sha256' | 'headers'>

/** A Blob with a type would send a Content-Type header, which no signature of a URL covers. */
export function untyped(body: Blob): Blob {
  return body.type === '' ? body : body.slice(0, body.size, '')
}

/** What every transport rejects with after an abort, whatever the reason of the signal. */
export function partDropped(): DOMException {
  return new DOMException('the part was dropped', 'AbortError')
}
