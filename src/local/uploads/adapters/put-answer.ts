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

/**
 * Method and headers of a piece: a whole part is a plain PUT, as S3 takes it; a piece is a PATCH as
 * in the IETF draft "Resumable Uploads for HTTP".
 */
export function pieceHeaders({ body, offset, partSizeBytes, sha256 }: PieceFacts): {
  readonly method: 'PUT' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
} {
  const checksum = { 'x-amz-checksum-sha256': sha256 }
  return offset === 0 && body.size === partSizeBytes
    ? { method: 'PUT', headers: checksum }
    : { method: 'PATCH', headers: { ...checksum, 'Upload-Offset': String(offset) } }
}

type PieceFacts = Pick<PartRequest, 'body' | 'offset' | 'partSizeBytes' | 'sha256'>

/** A Blob with a type would send a Content-Type header, which no signature of a URL covers. */
export function untyped(body: Blob): Blob {
  return body.type === '' ? body : body.slice(0, body.size, '')
}

/** What every transport rejects with after an abort, whatever the reason of the signal. */
export function partDropped(): DOMException {
  return new DOMException('the part was dropped', 'AbortError')
}
