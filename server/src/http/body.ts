import { setImmediate } from 'node:timers/promises'
import { countPairs, countValues, type BodyLimits } from './body-limits.ts'
import { Problem } from '#server/problems.ts'

/**
 * Enough for the largest body at 0.5 Mbit/s, the slowest usable network; a client that takes longer
 * only occupies a connection.
 */
const MAX_BODY_MS = 40_000

/** How the contract declares a body. */
interface BodyRules {
  readonly mediaTypes: readonly string[]
  readonly bodyLimits: BodyLimits
}

/** A parsed body and the bytes it came from, which identify a repeated request. */
export interface ReadBody {
  readonly value: unknown
  readonly bytes: Uint8Array
  /** How many values it has at most. */
  readonly values: number
}

/** A call without a body. */
export const NO_BODY: ReadBody = { value: undefined, bytes: new Uint8Array(), values: 0 }

/**
 * Reads and parses a JSON or form body within its limits, which are looked at before it is parsed;
 * an empty body gives `undefined`. Refuses: `request/too-large`, `request/unsupported-media-type`,
 * `request/malformed-json`, `request/invalid` for what `countValues` refuses, `request/too-slow`
 * after `maxMs`.
 */
export async function readBody(
  request: Request,
  { mediaTypes, bodyLimits }: BodyRules,
  maxMs: number = MAX_BODY_MS,
): Promise<ReadBody> {
  const bytes = await readBytes(request, { maxBytes: bodyLimits.bytes, maxMs })
  if (bytes.length === 0) return NO_BODY
  const type = mediaType(request.headers.get('content-type'))
  if (!mediaTypes.includes(type)) {
    throw new Problem(
      'request/unsupported-media-type',
      `Send the body as ${mediaTypes.join(' or ') || 'nothing at all'}.`,
    )
  }
  const isForm = type === 'application/x-www-form-urlencoded'
  const values = (isForm ? countPairs : countValues)(bytes, bodyLimits.values)
  await letOthersRun(bytes)
  const text = decodeText(bytes)
  const value = isForm ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text, values)
  await letOthersRun(bytes)
  return { value, bytes, values }
}

/** Bodies from this size on take milliseconds at each step. */
const LARGE_BYTES = 64 * 1024

/** Between two steps on a large body: other calls wait for one step only. */
export async function letOthersRun(body: Uint8Array): Promise<void> {
  if (body.length > LARGE_BYTES) await setImmediate()
}

/**
 * Reads a body as it is, of at most `maxBytes`. Refuses: `request/too-large`, `request/too-slow`.
 */
export async function readBytes(
  request: Request,
  { maxBytes, maxMs = MAX_BODY_MS }: { readonly maxBytes: number; readonly maxMs?: number },
): Promise<Uint8Array> {
  const tooLarge = (): Problem =>
    new Problem(
      'request/too-large',
      `This request is larger than ${sizeText(maxBytes)}, which is the most that this call takes.`,
    )
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

/** What is looked through value by value for such escapes; it costs more than parsing. */
const MOST_REPAIRED_VALUES = 10_000

function parseJson(text: string, values: number): unknown {
  const isOdd = unstorable.test(text)
  if (isOdd && values > MOST_REPAIRED_VALUES)
    throw new Problem(
      'request/malformed-json',
      'A request of this size may not have NUL or half a character in its texts. Leave them out.',
    )
  try {
    const value: unknown = JSON.parse(text, isOdd ? storable : undefined)
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
