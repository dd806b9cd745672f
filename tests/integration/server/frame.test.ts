import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let mara: SignedUp
beforeAll(async () => {
  server = await startTestServer()
  mara = await server.signUp()
})
afterAll(() => server.stop())

interface ErrorBody {
  error: { message: string; code: string; fields?: Record<string, string> }
}

describe('the frame around every call', () => {
  it('answers an unknown address with 404 and a wrong method with 405 and Allow', async () => {
    const client = server.createClient()
    const missing = await client.get<ErrorBody>('/v1/nothing-here')
    expect(missing).toMatchObject({ status: 404, body: { error: { code: 'request/not-found' } } })
    const wrong = await client.call<ErrorBody>('PUT', '/v1/users/me')
    expect(wrong).toMatchObject({
      status: 405,
      body: { error: { code: 'request/method-not-allowed' } },
    })
    expect(wrong.headers.get('allow')).toBe('GET, HEAD')
    expect((await client.get('/editors/api/v1/%00')).status).toBe(404)
    expect((await client.get('/editors/api/v1/%E0%A4%A')).status).toBe(404)
  })

  it('names the fields of a body that does not fit, and never answers malformed input with 500', async () => {
    const client = server.createClient()
    const path = '/v1/auth/magic-link/login'
    const invalid = await client.post<ErrorBody>(path, { user: {}, surprise: 1 })
    expect(invalid.status).toBe(422)
    expect(invalid.body.error.fields).toMatchObject({
      'user.email': 'is missing',
      surprise: 'is not known here',
    })
    expect(await client.post(path, '{"user":')).toMatchObject({
      status: 400,
      body: { error: { code: 'request/malformed-json' } },
    })
    expect(await client.post(path, new Uint8Array([0xff, 0xfe]))).toMatchObject({ status: 400 })
    expect(await client.post(path, '[]')).toMatchObject({ status: 422 })
    expect(await client.post(path, undefined)).toMatchObject({ status: 422 })
    expect(
      await client.post(path, 'a=b', { headers: { 'content-type': 'text/plain' } }),
    ).toMatchObject({ status: 415 })
    expect(
      await client.post(path, JSON.stringify({ user: { email: 'x'.repeat(3_000_000) } })),
    ).toMatchObject({ status: 413 })
  })

  it('asks for a session where the contract does, and keeps every answer out of caches', async () => {
    const answer = await server.createClient().get<ErrorBody>('/v1/users/me')
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'auth/signed-out' } } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(
      (await mara.client.get<{ user: { email: string } }>('/v1/users/me')).body.user.email,
    ).toBe(mara.email)
  })

  it('SAF-05 refuses a call that is meant for another user than the one of the session', async () => {
    const other = await server.signUp()
    const ask = (userId: string) =>
      mara.client.get<ErrorBody>('/v1/users/me', { headers: { 'x-user-id': userId } })
    expect(await ask(other.userId)).toMatchObject({
      status: 401,
      body: { error: { code: 'auth/other-user' } },
    })
    expect(await ask(mara.userId)).toMatchObject({ status: 200 })
  })

  it('answers HEAD like GET, without the body', async () => {
    const answer = await mara.client.call('HEAD', '/v1/users/me')
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.bytes).toHaveLength(0)
  })

  it('answers what is not built with 501 and says so', async () => {
    const answer = await mara.client.get<ErrorBody>(
      '/v1/external-auth/google-oauth/login?externalAuthRedirectUri=/external-auths',
    )
    expect(answer).toMatchObject({
      status: 501,
      body: {
        error: {
          code: 'system/not-built',
          message: 'Google Drive is not available here. Upload the video from your device instead.',
        },
      },
    })
  })

  it('sends the security headers with pages and with answers', async () => {
    for (const path of ['/v1/capabilities', '/nothing.js']) {
      const { headers } = await server.createClient().get(path)
      expect(headers.get('content-security-policy')).toContain(
        "script-src 'self' 'wasm-unsafe-eval'; frame-src 'self'; style-src 'self'; worker-src 'self'",
      )
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
    const picture = await server.createClient().get('/landing/preview.jpg')
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })

  it('TRU-10 answers of this server beside the app have the headers that need no settings', async () => {
    for (const path of ['/editors/ready', '/v1/parts/none/1']) {
      const { headers } = await server.createClient().get(path)
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        "default-src 'none'; frame-ancestors 'none'",
      ])
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('writes come from our own pages (APP-17)', () => {
  const path = (): string => `/v1/users/${mara.userId}/nothing`
  const profile = (): string => `/v1/${mara.userId}/profile`
  const body = { userProfile: { profession: 'Other' } }

  it("APP-17 refuses a write without the value of its session, or with another session's", async () => {
    const other = await server.signUp()
    for (const token of [null, 'wrong', other.client.cookies.get('XSRF-TOKEN') ?? '']) {
      const answer = await mara.client.patch<ErrorBody>(profile(), body, {
        headers: { 'x-xsrf-token': token },
      })
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'auth/xsrf' } } })
    }
    expect((await mara.client.patch(profile(), body)).status).toBe(200)
  })

  it('APP-17 refuses a write that another origin sends, signed in or not', async () => {
    const foreign = { origin: 'https://elsewhere.example' }
    expect(await mara.client.patch(profile(), body, { headers: foreign })).toMatchObject({
      status: 403,
    })
    expect(
      await mara.client.patch(profile(), body, {
        headers: { origin: null, 'sec-fetch-site': 'cross-site' },
      }),
    ).toMatchObject({ status: 403 })
    expect(
      await mara.client.patch(profile(), body, { headers: { 'sec-fetch-site': 'same-site' } }),
    ).toMatchObject({ status: 403 })
    expect(
      await server.createClient().post('/v1/auth/magic-link/login', {}, { headers: foreign }),
    ).toMatchObject({ status: 403 })
    expect(
      await mara.client.patch(profile(), body, {
        headers: { origin: null, 'sec-fetch-site': 'same-origin' },
      }),
    ).toMatchObject({ status: 200 })
  })

  it('gives the readable cookies again when they are missing or of another session', async () => {
    const token = mara.client.cookies.get('XSRF-TOKEN')
    mara.client.cookies.delete('XSRF-TOKEN')
    await mara.client.get('/v1/users/me')
    expect(mara.client.cookies.get('XSRF-TOKEN')).toBe(token)
    expect((await mara.client.get(path())).status).toBe(404)
  })
})
