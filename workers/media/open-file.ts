import {
  ADTS,
  CustomSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { ReadBytes } from '#checks/boxes.ts'

/**
 * One chosen file for everything that reads it: what was read once, index or bytes, is not read
 * again.
 */
export interface OpenFile {
  readonly file: File
  /** Bytes of the file. Rejects when it cannot be read, and once the file was closed. */
  readonly read: ReadBytes
  /** The fast reader on it; the same one until `startAnew`. */
  input(): Input
  /** Stops whatever the fast reader still does; the next `input` is another one. */
  startAnew(): void
  close(): void
}

/**
 * A read takes about a millisecond, whether for 16 bytes or for as many as here; streams are ten
 * times as slow.
 */
const BLOCK_BYTES = 128 * 1024
/**
 * Blocks read together from the beginning, and where the one before was read: the reader goes on.
 */
const AHEAD_BLOCKS = 4
/**
 * By their names, files whose beginning is a directory: more of it would only take longer. Wrong
 * names cost a millisecond.
 */
const BOXED = /\.(mp4|m4v|mov|qt|3gp)$/i
/** Kept for what comes back to them: 8 MiB. */
const MAX_BLOCKS = 64
/** Longer reads are not put together of blocks, unless the blocks are there already. */
const [MAX_PIECE_BYTES, MAX_JOINED_BYTES] = [512 * 1024, 2 * 1024 ** 2]
/** What the fast reader keeps itself: several clusters of a Matroska file. */
const CACHE_BYTES = 16 * 1024 ** 2

const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MPEG_TS, OGG, MP3, WAVE, FLAC, ADTS]

/** Opens a file. The caller closes it. */
export function openFile(file: File): OpenFile {
  const blocks = readInBlocks(file, BOXED.test(file.name) ? 1 : AHEAD_BLOCKS)
  // Most containers are read from both ends; the disk may look for them together.
  if (file.size > 0) void blocks.read(file.size - 1, file.size).catch(() => undefined)
  let current: Input | null = null
  const startAnew = (): void => {
    current?.dispose()
    current = null
  }
  return {
    file,
    read: blocks.read,
    input: () => (current ??= inputOf(file, blocks)),
    startAnew,
    close: () => {
      startAnew()
      blocks.close()
    },
  }
}

/** Opens a file for `work`, and closes it when that is over or called off. */
export async function whileOpen<T>(
  file: File,
  signal: AbortSignal,
  work: (opened: OpenFile) => Promise<T>,
): Promise<T> {
  const opened = openFile(file)
  signal.addEventListener('abort', opened.close, { once: true })
  try {
    return await work(opened)
  } finally {
    signal.removeEventListener('abort', opened.close)
    opened.close()
  }
}

/** The fast reader on a file by itself. The caller disposes it, which also stops whatever reads. */
export function openInput(file: File): Input {
  return inputOf(file, readInBlocks(file))
}

function inputOf(file: File, { pieceAt }: Blocks): Input {
  // Whole blocks, although a few bytes are asked for: what is beyond is kept, and served without
  // another turn.
  const read = (start: number, end: number): ReadableStream<Uint8Array> => {
    let at = start
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const bytes = await pieceAt(at, end)
      at += bytes.byteLength
      controller.enqueue(bytes)
      if (at >= end || bytes.byteLength === 0) controller.close()
    }
    return new ReadableStream({ pull }, { highWaterMark: 0 })
  }
  // Errors of bytes that no call waits for do not matter; a waiting call gets its own rejection.
  return new Input({
    source: new CustomSource({
      getSize: () => file.size,
      read,
      maxCacheSize: CACHE_BYTES,
      handleUnhandledError: () => undefined,
    }),
    formats: FORMATS,
  })
}

interface Blocks {
  readonly read: ReadBytes
  /** From `start` on: up to `end`, or further or less far to the end of what was read together. */
  pieceAt(start: number, end: number): Promise<Uint8Array>
  close(): void
}

/** One read: some blocks one after another. */
interface Chunk {
  readonly start: number
  readonly bytes: Promise<Uint8Array>
}

/** Short reads are served from blocks, which are kept; longer ones are read as they are. */
function readInBlocks(file: Blob, firstBlocks = AHEAD_BLOCKS): Blocks {
  const chunks = new Map<number, Chunk>()
  let isClosed = false
  const slice = async (start: number, end: number): Promise<Uint8Array> => {
    if (isClosed) throw new DOMException('the file was closed', 'AbortError')
    return new Uint8Array(await file.slice(start, end).arrayBuffer())
  }
  const load = (index: number): Chunk => {
    const most = index === 0 ? firstBlocks : chunks.has(index - 1) ? AHEAD_BLOCKS : 1
    let count = 1
    while (count < most && !chunks.has(index + count)) count += 1
    const start = index * BLOCK_BYTES
    const chunk = { start, bytes: slice(start, start + count * BLOCK_BYTES) }
    const indexes = Array.from({ length: count }, (_, offset) => index + offset)
    for (const each of indexes) chunks.set(each, chunk)
    // What failed can be tried again.
    chunk.bytes.catch(() => {
      for (const each of indexes) if (chunks.get(each) === chunk) chunks.delete(each)
    })
    return chunk
  }
  const chunkOf = (index: number): Chunk => {
    const found = chunks.get(index) ?? load(index)
    // The newest is last.
    chunks.delete(index)
    chunks.set(index, found)
    for (const oldest of Array.from(chunks.keys()).slice(0, -MAX_BLOCKS)) chunks.delete(oldest)
    return found
  }
  const pieceAt = async (start: number, end: number): Promise<Uint8Array> => {
    if (end - start > MAX_PIECE_BYTES) return slice(start, end)
    const chunk = chunkOf(Math.floor(start / BLOCK_BYTES))
    return (await chunk.bytes).subarray(start - chunk.start)
  }
  return {
    pieceAt,
    read: async (start, end) => {
      const until = Math.max(start, Math.min(end, file.size))
      const isKept =
        chunks.has(Math.floor(start / BLOCK_BYTES)) && until - start <= MAX_JOINED_BYTES
      if (until - start > MAX_PIECE_BYTES && !isKept) return slice(start, until)
      const pieces: Uint8Array[] = []
      for (let at = start; at < until;) {
        const piece = (await pieceAt(at, Math.min(until, at + 1))).subarray(0, until - at)
        if (piece.byteLength === 0) break
        pieces.push(piece)
        at += piece.byteLength
      }
      return joined(pieces)
    },
    close: () => {
      isClosed = true
      chunks.clear()
    },
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces
  if (first !== undefined && pieces.length === 1) return first
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}
