import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { humanToken } from '#tests/fakes/human.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

let open: TestServer
let here: TestServer
beforeAll(async () => {
  open = await startTestServer({
    env: {
      ONECUT_PUBLIC_ORIGIN: 'https://edits.example.com:8443',
      ONECUT_ALLOW_TEST_PAYMENTS: '1',
    },
  })
  here = await startTestServer()
})
afterAll(async () => {
  await open.stop()
  await here.stop()
})

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Asks a server by a host of the test's choice, which fetch does not allow. */
async function ask(
  server: TestServer,
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' } = {},
): Promise<Answer> {
  const url = `http://127.0.0.1:${server.deps.settings.port}${path}`
  const asked = request(url, { method, headers })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  return { status: answer.statusCode, headers: answer.headers, body: text }
}

const signUpBody = (email: string): string =>
  JSON.stringify({ user: { email }, captchaToken: humanToken, redirectUri: '/' })

describe('the host of a request', () => {
  it('TRU-04 has to be of this server, for calls, pages and parts', async () => {
    const part = `/editors/api/v1/parts/${crypto.randomUUID()}/1`
    for (const [path, method] of [
      ['/editors/api/v1/capabilities', 'GET'],
      ['/', 'GET'],
      [part, 'PUT'],
    ] as const) {
      const { status, body, headers } = await ask(
        open,
        path,
        { host: 'rebound.example' },
        { method },
      )
      expect([path, status]).toEqual([path, 421])
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
      })
      expect(JSON.parse(body)).toMatchObject({
        error: {
          code: 'request/wrong-host',
          message: expect.stringContaining('https://edits.example.com') as string,
        },
      })
    }
  })

  it.each([
    ['https://edits.example.com:8443', 422],
    ['http://edits.example.com:8443', 403],
    ['http://edits.example.com', 403],
    ['https://edits.example.com', 403],
    ['null', 403],
  ])(
    'APP-17 a write of the origin %s is answered %i at a host on https',
    async (origin, wanted) => {
      const { status } = await ask(
        open,
        '/editors/api/v1/auth/magic-link/login',
        { host: 'edits.example.com:8443', origin, 'content-type': 'application/json' },
        { method: 'POST', body: '{}' },
      )
      expect(status).toBe(wanted)
    },
  )

  it.each([
    'EDITS.example.com:8443',
    // What nginx calls $host.
    'edits.example.com',
    'localhost:4400',
    // What nginx writes without a line about Host.
    '127.0.0.1:4400',
    '[::1]:4400',
  ])('TRU-04 may be %s', async (host) => {
    expect((await ask(open, '/editors/api/v1/capabilities', { host })).status).toBe(200)
  })

  it('TRU-04 warns once when a proxy is in front of a server that takes itself for a local one', async () => {
    const warnings = (server: TestServer): number =>
      server.logged.filter(({ event }) => event === 'http/proxy-without-origin').length
    await ask(here, '/')
    expect(warnings(here)).toBe(0)
    await ask(here, '/', { 'x-forwarded-for': '203.0.113.9' })
    await ask(here, '/', { via: '1.1 proxy' })
    await ask(here, '/', { host: 'edits.example.com' })
    expect(warnings(here)).toBe(1)
    await ask(open, '/', { 'x-forwarded-for': '203.0.113.9' })
    expect(warnings(open)).toBe(0)
  })

  it('TRU-04 warns once when a proxy is in front that it was not told to trust', async () => {
    const warnings = (): number =>
      open.logged.filter(({ event }) => event === 'http/proxy-not-trusted').length
    const proxied = { host: 'edits.example.com', 'x-forwarded-for': '203.0.113.9' }
    await ask(open, '/', proxied)
    await ask(open, '/', proxied)
    expect(warnings()).toBe(1)
  })

  it('TRU-04 sends a page that is opened by 127.0.0.1 to localhost, and no call', async () => {
    const { port } = here.deps.settings
    expect(here.origin).toBe(`http://localhost:${port}`)
    const { status, headers } = await ask(here, '/edits?sort=nameAsc', { accept: 'text/html' })
    expect([status, headers.location]).toEqual([308, `${here.origin}/edits?sort=nameAsc`])
    const double = await ask(here, '//evil.example/x', { accept: 'text/html' })
    expect([double.status, double.headers.location]).toEqual([
      308,
      `${here.origin}//evil.example/x`,
    ])
    expect((await ask(here, '/editors/api/v1/capabilities')).status).toBe(200)
    expect((await ask(open, '/edits', { accept: 'text/html' })).status).not.toBe(308)
  })
})

describe('an https origin', () => {
  it('TRU-04 binds the cookies that scripts cannot read to this host, and takes no other', async () => {
    const email = 'ada@example.com'
    const json = { 'content-type': 'application/json' }
    const post = (path: string, body: string, headers: Record<string, string> = {}) =>
      ask(open, `/editors/api${path}`, { ...json, ...headers }, { method: 'POST', body })
    const asked = await post('/v1/auth/magic-link/signup', signUpBody(email))
    expect(asked.status).toBe(202)
    const browser = asked.headers['set-cookie']?.[0] ?? ''
    expect(browser).toMatch(/^__Host-onecut_browser=[^;]+; Path=\/; .*HttpOnly; Secure$/)
    const code = /^\s+(\d{6})$/m.exec((await open.lastMail(email))?.text ?? '')?.[1]
    const typed = JSON.stringify({ email, code })
    const bare = browser.replace('__Host-', '').split(';')[0] ?? ''
    const refused = await post('/v1/auth/magic-link/code', typed, { cookie: bare })
    expect(refused.status).toBe(422)
    const signedIn = await post('/v1/auth/magic-link/code', typed, {
      cookie: browser.split(';')[0] ?? '',
    })
    expect(signedIn.status).toBe(200)
    const cookies = signedIn.headers['set-cookie'] ?? []
    expect(cookies.every((line) => line.endsWith('; Secure'))).toBe(true)
    const session = cookies.find((line) => line.includes('onecut_session='))?.split(';')[0] ?? ''
    expect(session).toMatch(/^__Host-/)
    const me = (cookie: string) => ask(open, '/editors/api/v1/users/me', { cookie })
    expect((await me(session)).status).toBe(200)
    // Of a neighbouring subdomain: browsers let it set this name for the whole domain.
    expect((await me(session.replace('__Host-', ''))).status).toBe(401)
  })

  it('TRU-04 is the only one for browsers from then on, with its subdomains', async () => {
    const { headers } = await ask(open, '/editors/api/v1/capabilities')
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    const local = await ask(here, '/editors/api/v1/capabilities')
    expect(local.headers['strict-transport-security']).toBeUndefined()
  })
})

describe('part addresses that were never signed', () => {
  const SENDERS = 300

  it('TRU-04 are refused before their bodies, whose connections are closed however slowly they send', async () => {
    const { port } = here.deps.settings
    const path = `/editors/api/v1/parts/${crypto.randomUUID()}/1?e=9999999999&l=5242880&o=0&s=${'x'.repeat(43)}`
    const head = `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5242880\r\n\r\n`
    const answers: string[] = []
    const closed = new Set<Socket>()
    const senders = Array.from({ length: SENDERS }, () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.once('data', (chunk: Buffer) => answers.push(chunk.toString()))
      socket.once('close', () => closed.add(socket))
      socket.write(head)
      return socket
    })
    const drip = setInterval(() => {
      for (const socket of senders) if (socket.writable) socket.write('x')
    }, 200)
    await expect.poll(() => answers.length).toBe(SENDERS)
    expect(answers.every((answer) => answer.startsWith('HTTP/1.1 403 '))).toBe(true)
    expect((await ask(here, '/editors/api/v1/capabilities')).status).toBe(200)
    await expect.poll(() => closed.size).toBe(SENDERS)
    clearInterval(drip)
  })
})
