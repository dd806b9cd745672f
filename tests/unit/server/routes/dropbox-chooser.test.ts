import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { readSettings, SettingError } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { createDropboxChooser } from '#server/routes/dropbox-chooser.ts'

const PATH = '/editors/connect/dropbox'
const appWith = (env: Readonly<Record<string, string>>) =>
  createDropboxChooser({
    settings: readSettings(env),
    newId: () => 'id',
    log: createLog(() => {}),
  } as unknown as Deps)

it('CLD-01 loads the script of Dropbox in one document, whose policy allows nothing else', async () => {
  const answer = await appWith({ DROPBOX_APP_KEY: 'abc123def456' }).request(PATH)
  const html = await answer.text()
  const policy = answer.headers.get('content-security-policy') ?? ''
  const inline = [...html.matchAll(/<(?:script|style)>([^<]*)<\/(?:script|style)>/g)]
  expect(inline).toHaveLength(2)
  for (const [, text = ''] of inline)
    expect(policy).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  expect(policy).not.toContain('unsafe')
  expect(policy).toMatch(/^default-src 'none'; /)
  expect(policy).toContain(' https://www.dropbox.com/static/api/2/dropins.js;')
  expect(policy).toContain("frame-ancestors 'self'")
  expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(html).toContain('id="dropboxjs" data-app-key="abc123def456"')
  expect(html).toContain('Choose one video of up to 25 GB.')
  expect(html).toContain(`sizeLimit: ${25 * 1024 ** 3},`)
  expect(html).toContain("extensions: ['video'],")
  // A frame of another scheme than the page around it is a box of its own colour.
  expect(html).toContain(':root { color-scheme: light dark }')
  expect(html).not.toMatch(/body \{[^}]*background/)
})

it('CLD-01 has no such document without a key', async () => {
  expect((await appWith({}).request(PATH)).status).toBe(404)
})

it.each([
  [{ DROPBOX_APP_KEY: '"><script>' }, /the app key of your app at Dropbox/],
  [
    { DROPBOX_APP_KEY: 'abc123def456', ONECUT_IMPORT_HOSTS: 'none' },
    /only where ONECUT_IMPORT_HOSTS has dropboxusercontent\.com/,
  ],
])('CLD-01 refuses a setting that cannot work: %j', (env, words) => {
  expect(() => readSettings(env)).toThrow(SettingError)
  expect(() => readSettings(env)).toThrow(words)
})
