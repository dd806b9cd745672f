import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writePlainMark } from '#src/local/db/plain-mark.ts'
import { inChosenLook, withPlainHead } from '#workers/service/plain-shell.ts'

let page = ''
beforeAll(async () => {
  page = (await readFile('index.html', 'utf8')).replace(
    '</head>',
    '<link rel="manifest" href="/manifest.webmanifest"></head>',
  )
})
afterAll(() => void vi.unstubAllGlobals())

/** A browser's caches with one entry at most in each. */
function fakeCaches(): CacheStorage {
  const kept = new Map<string, Response>()
  const fake = {
    match: (_: string, { cacheName }: { cacheName: string }) =>
      Promise.resolve(kept.get(cacheName)),
    open: (name: string) =>
      Promise.resolve({
        put: (_: string, response: Response) => Promise.resolve(void kept.set(name, response)),
      }),
    delete: (name: string) => Promise.resolve(kept.delete(name)),
  }
  return fake as unknown as CacheStorage
}

const headOf = (html: string): string => html.slice(0, html.indexOf('</head>'))

it('PHO-05 the head of the page says nothing of the product, and names files that are there', async () => {
  const plain = withPlainHead(page)
  const head = headOf(plain).replaceAll(/<!--.*?-->/gs, '')
  expect(head).not.toMatch(/onecut|video|edit/i)
  expect(head).toContain('<title>Planner</title>')
  expect(head).toContain('href="/plain.webmanifest"')
  const icons = Array.from(head.matchAll(/href="(\/icons\/[^"]+)"/g), ([, path = '']) => path)
  expect(icons).toHaveLength(3)
  for (const path of icons) expect((await readFile(`public${path}`)).length).toBeGreaterThan(100)
  expect(plain.slice(plain.indexOf('</head>'))).toBe(page.slice(page.indexOf('</head>')))
})

it('PHO-05 the page is answered in the look that this device chose', async () => {
  const shell = () =>
    new Response(page, { headers: { 'content-type': 'text/html', 'content-length': '1' } })
  vi.stubGlobal('caches', fakeCaches())
  expect(await (await inChosenLook(shell())).text()).toBe(page)
  await writePlainMark(caches, true)
  const plain = await inChosenLook(shell())
  expect(plain.headers.get('content-type')).toBe('text/html')
  expect(plain.headers.get('content-length')).toBeNull()
  expect(await plain.text()).toBe(withPlainHead(page))
  await writePlainMark(caches, false)
  expect(await (await inChosenLook(shell())).text()).toBe(page)
})
