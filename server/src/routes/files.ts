import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { contentTypeOf } from './content-types.ts'

/** A file of the disk, or its compressed copy. */
export interface FoundFile {
  readonly path: string
  readonly name: string
  readonly sizeBytes: number
  readonly changedAtMs: number
  readonly encoding: 'br' | 'gzip' | null
}

const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

/** The file, or the compressed copy beside it that the client accepts; null where there is none. */
export async function findFile(
  root: string,
  name: string,
  accepted: string,
): Promise<FoundFile | null> {
  const path = join(root, name)
  const plain = await stat(path).catch(() => null)
  if (plain === null || !plain.isFile()) return null
  for (const encoding of ENCODINGS) {
    if (!accepted.includes(encoding.name)) continue
    const packed = await stat(path + encoding.suffix).catch(() => null)
    if (packed !== null)
      return {
        path: path + encoding.suffix,
        name,
        sizeBytes: packed.size,
        changedAtMs: plain.mtimeMs,
        encoding: encoding.name,
      }
  }
  return { path, name, sizeBytes: plain.size, changedAtMs: plain.mtimeMs, encoding: null }
}

/** The file, the part of it that was asked for, or 304. */
export function answerFile(c: Context, file: FoundFile): Response {
  const etag = `W/"${file.sizeBytes.toString(36)}-${Math.floor(file.changedAtMs).toString(36)}"`
  const headers: Record<string, string> = {
    'content-type': contentTypeOf(file.name),
    // Vite puts a hash of the content into every name below assets/.
    'cache-control': file.name.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
    etag,
    vary: 'accept-encoding',
  }
  if (file.encoding !== null) headers['content-encoding'] = file.encoding
  if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
  const range = file.encoding === null ? readRange(c.req.header('range'), file.sizeBytes) : null
  if (file.encoding === null) headers['accept-ranges'] = 'bytes'
  const { start, end } = range ?? { start: 0, end: file.sizeBytes - 1 }
  headers['content-length'] = String(end - start + 1)
  if (range !== null) headers['content-range'] = `bytes ${start}-${end}/${file.sizeBytes}`
  const status = range === null ? 200 : 206
  if (c.req.method === 'HEAD' || file.sizeBytes === 0)
    return new Response(null, { status, headers })
  return new Response(
    Readable.toWeb(createReadStream(file.path, { start, end })) as ReadableStream,
    { status, headers },
  )
}

// One range, as players of the landing video ask for; anything else gets the whole file, which is
// always allowed.
function readRange(
  header: string | undefined,
  sizeBytes: number,
): { start: number; end: number } | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return null
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return start <= end && start < sizeBytes ? { start, end } : null
}
