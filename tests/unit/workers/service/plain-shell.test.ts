import 'fake-indexeddb/auto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDeviceDb, writeIsPlain, type DeviceDb } from '#src/local/db/device-db.ts'
import { inChosenLook, withPlainHead } from '#workers/service/plain-shell.ts'

let deviceDb: DeviceDb
let page = ''
beforeAll(async () => {
  deviceDb = await openDeviceDb()
  page = (await readFile('index.html', 'utf8')).replace(
    '</head>',
    '<link rel="manifest" href="/manifest.webmanifest"></head>',
  )
})
afterAll(() => deviceDb.close())

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
  expect(await (await inChosenLook(shell())).text()).toBe(page)
  await writeIsPlain(deviceDb, true)
  const plain = await inChosenLook(shell())
  expect(plain.headers.get('content-type')).toBe('text/html')
  expect(plain.headers.get('content-length')).toBeNull()
  expect(await plain.text()).toBe(withPlainHead(page))
  await writeIsPlain(deviceDb, false)
  expect(await (await inChosenLook(shell())).text()).toBe(page)
})
