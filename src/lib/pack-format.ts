import * as v from 'valibot'

/**
 * Many files in one: a line of JSON that lists them, and then their bytes, one after the other. The
 * build writes it, the service worker reads it.
 */
const listed = v.object({
  url: v.string(),
  revision: v.nullable(v.string()),
  type: v.string(),
  sizeBytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
})

/** One file; `revision` is null where its name has a hash of its content. */
export interface PackedFile {
  readonly url: string
  readonly revision: string | null
  /** For the header Content-Type. */
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

const LINE_END = 10

export function writePack(files: readonly PackedFile[]): Uint8Array<ArrayBuffer> {
  const list = files.map(({ bytes, ...file }) => ({ ...file, sizeBytes: bytes.byteLength }))
  const head = new TextEncoder().encode(`${JSON.stringify(list)}\n`)
  const size = files.reduce((sum, { bytes }) => sum + bytes.byteLength, head.byteLength)
  const pack = new Uint8Array(size)
  pack.set(head)
  let at = head.byteLength
  for (const { bytes } of files) {
    pack.set(bytes, at)
    at += bytes.byteLength
  }
  return pack
}

/** The files of a pack; null of anything else, as of a page of another machine or half a pack. */
export function readPack(pack: Uint8Array<ArrayBuffer>): readonly PackedFile[] | null {
  const headEnd = pack.indexOf(LINE_END)
  if (headEnd < 0) return null
  const list = v.safeParse(
    v.array(listed),
    jsonOf(new TextDecoder().decode(pack.subarray(0, headEnd))),
  )
  if (!list.success) return null
  let at = headEnd + 1
  const files = list.output.map(({ sizeBytes, ...file }) => {
    const bytes = pack.slice(at, at + sizeBytes)
    at += sizeBytes
    return { ...file, bytes }
  })
  return at === pack.byteLength ? files : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
