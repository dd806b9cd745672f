import { attestation } from '#tests/setup/order.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeJwt } from 'jose'
import { and, eq } from 'drizzle-orm'
import {
  magicLinks,
  securityEvents,
  sessions,
  users,
  walletTransactions,
  wallets,
} from '#server/db/schema.ts'
import { humanToken } from '#tests/fakes/human.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})

const newAddress = (): string => `creator-${crypto.randomUUID()}@example.com`
const ask = (
  client: TestClient,
  kind: 'signup' | 'login',
  email: string,
  more: Record<string, unknown> = {},
) =>
  client.post(`/v1/auth/magic-link/${kind}`, {
    user: { email },
    captchaToken: humanToken,
    redirectUri: '/create-profile',
    ...more,
  })
const linkIn = (text: string): string => /token=([\w-]+)/.exec(text)?.[1] ?? 'no link'
const codeIn = (text: string): string => /^\s+(\d{6})$/m.exec(text)?.[1] ?? 'no code'
const mailTo = async (email: string): Promise<string> =>
  (await server.lastMail(email))?.text ?? 'no mail'
const openLink = (client: TestClient, token: string) =>
  client.get(`/v1/auth/magic-link/callback?token=${token}`)
const press = (client: TestClient, token: string, headers: Record<string, string> = {}) =>
  client.call('POST', '/v1/auth/magic-link/callback', {
    body: new URLSearchParams({ token }),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
// One client address for all tests of this file: the limit of one test must not reach the next.
const nextHour = (): void => {
  now += 61 * MINUTE_MS
}

describe('signing in by link', () => {
  it('AUT-06 opening the link changes nothing, its button signs in, and the second press does not', async () => {
    nextHour()
    const email = newAddress()
    const client = server.createClient()
    expect(await ask(client, 'signup', email)).toMatchObject({
      status: 202,
      bytes: new Uint8Array(),
    })
    const token = linkIn(await mailTo(email))

    const scanner = server.createClient()
    for (const method of ['GET', 'HEAD', 'GET'])
      expect(
        (await scanner.call(method, `/v1/auth/magic-link/callback?token=${token}`)).status,
      ).toBe(200)
    const page = await openLink(client, token)
    const html = new TextDecoder().decode(page.bytes)
    expect(html).toContain('Sign in to Onecut</button>')
    expect(html).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await server.deps.db.select().from(users).where(eq(users.email, email))).toEqual([])

    const phone = server.createClient()
    const pressed = await press(phone, token)
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/create-profile'])
    expect((await phone.get('/v1/users/me')).status).toBe(200)

    for (const again of [
      await press(server.createClient(), token),
      await openLink(client, token),
    ]) {
      expect([again.status, again.headers.get('location')]).toEqual([
        303,
        '/login?problem=auth/link-invalid',
      ])
      expect(again.headers.getSetCookie()).toEqual([])
    }
  })

  it('AUT-06 a link is dead after ten minutes', async () => {
    nextHour()
    const email = newAddress()
    await ask(server.createClient(), 'signup', email)
    const token = linkIn(await mailTo(email))
    now += 10 * MINUTE_MS - 1
    expect((await openLink(server.createClient(), token)).status).toBe(200)
    now += 1
    const dead = await press(server.createClient(), token)
    expect(dead.headers.get('location')).toBe('/login?problem=auth/link-invalid')
  })

  it('AUT-06 a form of another site cannot sign anybody in', async () => {
    nextHour()
    const email = newAddress()
    await ask(server.createClient(), 'signup', email)
    const token = linkIn(await mailTo(email))
    expect(
      (
        await press(server.createClient(), token, {
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
        })
      ).status,
    ).toBe(403)
    expect((await press(server.createClient(), token)).headers.get('location')).toBe(
      '/create-profile',
    )
  })

  it('AUT-10 pressing the same and other links of a new address at the same time makes one account with 1,000 tokens', async () => {
    nextHour()
    const email = newAddress()
    const tokens: string[] = []
    for (let index = 0; index < 3; index += 1) {
      await ask(server.createClient(), 'signup', email)
      tokens.push(linkIn(await mailTo(email)))
      now += 1000
    }
    const pressed = await Promise.all(
      [...tokens, ...tokens].map((token) => press(server.createClient(), token)),
    )
    expect(pressed.filter((one) => one.headers.get('location') === '/create-profile')).toHaveLength(
      3,
    )
    const accounts = await server.deps.db.select().from(users).where(eq(users.email, email))
    expect(accounts).toHaveLength(1)
    const booked = await server.deps.db
      .select({ transaction: walletTransactions, wallet: wallets })
      .from(walletTransactions)
      .innerJoin(wallets, eq(wallets.id, walletTransactions.walletId))
      .where(eq(wallets.userId, accounts[0]!.id))
    expect(booked).toHaveLength(1)
    expect(booked[0]).toMatchObject({
      wallet: { kind: 'trial' },
      transaction: { kind: 'trial-grant', coinAmount: 1000 },
    })
    expect(booked[0]?.transaction.coinsExpireAfterAt).toEqual(accounts[0]?.trialEndsAt)
    expect(accounts[0]!.trialEndsAt.getTime() - accounts[0]!.createdAt.getTime()).toBe(7 * DAY_MS)
  })
})

describe('signing in by code', () => {
  it('AUT-06 the code works once, only in the browser that asked, and ends the link', async () => {
    nextHour()
    const email = newAddress()
    const client = server.createClient()
    await ask(client, 'signup', email)
    const mail = await mailTo(email)
    const code = codeIn(mail)
    const stranger = server.createClient()
    await ask(stranger, 'login', newAddress())
    expect(await stranger.post('/v1/auth/magic-link/code', { email, code })).toMatchObject({
      status: 422,
      body: { error: { code: 'auth/code-invalid' } },
    })
    expect(
      await client.post('/v1/auth/magic-link/code', { email: email.toUpperCase(), code }),
    ).toMatchObject({ status: 200, body: { user: { email }, redirectUri: '/create-profile' } })
    expect((await client.post('/v1/auth/magic-link/code', { email, code })).status).toBe(422)
    expect((await openLink(client, linkIn(mail))).status).toBe(303)
  })

  it('AUT-06 after five wrong tries even the right code is refused', async () => {
    nextHour()
    const email = newAddress()
    const client = server.createClient()
    await ask(client, 'signup', email)
    const code = codeIn(await mailTo(email))
    const wrong = code === '000000' ? '000001' : '000000'
    const codes: unknown[] = []
    for (let index = 0; index < 5; index += 1)
      codes.push(
        (
          await client.post<{ error: { code: string } }>('/v1/auth/magic-link/code', {
            email,
            code: wrong,
          })
        ).body.error.code,
      )
    expect(codes).toEqual([
      'auth/code-wrong',
      'auth/code-wrong',
      'auth/code-wrong',
      'auth/code-wrong',
      'auth/code-invalid',
    ])
    expect((await client.post('/v1/auth/magic-link/code', { email, code })).status).toBe(422)
  })

  it('AUT-06 after fifteen wrong codes in a day new browsers need the link, and known ones do not', async () => {
    nextHour()
    const email = newAddress()
    const mine = server.createClient()
    await ask(mine, 'signup', email)
    await mine.post('/v1/auth/magic-link/code', { email, code: codeIn(await mailTo(email)) })
    const tryCode = async (client: TestClient, code: string): Promise<unknown[]> => {
      const { status, body } = await client.post<{ error?: { code: string; message: string } }>(
        '/v1/auth/magic-link/code',
        { email, code },
      )
      return [status, body.error?.code, body.error?.message]
    }
    for (let mail = 0; mail < 3; mail += 1) {
      const stranger = server.createClient()
      await ask(stranger, 'login', email)
      const wrong = codeIn(await mailTo(email)) === '000000' ? '000001' : '000000'
      for (let index = 0; index < 5; index += 1) await tryCode(stranger, wrong)
    }
    nextHour()
    const phone = server.createClient()
    await ask(phone, 'login', email)
    const mail = await mailTo(email)
    expect(await tryCode(phone, codeIn(mail))).toEqual([
      422,
      'auth/code-invalid',
      expect.stringContaining('use the link'),
    ])
    expect((await press(phone, linkIn(mail))).headers.get('location')).toBe('/create-profile')
    await ask(mine, 'login', email)
    expect((await tryCode(mine, codeIn(await mailTo(email))))[0]).toBe(200)
    const [user] = await server.deps.db.select().from(users).where(eq(users.email, email))
    const refused = eq(securityEvents.event, 'code-refused')
    expect(
      await server.deps.db.$count(
        securityEvents,
        and(refused, eq(securityEvents.userId, user?.id ?? '')),
      ),
    ).toBe(16)
    now += DAY_MS
    const tablet = server.createClient()
    await ask(tablet, 'login', email)
    expect((await tryCode(tablet, codeIn(await mailTo(email))))[0]).toBe(200)
  })

  it('AUT-05 trying codes does not reveal whether an address has an account', async () => {
    nextHour()
    const known = (await server.signUp()).email
    const answers: unknown[] = []
    for (const email of [known, newAddress()]) {
      const client = server.createClient()
      await ask(client, 'login', email)
      const right = codeIn(await mailTo(email))
      answers.push(
        (
          await client.post('/v1/auth/magic-link/code', {
            email,
            code: right === '123456' ? '654321' : '123456',
          })
        ).body,
      )
    }
    expect(answers[0]).toEqual(answers[1])
  })
})

describe('asking for a mail', () => {
  it('AUT-05 known and unknown addresses get the same answer, and the right mail', async () => {
    nextHour()
    const known = (await server.signUp()).email
    const unknown = newAddress()
    const client = server.createClient()
    const answers = [
      await ask(client, 'login', known),
      await ask(client, 'login', unknown),
      await ask(client, 'signup', known),
    ]
    for (const answer of answers) expect([answer.status, answer.bytes.length]).toEqual([202, 0])
    expect(await mailTo(unknown)).toContain('/signup')
    expect(await mailTo(unknown)).not.toContain('token=')
    expect((await server.lastMail(known))?.subject).toBe('Your Onecut login')
    expect(await server.deps.db.select().from(users).where(eq(users.email, unknown))).toEqual([])
  })

  it('AUT-03 the plus rule holds at sign-up and never at log-in', async () => {
    nextHour()
    const email = newAddress().replace('@', '+tag@')
    const client = server.createClient()
    expect(await ask(client, 'signup', email)).toMatchObject({
      status: 422,
      body: { error: { fields: { 'user.email': 'Email address cannot contain "+" character' } } },
    })
    expect((await ask(client, 'login', email)).status).toBe(202)
  })

  it('AUT-04 an unsolved human check is refused and sends nothing', async () => {
    nextHour()
    const email = newAddress()
    expect(
      await ask(server.createClient(), 'signup', email, { captchaToken: 'a-script' }),
    ).toMatchObject({
      status: 422,
      body: {
        error: {
          code: 'human/not-verified',
          fields: { captchaToken: 'Please complete the captcha' },
        },
      },
    })
    expect(await server.lastMail(email)).toBeNull()
  })

  it('AUT-05 a redirect to another site is 400', async () => {
    nextHour()
    expect(
      await ask(server.createClient(), 'login', newAddress(), { redirectUri: '//evil.example/' }),
    ).toMatchObject({ status: 400, body: { error: { code: 'auth/redirect-not-allowed' } } })
  })

  it('AUT-05 the sixth mail to an address within an hour is 429, and waiting as told helps', async () => {
    nextHour()
    const email = newAddress()
    const client = server.createClient()
    const statuses = await Promise.all(
      Array.from({ length: 7 }, async () => (await ask(client, 'login', email)).status),
    )
    expect(statuses.toSorted()).toEqual([202, 202, 202, 202, 202, 429, 429])
    const refused = await ask(client, 'login', email)
    const waitS = Number(refused.headers.get('retry-after'))
    expect(waitS).toBeGreaterThan(3500)
    now += waitS * 1000
    expect((await ask(client, 'login', email)).status).toBe(202)
  })

  it('AUT-05 the twenty-first request of one client within an hour is 429', async () => {
    nextHour()
    const client = server.createClient()
    for (let index = 0; index < 20; index += 1)
      expect((await ask(client, 'login', newAddress())).status).toBe(202)
    expect((await ask(client, 'login', newAddress())).status).toBe(429)
  })
})

describe('sessions', () => {
  it('APP-18 the readable cookie shows who is signed in; the session cookie is HttpOnly and stored only as a hash', async () => {
    nextHour()
    const email = newAddress()
    const client = server.createClient()
    await ask(client, 'signup', email)
    const pressed = await press(client, linkIn(await mailTo(email)))
    const cookies = new Map(
      pressed.headers.getSetCookie().map((line) => [line.split('=', 1)[0], line]),
    )
    expect(cookies.get('onecut_session')).toMatch(/HttpOnly/)
    for (const name of ['editorUserAuthJwt', 'XSRF-TOKEN'])
      expect(cookies.get(name)).not.toMatch(/HttpOnly/)
    for (const line of cookies.values()) expect(line).toMatch(/SameSite=Lax/)
    const { user } = decodeJwt<{ user: { _id: string; email: string; permissions: string[] } }>(
      client.cookies.get('editorUserAuthJwt')!,
    )
    expect(user).toMatchObject({
      email,
      permissions: expect.arrayContaining(['create:orders']) as unknown,
    })
    const stored = JSON.stringify([
      await server.deps.db.select().from(sessions),
      await server.deps.db.select().from(magicLinks),
    ])
    expect(stored).not.toContain(client.cookies.get('onecut_session'))
  })

  it('APP-19 permissions follow the database: when the trial ends, the next call shows it and ordering is refused', async () => {
    nextHour()
    const { client } = await server.signUp()
    now += 8 * DAY_MS
    const me = await client.get<{ user: { permissions: string[] }; flags: { isInTrial: boolean } }>(
      '/v1/users/me',
    )
    expect(me.body.user.permissions).not.toContain('create:orders')
    expect(me.body.flags.isInTrial).toBe(false)
    const shown = decodeJwt<{ user: { permissions: string[] } }>(
      client.cookies.get('editorUserAuthJwt')!,
    )
    expect(shown.user.permissions).toEqual(me.body.user.permissions)
    expect(
      (await client.get<{ wallets: { spendableCoinAmount: number }[] }>('/v1/wallets')).body
        .wallets[0]?.spendableCoinAmount,
    ).toBe(0)
    expect(
      await client.post('/v1/orders', { order: { mediaJobId: crypto.randomUUID(), attestation } }),
    ).toMatchObject({ status: 403, body: { error: { code: 'auth/permission-missing' } } })
  })

  it('APP-18 a forged display cookie is never believed', async () => {
    nextHour()
    const { client, userId } = await server.signUp()
    const forged = [
      { alg: 'none' },
      { user: { _id: userId, email: 'x@example.com', permissions: ['create:everything'] } },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    client.cookies.set('editorUserAuthJwt', `${forged}.`)
    const me = await client.get<{ user: { permissions: string[] } }>('/v1/users/me')
    expect(me.body.user.permissions).not.toContain('create:everything')
    expect(client.cookies.get('editorUserAuthJwt')).not.toBe(`${forged}.`)
    const outsider = server.createClient()
    outsider.cookies.set('editorUserAuthJwt', client.cookies.get('editorUserAuthJwt')!)
    expect((await outsider.get('/v1/users/me')).status).toBe(401)
  })

  it('AUT-06 a session lives sixty days from its last use', async () => {
    nextHour()
    const { client } = await server.signUp()
    now += 25 * DAY_MS
    expect((await client.get('/v1/users/me')).status).toBe(200)
    // Before its absolute end.
    now += 60 * DAY_MS
    expect((await client.get('/v1/users/me')).status).toBe(401)
  })

  it('AUT-07 signing out ends the session on the server and removes its cookies', async () => {
    nextHour()
    const { client } = await server.signUp()
    const stolen = client.cookies.get('onecut_session')!
    const left = await client.delete('/v1/auth/logout')
    expect(left.status).toBe(204)
    // Neither the storage, where other accounts wait, nor cookies of the domain's other hosts.
    expect(left.headers.get('clear-site-data')).toBe('"cache"')
    for (const name of ['onecut_session', 'editorUserAuthJwt', 'XSRF-TOKEN'])
      expect(client.cookies.has(name)).toBe(false)
    const thief = server.createClient()
    thief.cookies.set('onecut_session', stolen)
    expect((await thief.get('/v1/users/me')).status).toBe(401)
  })
})

describe('profile', () => {
  it('AUT-12 the profession is null until chosen, keeps the three values, and belongs to its owner', async () => {
    nextHour()
    const { client, userId } = await server.signUp()
    const other = await server.signUp()
    expect((await client.get(`/v1/users/${userId}/profile`)).body).toEqual({
      userProfile: {
        profession: null,
        mailsOff: [],
        pushesOff: [],
        mailsNameVideos: false,
        discreet: false,
        deleteSourcesAfterDays: null,
      },
    })
    for (const profession of ['Creator/Model', 'Video Editor', 'Other']) {
      expect(
        await client.patch(`/v1/${userId}/profile`, { userProfile: { profession } }),
      ).toMatchObject({ status: 200, body: { userProfile: { profession } } })
      expect((await client.get(`/v1/users/${userId}/profile`)).body).toEqual({
        userProfile: {
          profession,
          mailsOff: [],
          pushesOff: [],
          mailsNameVideos: false,
          discreet: false,
          deleteSourcesAfterDays: null,
        },
      })
    }
    expect(
      await client.patch(`/v1/${userId}/profile`, { userProfile: { profession: 'Pirate' } }),
    ).toMatchObject({ status: 422 })
    expect((await client.get(`/v1/users/${other.userId}/profile`)).status).toBe(404)
    expect(
      (await client.patch(`/v1/${other.userId}/profile`, { userProfile: { profession: 'Other' } }))
        .status,
    ).toBe(404)
  })
})
