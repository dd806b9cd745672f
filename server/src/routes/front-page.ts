import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { Hono, type Context } from 'hono'
import { answerFile, findFile } from './files.ts'
import { sentToPublicOrigin } from './static.ts'
import type { components } from '#openapi/schema.gen.ts'
import type { Deps } from '#server/deps.ts'
import { createCookies, SESSION_COOKIE } from '#server/http/cookies.ts'
import { keepFor, KEPT_FOR_MS } from '#server/http/kept-answers.ts'
import { frontPageFacts } from '#server/operations/core/front-page/facts.ts'
import { projectRoot } from '#server/project-root.ts'
import { viewFrontPage } from '#server/views/front-page.ts'

type FrontPage = components['schemas']['FrontPage']

/** What the build has for this page: the page without its content, and what writes that. */
const TEMPLATE = 'front.html'
const RENDERER = '.front/render.js'

/** Pages that search engines may list; the others say themselves that they may not. */
const LISTED = ['/', '/signup', '/login', '/terms-of-use'] as const

/**
 * The front page of visitors: written with what is true of this server before a script runs, with
 * addresses of the public origin. Beside it what search engines ask for, and the operator's files
 * that it shows. People with a session get the app's page instead, as does everyone where the build
 * has no front page.
 */
export function createFrontPageRoutes(deps: Deps, root = join(projectRoot, 'dist')): Hono {
  const { publicOrigin } = deps.settings
  const app = new Hono()
  const cookies = createCookies(publicOrigin)
  const readFacts = keepFor(KEPT_FOR_MS, async () => {
    const frontPage = viewFrontPage(await frontPageFacts(deps))
    return { frontPage, text: JSON.stringify(frontPage) }
  })
  const write = keepLast(
    async ({ frontPage }: Facts) => await packed(await writePage(root, frontPage, publicOrigin)),
  )
  const render = async (build: number) => await write(build, await readFacts())
  app.get('/', async (c, next) => {
    const elsewhere = sentToPublicOrigin(c, publicOrigin)
    if (elsewhere !== null) return elsewhere
    const isVisitor = cookies.parse(c.req.header('cookie'))[SESSION_COOKIE] === undefined
    const built = isVisitor ? await stat(join(root, TEMPLATE)).catch(() => null) : null
    if (built === null) return next()
    const page = await render(built.mtimeMs).catch((error: unknown) => {
      deps.log.error('front-page/not-written', error)
      return null
    })
    return page === null ? next() : answerPage(c, page)
  })
  // Previews elsewhere show it from here.
  app.get(PICTURE.path, async (c, next) => {
    await next()
    c.header('cross-origin-resource-policy', 'cross-origin')
  })
  app.get('/robots.txt', (c) =>
    c.text(
      `User-agent: *\nDisallow: /editors/\nDisallow: /dev/\nSitemap: ${publicOrigin}/sitemap.xml\n`,
    ),
  )
  app.get('/sitemap.xml', (c) =>
    c.body(sitemap(publicOrigin), 200, { 'content-type': 'application/xml; charset=utf-8' }),
  )
  app.get('/front-page/:file', async (c, next) => {
    const name = c.req.param('file')
    const path = deps.published.files.get(name)
    const file = path === undefined ? null : await findFile(path.slice(0, -name.length), name, '')
    return file === null ? next() : answerFile(c, file)
  })
  return app
}

/** One page in the ways in which it can be sent. */
interface PackedPage {
  readonly etag: string
  readonly bodies: Readonly<Record<'br' | 'gzip' | 'identity', Uint8Array<ArrayBuffer>>>
}

async function packed(html: string): Promise<PackedPage> {
  const identity = new Uint8Array(Buffer.from(html))
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity),
    promisify(gzip)(identity),
  ])
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 16)
  return {
    etag: `W/"${hash}"`,
    bodies: { br: new Uint8Array(br), gzip: new Uint8Array(zipped), identity },
  }
}

/** What is true of the server, and the same as a text that can be compared. */
interface Facts {
  readonly frontPage: FrontPage
  readonly text: string
}

/** Writes the page once for each build and what is true of the server. */
function keepLast(
  write: (facts: Facts) => Promise<PackedPage>,
): (build: number, facts: Facts) => Promise<PackedPage> {
  let last: {
    readonly build: number
    readonly text: string
    readonly page: Promise<PackedPage>
  } | null = null
  return async (build, facts) => {
    const { text } = facts
    if (last?.build !== build || last.text !== text) {
      const page = write(facts)
      last = { build, text, page }
      // A page that could not be written is tried again by the next visitor.
      page.catch(() => {
        if (last?.page === page) last = null
      })
    }
    return await last.page
  }
}

function answerPage(c: Context, { etag, bodies }: PackedPage): Response {
  const accepted = c.req.header('accept-encoding') ?? ''
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name)) ?? 'identity'
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept-encoding, cookie',
    etag,
  }
  if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  headers['content-length'] = String(bodies[encoding].length)
  return new Response(c.req.method === 'HEAD' ? null : bodies[encoding], { headers })
}

async function writePage(root: string, frontPage: FrontPage, origin: string): Promise<string> {
  const [template, renderFrontPage] = await Promise.all([
    readFile(join(root, TEMPLATE), 'utf8'),
    loadRenderer(join(root, RENDERER)),
  ])
  // No text of the operator can end the script element.
  const facts = JSON.stringify(frontPage).replaceAll('<', '\\u003c')
  return template
    .replace('</head>', () => `${previewTags(origin)}</head>`)
    .replace(
      '<div id="root"></div>',
      () =>
        `<div id="root">${renderFrontPage(frontPage)}</div><script type="application/json" id="front-page">${facts}</script>`,
    )
}

async function loadRenderer(path: string): Promise<(frontPage: FrontPage) => string> {
  const { mtimeMs } = await stat(path)
  // Modules are kept by address: a newer build at the same path is another one.
  const module: unknown = await import(`${pathToFileURL(path).href}?built=${mtimeMs}`)
  if (typeof module === 'object' && module !== null && 'renderFrontPage' in module)
    // The build made both sides from the same types.
    return module.renderFrontPage as (frontPage: FrontPage) => string
  throw new Error(`${path} does not write the front page`)
}

const TITLE = 'Onecut · Spend Less Time Editing, More Time Living'
const DESCRIPTION =
  'One-click video edits for people who sell their own videos: upload once, choose formats, download finished edits.'
const PICTURE = { path: '/landing/preview.jpg', width: 1200, height: 630 } as const

/** What search engines and link previews read; they want whole addresses. */
function previewTags(origin: string): string {
  const properties: readonly (readonly [string, string])[] = [
    ['og:type', 'website'],
    ['og:site_name', 'Onecut'],
    ['og:title', TITLE],
    ['og:description', DESCRIPTION],
    ['og:url', `${origin}/`],
    ['og:image', origin + PICTURE.path],
    ['og:image:width', String(PICTURE.width)],
    ['og:image:height', String(PICTURE.height)],
    ['og:image:alt', 'Onecut: one long video becomes many finished edits'],
  ]
  const site = { '@context': 'https://schema.org', '@type': 'WebSite', name: 'Onecut' }
  return [
    `<link rel="canonical" href="${origin}/" />`,
    ...properties.map(([name, content]) => `<meta property="${name}" content="${content}" />`),
    '<meta name="twitter:card" content="summary_large_image" />',
    `<script type="application/ld+json">${JSON.stringify({ ...site, url: `${origin}/` })}</script>`,
  ].join('\n')
}

function sitemap(origin: string): string {
  const addresses = LISTED.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses}\n</urlset>\n`
}
