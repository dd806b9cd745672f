import { Problem } from '#server/problems.ts'

/**
 * API bodies are small JSON; files go to the part URLs. The largest completes an upload of 10,000
 * parts: 1.6 MB with their checksums.
 */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

/**
 * Enough for the largest body at 0.5 Mbit/s, the slowest usable network; a client that takes longer
 * only occupies a connection.
 */
const MAX_BODY_MS = 40_000

/** How the contract declares a body. */
interface BodyRules {
  readonly mediaTypes: readonly string[]
}

/** A parsed body and the bytes it came from, which identify a repeated request. */
export interface ReadBody {
  readonly value: unknown
  readonly bytes: Uint8Array
}

/**
 * Reads and parses a JSON or form body of at most `MAX_BODY_BYTES`; an empty body gives
 * `undefined`. Refuses: `request/too-large`, `request/unsupported-media-type`,
 * `request/malformed-json`, `request/too-slow` after `maxMs`.
 */
export async function readBody(
  request: Request,
  rules: BodyRules,
  maxMs: number = MAX_BODY_MS,
): Promise<ReadBody> {
  const bytes = await readBytes(request, { maxBytes: MAX_BODY_BYTES, maxMs })
  if (bytes.length === 0) return { value: undefined, bytes }
  const type = mediaType(request.headers.get('content-type'))
  if (!rules.mediaTypes.includes(type)) {
    throw new Problem(
      'request/unsupported-media-type',
      `Send the body as ${rules.mediaTypes.join(' or ') || 'nothing at all'}.`,
    )
  }
  const text = decodeText(bytes)
  return {
    value:
      type === 'application/x-www-form-urlencoded'
        ? Object.fromEntries(new URLSearchParams(text))
        : parseJson(text),
    bytes,
  }
}

/**
 * Reads a body as it is, of at most `maxBytes`. Refuses: `request/too-large`, `request/too-slow`.
 */
export async function readBytes(
  request: Request,
  { maxBytes, maxMs = MAX_BODY_MS }: { readonly maxBytes: number; readonly maxMs?: number },
): Promise<Uint8Array> {
  const tooLarge = (): Problem =>
    new Problem('request/too-large', `This request is larger than ${sizeText(maxBytes)}.`)
  if (Number(request.headers.get('content-length') ?? '0') > maxBytes) throw tooLarge()
  if (request.body === null) return new Uint8Array()
  const body: ReadableStream<Uint8Array> = request.body
  const reader = body.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooSlow()), maxMs)
  })
  try {
    const chunks: Uint8Array[] = []
    let total = 0
    for (;;) {
      const { done, value } = await Promise.race([reader.read().catch(brokenOff), limit])
      if (done) return Buffer.concat(chunks)
      total += value.byteLength
      if (total > maxBytes) throw tooLarge()
      chunks.push(value)
    }
  } catch (error) {
    // Without this the rest would still be waited for.
    reader.cancel().catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
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

/**
 * Escapes of what no text in PostgreSQL can hold: NUL and halves of surrogate pairs (as in odd file
 * names of Windows).
 */
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

const malformed = (): Problem =>
  new Problem(
    'request/malformed-json',
    'The request could not be read: its body is not valid JSON.',
  )
// The sender is gone and reads no answer; as a fault of the server it would fill the log.
const brokenOff = (): never => {
  throw tooSlow()
}
const tooSlow = (): Problem =>
  new Problem('request/too-slow', 'This request did not arrive in time. Please try again.')

function sizeText(bytes: number): string {
  return bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`
}
