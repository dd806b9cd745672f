import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Context } from 'hono'
import type { UserCtx } from '#server/context.ts'
import { readSettings, SettingError } from '#server/env.ts'
import { dropboxChooser } from '#server/routes/dropbox-chooser.ts'
import type { FramePlace } from '#server/framed.ts'
import { AT_APP } from '#server/routes/frame-documents.ts'

const documentWith = (env: Readonly<Record<string, string>>) =>
  dropboxChooser({ settings: readSettings(env) })
/** It asks nothing of the person and the address. */
const open = async (place: FramePlace) =>
  await documentWith({ DROPBOX_APP_KEY: 'abc123def456' }).open({} as UserCtx, {} as Context, place)

it('CLD-01 loads the script of Dropbox in one document, whose policy allows nothing else', async () => {
  const page = await open(AT_APP)
  const { html } = page
  const policy = page.policy.join('; ')
  const inline = [...html.matchAll(/<(?:script|style)>([^<]*)<\/(?:script|style)>/g)]
  expect(inline).toHaveLength(2)
  for (const [, text = ''] of inline)
    expect(policy).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  expect(policy).not.toContain('unsafe')
  expect(policy).toMatch(/^default-src 'none'; /)
  expect(policy).toContain(' https://www.dropbox.com/static/api/2/dropins.js;')
  expect(html).toContain('id="dropboxjs" data-app-key="abc123def456"')
  expect(html).toContain('Choose one video of up to 25 GB.')
  expect(html).toContain(`sizeLimit: ${25 * 1024 ** 3},`)
  expect(html).toContain("extensions: ['video'],")
  // A frame of another scheme than the page around it is a box of its own colour.
  expect(html).toContain(':root { color-scheme: light dark }')
  expect(html).not.toMatch(/body \{[^}]*background/)
})

it('CLD-01 has no such document without a key', () => {
  expect(documentWith({}).isOffered).toBe(false)
})

it('TRU-11 tells what is chosen to the origin of the app alone', async () => {
  const { html } = await open({ appOrigin: 'https://edits.example.com', formAction: null })
  expect(html).toContain('<body data-app="https://edits.example.com">')
  expect(html).toContain('postMessage({ dropboxChooser }, document.body.dataset.app ?? ')
  expect((await open(AT_APP)).html).not.toContain('data-app=')
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
