import type { IncomingMessage } from 'node:http'
import { OutgoingError } from '#server/net/outgoing.ts'
import type { RemoteFile } from './kinds/kind.ts'
import { ImportFault, ifRange, pieceStart, readFacts, type FileFacts } from './answers.ts'

/** The version of a file that is fetched, and what hears of its bytes. */
export interface Source {
  readonly file: RemoteFile
  readonly nowMs: () => number
  readonly sizeBytes: number
  readonly validator: string | null
  readonly signal: AbortSignal
  onBytes(bytes: number): void
}

/** Both ends included. */
interface Piece {
  readonly start: number
  readonly end: number
}

/** Fewer bytes than this in a minute are silence, as of parts that are sent. */
const LEAST_BYTES = 16 * 1024
const SILENCE_MS = 45_000
/** A connection that brought this much counts as one that works. */
const WORTH_IT_BYTES = 256 * 1024
/** Connections in a row that may bring less. */
const MAX_FRUITLESS = 3

/**
 * The bytes of a piece. A connection that breaks is followed by one for the rest of the piece, so
 * that a break costs no byte. Throws `ImportFault`, and `NoPieces` where the host sends the whole
 * file.
 */
export async function* readPiece(
  source: Source,
  { start, end }: Piece,
): AsyncGenerator<Buffer, void, undefined> {
  let fruitless = 0
  for (let at = start; at <= end;) {
    let brought = 0
    try {
      const message = await openPiece(source, { start: at, end })
      for await (const chunk of steadily(source, message, end - at + 1)) {
        at += chunk.length
        brought += chunk.length
        source.onBytes(chunk.length)
        yield chunk
      }
    } catch (error) {
      source.signal.throwIfAborted()
      if (!isBreak(error)) throw error
    }
    fruitless = brought >= WORTH_IT_BYTES ? 0 : fruitless + 1
    if (at <= end && fruitless >= MAX_FRUITLESS) throw new ImportFault('away')
  }
}

/** The whole file from its first byte, in one connection. */
export async function* readWhole(source: Source): AsyncGenerator<Buffer, void, undefined> {
  const { file, signal } = source
  const { message } = await file.open({ headers: {}, signal })
  const facts = factsOf(source, message)
  if (facts.isPiece || (facts.sizeBytes ?? source.sizeBytes) !== source.sizeBytes)
    throw ended(message, new ImportFault('changed'))
  let brought = 0
  try {
    for await (const chunk of steadily(source, message, source.sizeBytes)) {
      brought += chunk.length
      source.onBytes(chunk.length)
      yield chunk
    }
  } catch (error) {
    source.signal.throwIfAborted()
    throw error instanceof Broken ? new ImportFault('away') : error
  }
  if (brought < source.sizeBytes) throw new ImportFault('away')
}

/** The host sent the whole file where a piece of it was asked for. */
export class NoPieces extends Error {
  override readonly name = 'NoPieces'
}

async function openPiece(source: Source, { start, end }: Piece): Promise<IncomingMessage> {
  const { file, signal, validator } = source
  const headers = { range: `bytes=${start}-${end}`, ...ifRange(validator) }
  const { message } = await file.open({ headers, signal })
  const facts = factsOf(source, message)
  const { confirm } = file
  const isSame = confirm !== undefined || facts.validator === null || facts.validator === validator
  if (!isSame || (facts.sizeBytes ?? source.sizeBytes) !== source.sizeBytes)
    throw ended(message, new ImportFault('changed'))
  if (!facts.isPiece) throw ended(message, new NoPieces())
  if (pieceStart(message.headers) !== start) throw ended(message, new ImportFault('away'))
  return message
}

function factsOf({ nowMs }: Source, message: IncomingMessage): FileFacts {
  try {
    return readFacts(message, nowMs())
  } catch (error) {
    throw ended(message, error)
  }
}

/** Lets go of an answer whose body is not wanted. */
function ended(message: IncomingMessage, error: unknown): unknown {
  message.destroy()
  return error
}

/** A connection that ended before all was there, or brought nothing for too long. */
class Broken extends Error {}

function isBreak(error: unknown): boolean {
  return error instanceof Broken || (error instanceof OutgoingError && error.fault === 'away')
}

/** The chunks of a body, at most `most` bytes; throws `Broken`. */
async function* steadily(
  { signal }: Pick<Source, 'signal'>,
  message: IncomingMessage,
  most: number,
): AsyncGenerator<Buffer, void, undefined> {
  const end = (): void => void message.destroy(new Broken())
  const timer = setTimeout(end, SILENCE_MS)
  // The signal of a request ends no answer that is being read.
  signal.addEventListener('abort', end)
  let sinceRefresh = 0
  let left = most
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      sinceRefresh += chunk.length
      if (sinceRefresh >= LEAST_BYTES) {
        sinceRefresh = 0
        timer.refresh()
      }
      // More than it promised is no part of the file.
      yield chunk.subarray(0, left)
      left -= Math.min(left, chunk.length)
      if (left === 0) return
    }
  } catch (error) {
    throw error instanceof Broken ? error : new Broken('', { cause: error })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    message.destroy()
  }
}
