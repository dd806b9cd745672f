import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createStaticRoutes } from '#server/routes/static.ts'

let folder: string
let app: ReturnType<typeof createStaticRoutes>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-static-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  const files: Record<string, string | Uint8Array> = {
    'dist/index.html': '<!doctype html>page',
    'dist/sw.js': 'worker',
    'dist/manifest.webmanifest': '{}',
    'dist/.build-hash': 'secret',
    'dist/assets/main-1a2b.js': 'script',
    'dist/assets/main-1a2b.js.br': brotliCompressSync('script'),
    'dist/assets/clip.mp4': '0123456789',
    'secret.txt': 'outside',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  app = createStaticRoutes({ publicOrigin: 'http://localhost', root: join(folder, 'dist') })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const navigation = { accept: 'text/html,*/*', 'sec-fetch-mode': 'navigate' }
const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers })

it('gives the page to every navigation, and never from a cache without asking', async () => {
  for (const path of ['/', '/edits', '/uploads/new']) {
    const answer = await get(path, navigation)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('page')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  }
})

it('gives the front page also to those who name no type they want, such as link previews and monitors', async () => {
  expect((await get('/', { accept: '*/*' })).status).toBe(200)
  expect((await app.request('/', { method: 'HEAD' })).status).toBe(200)
})

it('answers a missing asset with 404, never with the page', async () => {
  for (const path of ['/assets/main-0000.js', '/gone.png', '/edits.js'])
    expect((await get(path, navigation)).status).toBe(404)
  expect((await get('/edits', { accept: '*/*' })).status).toBe(404)
  expect((await get('/edits', { accept: 'text/html', 'sec-fetch-mode': 'cors' })).status).toBe(404)
})

it('lets hashed files be kept for ever and asks again for everything that names them', async () => {
  const hashed = await get('/assets/main-1a2b.js')
  expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(hashed.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  for (const path of ['/sw.js', '/manifest.webmanifest', '/index.html'])
    expect((await get(path)).headers.get('cache-control')).toBe('no-cache')
})

it('sends the compressed copy to clients that accept it', async () => {
  const packed = await get('/assets/main-1a2b.js', { 'accept-encoding': 'gzip, br' })
  expect(packed.headers.get('content-encoding')).toBe('br')
  expect(packed.headers.get('vary')).toBe('accept-encoding')
  expect(await (await get('/assets/main-1a2b.js')).text()).toBe('script')
})

it('answers 304 to who has it and a range to who asks for one', async () => {
  const first = await get('/assets/clip.mp4')
  expect(
    (await get('/assets/clip.mp4', { 'if-none-match': first.headers.get('etag') ?? '' })).status,
  ).toBe(304)
  const part = await get('/assets/clip.mp4', { range: 'bytes=2-4' })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe('bytes 2-4/10')
  expect(await part.text()).toBe('234')
  expect(await (await get('/assets/clip.mp4', { range: 'bytes=-3' })).text()).toBe('789')
})

it('stays inside its folder and keeps its own files to itself', async () => {
  for (const path of [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/.build-hash',
    '/%00',
    '/%E0%A4%A',
  ]) {
    expect((await get(path)).status).toBe(404)
  }
  expect((await app.request('/', { method: 'POST' })).status).toBe(405)
})
