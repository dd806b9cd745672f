/**
 * Reads a `multipart/form-data` body (RFC 7578) as it comes. `request.formData()` holds all of it
 * in memory: 600 MB for a video of 500 MB.
 */

/** What a part says of itself. */
export interface PartHead {
  readonly name: string
  /** Null for a field that is no file. */
  readonly fileName: string | null
  readonly type: string
}

/** Takes the bytes of one part, in order. */
export interface PartSink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  close(): Promise<void>
  /** In the place of `close`, where the part does not become whole. */
  abort(): Promise<void>
}

/** The body is no multipart, or ends too early. */
export class MultipartFault extends Error {}

/** More than any browser writes before a part. */
const HEAD_MAX_BYTES = 16_384
const CR = 13

/** The boundary that a content type names; null where it names none. */
export function boundaryOf(contentType: string | null): string | null {
  const found = /^multipart\/form-data;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    contentType ?? '',
  )
  return found?.[1] ?? found?.[2] ?? null
}

/**
 * Hands each part to a sink.
 * @param open called with each part; null = its bytes are not wanted
 */
export async function readMultipart(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  boundary: string,
  open: (head: PartHead) => Promise<PartSink | null>,
): Promise<void> {
  const input = createInput(body)
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`)
  // The first delimiter has no line before it, unless a preamble has.
  input.prepend(Uint8Array.of(CR, 10))
  try {
    await input.readTo(delimiter, async () => undefined)
    while (!(await isLast(input))) {
      const head = parseHead(await readHead(input))
      const sink = await open(head)
      try {
        await input.readTo(delimiter, async (bytes) => sink?.write(bytes))
        await sink?.close()
      } catch (thrown) {
        await sink?.abort()
        throw thrown
      }
    }
  } finally {
    await input.cancel()
  }
}

/** Behind a delimiter: `--` ends the body, a line end begins a part. */
async function isLast(input: Input): Promise<boolean> {
  const text = decode(await input.take(2))
  if (text === '--') return true
  if (text !== '\r\n') throw new MultipartFault('a delimiter has no end')
  return false
}

async function readHead(input: Input): Promise<string> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  // The line end of the delimiter may be the first of the two.
  input.prepend(Uint8Array.of(CR, 10))
  await input.readTo(Uint8Array.of(CR, 10, CR, 10), async (bytes) => {
    size += bytes.length
    if (size > HEAD_MAX_BYTES) throw new MultipartFault('the head of a part is too long')
    // The rest of a chunk is overwritten by the next one.
    pieces.push(bytes.slice())
  })
  return decode(joined(pieces))
}

function parseHead(text: string): PartHead {
  const lines = text.split('\r\n')
  const value = (field: string): string => {
    const line = lines.find((each) => each.toLowerCase().startsWith(`${field}:`)) ?? ''
    return line.slice(field.length + 1).trim()
  }
  const disposition = value('content-disposition')
  // Browsers write a quote in a name as %22, and line ends as %0D and %0A.
  const parameter = (name: string): string | null => {
    const found = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)
    return found?.[1]?.replaceAll('%22', '"').replaceAll('%0D', ' ').replaceAll('%0A', ' ') ?? null
  }
  return {
    name: parameter('name') ?? '',
    fileName: parameter('filename'),
    type: value('content-type'),
  }
}

type Input = ReturnType<typeof createInput>

/** The bytes of a body, with what was read and not used yet. */
function createInput(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader()
  let held: Uint8Array<ArrayBuffer> = new Uint8Array()
  const more = async (): Promise<void> => {
    const { value, done } = await reader.read()
    if (done) throw new MultipartFault('the body ends too early')
    held = held.length === 0 ? value : joined([held, value])
  }
  return {
    prepend: (bytes: Uint8Array<ArrayBuffer>): void => {
      held = joined([bytes, held])
    },
    /** Exactly so many bytes. */
    take: async (count: number): Promise<Uint8Array<ArrayBuffer>> => {
      while (held.length < count) await more()
      const taken = held.subarray(0, count)
      held = held.subarray(count)
      return taken
    },
    /** Gives all bytes before a mark to `give`, and drops the mark. */
    readTo: async (
      mark: Uint8Array<ArrayBuffer>,
      give: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
    ): Promise<void> => {
      for (;;) {
        const at = indexOf(held, mark)
        // Without the mark, its beginning may stand at the end.
        const safe = at ?? Math.max(0, held.length - mark.length + 1)
        if (safe > 0) await give(held.subarray(0, safe))
        held = held.subarray(at === null ? safe : safe + mark.length)
        if (at !== null) return
        await more()
      }
    },
    cancel: () => reader.cancel().catch(() => undefined),
  }
}

/** Where a mark stands that begins with a CR; null where it does not. */
function indexOf(bytes: Uint8Array, mark: Uint8Array): number | null {
  for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) {
    if (at + mark.length > bytes.length) return null
    if (mark.every((byte, offset) => bytes[at + offset] === byte)) return at
  }
  return null
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
