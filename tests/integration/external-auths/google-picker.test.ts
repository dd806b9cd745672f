import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFakeGoogle, type FakeGoogle } from '#tests/fakes/google/server.ts'
import { connectDrive } from '#tests/setup/drive.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const API_KEY = 'AIza-key_of_the_project'
let google: FakeGoogle
let server: TestServer
let me: SignedUp
let externalAuthId: string

beforeAll(async () => {
  google = await startFakeGoogle()
  server = await startTestServer({
    google,
    env: {
      GOOGLE_PICKER: 'frame',
      GOOGLE_API_KEY: API_KEY,
    },
  })
  me = await server.signUp()
  externalAuthId = await connectDrive(me.client, google)
})
afterAll(async () => {
  await server.stop()
  await google.stop()
})

const open = async (client = me.client, id = externalAuthId) => {
  const { status, headers, bytes } = await client.get(
    `/editors/connect/google-picker?externalAuthId=${id}`,
  )
  return { status, headers, html: new TextDecoder().decode(bytes) }
}
const givenIn = (html: string): unknown =>
  JSON.parse(/<script id="given" type="application\/json">([^<]*)</.exec(html)?.[1] ?? 'null')

it('CLD-02 loads the script of Google in one document, with a policy and a token of its own', async () => {
  const { status, headers, html } = await open()
  const policy = headers.get('content-security-policy') ?? ''
  expect(status).toBe(200)
  const token = google.tokens.find((each) => each.startsWith('ya29'))
  expect(givenIn(html)).toEqual({ token, apiKey: API_KEY, appId: '4711' })
  expect(html).toContain('<script src="https://apis.google.com/js/api.js"></script>')
  const script = /<script>([^<]*)<\/script>/.exec(html)?.[1] ?? ''
  expect(policy).toContain(
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}' https://apis.google.com;`,
  )
  expect(policy).toMatch(/^default-src 'none'; /)
  expect(policy).toContain("frame-ancestors 'self'")
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

it('CLD-02 has no such document for strangers, signed-out visitors and other servers', async () => {
  expect((await open(server.createClient())).status).toBe(401)
  expect((await open(me.client, '<script>')).status).toBe(404)
  const stranger = await server.signUp()
  const { html } = await open(stranger.client)
  expect(givenIn(html)).toEqual({
    refusal: 'Google Drive authentication required. Please connect your Google account first.',
  })
  expect(html).not.toContain('apis.google.com')
})

it('CLD-03 says in it that the drive must be connected again', async () => {
  await me.client.delete(`/v1/external-auths/${externalAuthId}`)
  expect(givenIn((await open()).html)).toEqual({
    refusal: 'Google Drive authentication required. Please connect your Google account first.',
  })
})
