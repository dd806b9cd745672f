import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { Readable } from 'node:stream'
import { Hono, type Context } from 'hono'
import { projectRoot } from '#server/project-root.ts'

/**
 * The built page from `dist/`. Browsers keep files named by their content for a year and revalidate
 * everything else each time. Only a navigation gets the page for an unknown path; a
 * missing file is 404, never the page, so that an old tab learns that its script is gone instead of
 * running HTML.
 */
export function createStaticRoutes(root: string = join(projectRoot, 'dist')): Hono {
  const app = new Hono()
  app.get('*', async (c) => {
    const path = safePath(new URL(c.req.url).pathname)
    if (path === null || isPrivate(path)) return notFound(c)
    if (path !== '/') {
      const file = await findFile(root, path, c.req.header('accept-encoding') ?? '')
      if (file !== null) return answer(c, file)
    }
    // Link previews and monitors accept any type; they get the front page as well.
    if (path !== '/' && (extname(path) !== '' || !isNavigation(c))) return notFound(c)
    const page = await findFile(root, '/index.html', c.req.header('accept-encoding') ?? '')
    if (page === null) return c.text('The app is not built yet. Run `npm start`.', 503)
    return answer(c, page)
  })
  app.all('*', (c) => c.text('Method not allowed', 405, { allow: 'GET, HEAD' }))
  return app
}

interface FoundFile {
  readonly path: string
  readonly name: string
  readonly sizeBytes: number
  readonly changedAtMs: number
  readonly encoding: 'br' | 'gzip' | null
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.txt': 'text/plain; charset=utf-8',
}

const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

function safePath(pathname: string): string | null {
  try {
    const path = normalize(decodeURIComponent(pathname))
    return path.includes('\0') || path.split(sep).includes('..') ? null : path
  } catch {
    return null
  }
}

// Stamps of the build and source maps are ours.
function isPrivate(path: string): boolean {
  return (
    path.split('/').some((part) => part.startsWith('.') && part !== '.well-known') ||
    path.endsWith('.map')
  )
}

async function findFile(root: string, name: string, accepted: string): Promise<FoundFile | null> {
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

function answer(c: Context, file: FoundFile): Response {
  const etag = `W/"${file.sizeBytes.toString(36)}-${Math.floor(file.changedAtMs).toString(36)}"`
  const headers: Record<string, string> = {
    'content-type': CONTENT_TYPES[extname(file.name)] ?? 'application/octet-stream',
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

function isNavigation(c: Context): boolean {
  const mode = c.req.header('sec-fetch-mode')
  return (
    (mode === undefined || mode === 'navigate') &&
    (c.req.header('accept') ?? '').includes('text/html')
  )
}

function notFound(c: Context): Response {
  return c.text('Not found', 404, { 'cache-control': 'no-store' })
}
