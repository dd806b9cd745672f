import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFrontPageRoutes } from '#server/routes/front-page.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

let folder: string
let server: TestServer
let app: ReturnType<typeof createFrontPageRoutes>

/** The build's side: writes a page that names the formats and the first link. */
const renderer = (mark: string) =>
  `export const renderFrontPage = (facts) => '<h1>${mark} ' + facts.formats.map((f) => f.slug).join() + ' ' + facts.socialLinks[0].name + '</h1>'`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-front-'))
  await mkdir(join(folder, 'dist/.front'), { recursive: true })
  await mkdir(join(folder, 'own'))
  const files = {
    'dist/front.html': '<html><head></head><body><div id="root"></div></body></html>',
    'dist/.front/render.js': renderer('first'),
    'own/front-page.json': JSON.stringify({
      socialLinks: [{ name: '</script>', url: 'https://social.example.com/@us' }],
      testimonials: [
        {
          name: 'Real Person',
          role: 'Content Creator',
          url: 'https://real.example.com',
          quote: 'It saves me the evening.',
          video: 'real.mp4',
          picture: 'real.jpg',
        },
      ],
    }),
    'own/real.mp4': '0123456789',
    'own/real.jpg': 'picture',
    'own/secret.txt': 'secret',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  server = await startTestServer({ env: { ONECUT_FRONT_PAGE_DIR: join(folder, 'own') } })
  app = createFrontPageRoutes(server.deps, join(folder, 'dist'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers })

it('LND-06 visitors get the page written with what the server offers, and whole addresses for previews', async () => {
  const html = await (await get('/')).text()
  const answer = await server.createClient().get('/v1/front-page')
  const { frontPage } = answer.body as {
    frontPage: { formats: { slug: string }[]; testimonials: { videoUrl: string }[] }
  }
  expect(html).toContain(`first ${frontPage.formats.map(({ slug }) => slug).join(',')}`)
  const origin = server.deps.settings.publicOrigin
  expect(html).toContain(`<link rel="canonical" href="${origin}/" />`)
  expect(html).toContain(`content="${origin}/landing/preview.jpg"`)
  expect(frontPage.testimonials[0]?.videoUrl).toBe('/front-page/real.mp4')
  const facts = /<script type="application\/json" id="front-page">(.*?)<\/script>/.exec(html)?.[1]
  expect(JSON.parse(facts ?? '')).toEqual(frontPage)
})

it('LND-06 the page is asked for again each time and sent compressed only where it changed', async () => {
  const first = await get('/', { 'accept-encoding': 'gzip, br' })
  expect(first.headers.get('cache-control')).toBe('no-cache')
  expect(first.headers.get('vary')).toContain('cookie')
  expect(brotliDecompressSync(await first.arrayBuffer()).toString()).toContain('<h1>first')
  const etag = first.headers.get('etag') ?? ''
  expect((await get('/', { 'if-none-match': etag })).status).toBe(304)
  await writeFile(join(folder, 'dist/.front/render.js'), renderer('second'))
  for (const name of ['front.html', '.front/render.js'])
    await utimes(join(folder, 'dist', name), new Date(), new Date(Date.now() + 5000))
  const next = await get('/', { 'if-none-match': etag })
  expect(next.status).toBe(200)
  expect(await next.text()).toContain('<h1>second')
})

it("LND-06 who has a session gets the app's page, as does everyone where the build has no front page", async () => {
  expect((await get('/', { cookie: 'onecut_session=any' })).status).toBe(404)
  const bare = createFrontPageRoutes(server.deps, folder)
  expect((await bare.request('/')).status).toBe(404)
})

it("LND-06 a page that cannot be written is logged, and visitors get the app's", async () => {
  const file = join(folder, 'dist/front.html')
  await writeFile(join(folder, 'dist/.front/render.js'), 'export const nothing = 1')
  for (const name of [file, join(folder, 'dist/.front/render.js')])
    await utimes(name, new Date(), new Date(Date.now() + 9000))
  expect((await get('/')).status).toBe(404)
  expect(server.logged.map(({ event }) => event)).toContain('front-page/not-written')
})

it('LND-06 search engines learn what they may list', async () => {
  const origin = server.deps.settings.publicOrigin
  expect(await (await get('/robots.txt')).text()).toContain(`Sitemap: ${origin}/sitemap.xml`)
  const sitemap = await (await get('/sitemap.xml')).text()
  expect(sitemap).toContain(`<loc>${origin}/</loc>`)
  expect(sitemap).not.toContain('privacy')
})

it("LND-04 only the operator's files that a testimonial names are answered, in ranges", async () => {
  const part = await get('/front-page/real.mp4', { range: 'bytes=2-4' })
  expect(part.status).toBe(206)
  expect(await part.text()).toBe('234')
  for (const name of ['secret.txt', 'front-page.json', '..%2Fown%2Fsecret.txt'])
    expect((await get(`/front-page/${name}`)).status).toBe(404)
})
