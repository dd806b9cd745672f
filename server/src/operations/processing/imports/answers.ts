import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/**
 * Why a host gave no bytes that count. `gone`: the file is not there any more; `refused`: the host
 * keeps it from us; `page`: it gives a page in the file's place, as one that asks to log in;
 * `changed`: it is another file than before; `encoded`: it compresses the file; `sign-in`: its
 * drive must be connected again; `away`: later it may work.
 */
export type ImportFaultKind =
  | 'gone'
  | 'refused'
  | 'page'
  | 'changed'
  | 'encoded'
  | 'sign-in'
  | 'away'

/** A fetch that did not bring what was asked for. Says nothing of the link. */
export class ImportFault extends Error {
  override readonly name = 'ImportFault'
  readonly kind: ImportFaultKind
  /** How long the host asks to be left alone. */
  readonly retryAfterS: number | null

  constructor(kind: ImportFaultKind, retryAfterS: number | null = null) {
    super(`The import ended: ${kind}`)
    this.kind = kind
    this.retryAfterS = retryAfterS
  }
}

/** The file can never be had from where it is, and why, in a sentence for its owner. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

/** What a host says of a file. */
export interface FileFacts {
  /** Null when the host does not say how long it is. */
  readonly sizeBytes: number | null
  readonly validator: string | null
  /** The answer was the piece that was asked for. */
  readonly isPiece: boolean
}

/** Reads the headers of an answer with a file or a piece of it; throws `ImportFault` for others. */
export function readFacts({ statusCode = 0, headers }: IncomingMessage, nowMs: number): FileFacts {
  if (statusCode !== 200 && statusCode !== 206) throw faultOf(statusCode, headers, nowMs)
  // Its bytes would not be those of the file.
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new ImportFault('encoded')
  if (isPage(headers)) throw new ImportFault('page')
  const isPiece = statusCode === 206
  return {
    sizeBytes: isPiece ? totalOf(headers['content-range']) : lengthOf(headers['content-length']),
    validator: validatorOf(headers),
    isPiece,
  }
}

/** Where the piece of an answer begins, or null. */
export function pieceStart(headers: IncomingHttpHeaders): number | null {
  return lengthOf(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1])
}

/** The header that asks for bytes only of this version; none where the validator is too weak. */
export function ifRange(validator: string | null): Readonly<Record<string, string>> {
  return validator?.startsWith('"') === true ? { 'if-range': validator } : {}
}

/**
 * The name that a host gives a file (RFC 6266), or else the end of its address; the empty text when
 * neither has one.
 */
export function nameOf(headers: IncomingHttpHeaders, url: URL): string {
  const disposition = headers['content-disposition'] ?? ''
  const encoded = /filename\*\s*=\s*"?utf-8'[^']*'([^;\s"]+)/i.exec(disposition)?.[1]
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition)
  const given = plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2]
  return decoded(encoded) ?? unescaped(given) ?? decoded(url.pathname.split('/').at(-1)) ?? ''
}

/**
 * The plain name as its host means it: many write it in UTF-8, of which Node makes a character of
 * each byte, or with the escapes of addresses, as browsers read it.
 */
function unescaped(given: string | undefined): string | null {
  if (given === undefined || given === '') return null
  const bytes = Buffer.from(given, 'latin1')
  const text = isUtf8(bytes) ? bytes.toString() : given
  const plain = decoded(text) ?? text
  return /[^\x20-\x7e]/.test(plain) ? plain : text
}

/** Whether an answer is a page or a document: a link to share often leads to a page first. */
function isPage(headers: IncomingHttpHeaders): boolean {
  // `text/vnd.` is what some hosts call an MPEG transport stream by its `.ts`.
  return /^(?:text\/(?!vnd\.)|application\/(?:xhtml|json|xml|pdf)|image\/)/i.test(
    headers['content-type'] ?? '',
  )
}

function faultOf(status: number, headers: IncomingHttpHeaders, nowMs: number): ImportFault {
  if (status === 404 || status === 410) return new ImportFault('gone')
  // What was asked for is beyond its end now.
  if (status === 416) return new ImportFault('changed')
  const passes = status >= 500 || status === 408 || status === 425 || status === 429
  const retryAfterS = retryAfterOf(headers['retry-after'], nowMs)
  // With a time to wait, it is no refusal for good.
  return passes || retryAfterS !== null
    ? new ImportFault('away', retryAfterS)
    : new ImportFault('refused')
}

/** Seconds, or a date (RFC 9110). */
function retryAfterOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

function validatorOf(headers: IncomingHttpHeaders): string | null {
  const validator = headers.etag ?? headers['last-modified'] ?? null
  return validator !== null && validator.length <= 1024 ? validator : null
}

function totalOf(contentRange: string | undefined): number | null {
  return lengthOf(/^bytes (?:\d+-\d+|\*)\/(\d+)$/.exec(contentRange ?? '')?.[1])
}

function lengthOf(text: string | undefined): number | null {
  const length = /^\d{1,15}$/.test(text ?? '') ? Number(text) : null
  return length !== null && Number.isSafeInteger(length) ? length : null
}

function decoded(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
