import { Problem } from '#server/problems.ts'

/** API bodies are small JSON; files go to the part URLs. */
export const maxBodyBytes = 1024 * 1024

/** How the contract declares a body. */
export interface BodyRules { readonly mediaTypes: readonly string[] }

/** A parsed body and the bytes it came from, which identify a repeated request. */
export interface ReadBody { readonly value: unknown; readonly bytes: Uint8Array }

/**
 * Reads and parses a JSON or form body of at most `maxBodyBytes`. Refuses with 413, 415 `request/unsupported-media-type`
 * or 400 `request/malformed-json`. Nothing sent gives `undefined`.
 */
export async function readBody(request: Request, rules: BodyRules): Promise<ReadBody> {
  const bytes = await readBytes(request)
  if (bytes.length === 0) return { value: undefined, bytes }
  const type = mediaType(request.headers.get('content-type'))
  if (!rules.mediaTypes.includes(type)) {
    throw new Problem(415, 'request/unsupported-media-type', `Send the body as ${rules.mediaTypes.join(' or ') || 'nothing at all'}.`)
  }
  const text = decodeText(bytes)
  return { value: type === 'application/x-www-form-urlencoded' ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text), bytes }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? '0') > maxBodyBytes) throw tooLarge()
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of request.body) {
    total += chunk.byteLength
    if (total > maxBodyBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function mediaType(header: string | null): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed()
  }
}

/** Escapes of what no text in PostgreSQL can hold: NUL and halves of surrogate pairs (as in odd file names of Windows). */
const unstorable = /\\u(?:0000|d[89a-f])/i

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text, unstorable.test(text) ? storable : undefined)
    return value
  } catch {
    throw malformed()
  }
}

const malformed = (): Problem => new Problem(400, 'request/malformed-json', 'The request could not be read: its body is not valid JSON.')
const tooLarge = (): Problem => new Problem(413, 'request/too-large', 'This request is larger than 1 MiB.')
