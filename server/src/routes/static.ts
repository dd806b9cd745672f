import { extname, join, normalize, sep } from 'node:path'
import { Hono, type Context } from 'hono'
import { answerFile, findFile } from './files.ts'
import { projectRoot } from '#server/project-root.ts'

/**
 * The built page from `dist/`. Browsers keep files named by their content for a year and revalidate
 * everything else each time. Only a navigation gets the page for an unknown path; a
 * missing file is 404, never the page, so that an old tab learns that its script is gone instead of
 * running HTML.
 */
export function createStaticRoutes({
  publicOrigin,
  root = join(projectRoot, 'dist'),
}: {
  readonly publicOrigin: string
  readonly root?: string
}): Hono {
  const app = new Hono()
  app.get('*', async (c) => {
    const path = safePath(new URL(c.req.url).pathname)
    if (path === null || isPrivate(path)) return notFound(c)
    if (path !== '/') {
      const file = await findFile(root, path, c.req.header('accept-encoding') ?? '')
      if (file !== null) return answerFile(c, file)
    }
    // Link previews and monitors accept any type; they get the front page as well.
    if (path !== '/' && (extname(path) !== '' || !isNavigation(c))) return notFound(c)
    const elsewhere = sentToPublicOrigin(c, publicOrigin)
    if (elsewhere !== null) return elsewhere
    const page = await findFile(root, '/index.html', c.req.header('accept-encoding') ?? '')
    if (page === null) return c.text('The app is not built yet. Run `npm start`.', 503)
    return answerFile(c, page)
  })
  app.all('*', (c) => c.text('Method not allowed', 405, { allow: 'GET, HEAD' }))
  return app
}

/** The answer to a navigation that belongs to the public origin; null where it may go on here. */
export function sentToPublicOrigin(c: Context, publicOrigin: string): Response | null {
  const elsewhere = isNavigation(c) ? publicAddress(c, publicOrigin) : null
  // Not kept by the browser: the origin is a setting.
  return elsewhere === null ? null : moved(elsewhere)
}

/**
 * The same page at the public origin when that is localhost and another name of this machine was
 * opened, else null. Passkeys and file pickers refuse an address such as 127.0.0.1, and what a
 * browser keeps for the one name the other does not see.
 */
function publicAddress(c: Context, publicOrigin: string): string | null {
  const own = new URL(publicOrigin)
  const { hostname, port, pathname, search } = new URL(c.req.url)
  const isOtherName = hostname === '127.0.0.1' || hostname === '[::1]'
  if (own.hostname !== 'localhost' || !isOtherName || port !== own.port) return null
  // Put together as text: a path such as //x is no other host here.
  return `${own.origin}${pathname}${search}`
}

function moved(location: string): Response {
  return new Response(null, { status: 308, headers: { location, 'cache-control': 'no-store' } })
}

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
