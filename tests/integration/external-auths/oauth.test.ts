import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { externalAuths } from '#server/db/schema.ts'
import { DriveFault } from '#server/drives/port.ts'
import { revokeDisconnected } from '#server/operations/accounts/external-auths/disconnect.ts'
import { freshToken } from '#server/operations/accounts/external-auths/tokens.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { startFakeGoogle, type Consent, type FakeGoogle } from '#tests/fakes/google/server.ts'
import { connectDrive, goToGoogle } from '#tests/setup/drive.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type ExternalAuth = components['schemas']['ExternalAuth']
interface ErrorBody {
  readonly error?: { readonly code: string; readonly message: string }
}

const MINUTE_MS = 60_000
const LOGIN = '/v1/external-auth/google-oauth/login'
let google: FakeGoogle
let server: TestServer
let me: SignedUp
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  google = await startFakeGoogle()
  server = await startTestServer({ clock: () => new Date(now), google })
})
beforeEach(async () => {
  now += 5 * MINUTE_MS
  me = await server.signUp()
  google.email = 'mara@gmail.example'
  google.accessLifeS = 3599
  google.asked.length = 0
})
afterAll(async () => {
  await server.stop()
  await google.stop()
})

const list = async (fresh = false): Promise<readonly ExternalAuth[]> =>
  (
    await me.client.get<{ externalAuths: readonly ExternalAuth[] }>(
      `/v1/external-auths${fresh ? '?withFreshTokens=true' : ''}`,
    )
  ).body.externalAuths
const connect = async (consent?: Consent): Promise<string> =>
  await connectDrive(me.client, google, consent)
const asksFor = (path: string): number => google.asked.filter((line) => line === path).length
const tokenOf = async (externalAuthId: string, worthless: string | null = null): Promise<string> =>
  await freshToken(server.deps, { externalAuthId, userId: me.userId, worthless })

describe('connecting a drive', () => {
  it('CLD-05 asks for the drive with PKCE and state, and comes back with the id of the connection', async () => {
    const login = await goToGoogle(me.client, {
      landing: `${server.deps.settings.publicOrigin}/external-auths`,
    })
    expect(Object.fromEntries(login.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'https://www.googleapis.com/auth/drive.file',
      access_type: 'offline',
      prompt: 'consent',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      redirect_uri: `${server.deps.settings.publicOrigin}/editors/drive/google`,
    })
    const back = await google.answer(login.href)
    const answer = await me.client.get(back.pathname + back.search)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const landing = new URL(answer.headers.get('location') ?? '', 'http://here')
    const [connected] = await list()
    expect(landing.pathname).toBe('/external-auths')
    expect(Object.fromEntries(landing.searchParams)).toEqual({ externalAuthId: connected?._id })
    expect(connected).toEqual({
      _id: connected?._id,
      createdAt: new Date(now).toISOString(),
      disconnectedAt: null,
      externalAuthCredentials: {
        provider: 'google-oauth',
        googleAccountEmail: 'mara@gmail.example',
        hasDownloadFilePermission: true,
        hasSaveFilePermission: true,
        isDisconnected: false,
        refreshTokenIsExpired: false,
        latestAccessToken: null,
      },
    })
  })

  it.each([
    ['https://evil.example/external-auths'],
    ['//evil.example/external-auths'],
    ['/\\evil.example'],
    ['/external-auths?next=https://evil.example'],
    ['/external-auths/../login'],
    ['javascript:alert(1)'],
    ['/edits'],
  ])('CLD-05 goes to no other page than its two: %s', async (landing) => {
    const query = new URLSearchParams({ externalAuthRedirectUri: landing })
    const answer = await me.client.get<ErrorBody>(`${LOGIN}?${query.toString()}`)
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'request/invalid'])
    expect(answer.headers.get('location')).toBeNull()
  })

  it('CLD-05 leads who is signed out to the first page', async () => {
    const query = new URLSearchParams({ externalAuthRedirectUri: '/external-auths' })
    const answer = await server.createClient().get(`${LOGIN}?${query.toString()}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
  })

  const comeBack = async (address: URL, client = me.client): Promise<string> =>
    (await client.get(address.pathname + address.search)).headers.get('location') ?? ''
  const EXPIRED = '/external-auths?externalAuthError=expired'

  it('CLD-05 takes a state once', async () => {
    const back = await google.answer((await goToGoogle(me.client)).href)
    expect(await comeBack(back)).toMatch(/^\/external-auths\?externalAuthId=/)
    expect(await comeBack(back)).toBe(EXPIRED)
    expect(asksFor('POST /token')).toBe(1)
  })

  it('CLD-05 takes no state but its own, of its own session, in time', async () => {
    const back = await google.answer((await goToGoogle(me.client)).href)
    const forged = new URL(back)
    forged.searchParams.set('state', 'x'.repeat(43))
    expect(await comeBack(forged)).toBe(EXPIRED)
    const stranger = await server.signUp()
    expect(await comeBack(back, stranger.client)).toBe(EXPIRED)
    expect(await comeBack(back, server.createClient())).toBe('/')
    now += 11 * MINUTE_MS
    expect(await comeBack(back)).toBe(EXPIRED)
    expect(await list()).toEqual([])
    expect(asksFor('POST /token')).toBe(0)
  })

  it('CLD-05 says when the person did not agree, and when Google does not answer', async () => {
    const refused = await google.answer((await goToGoogle(me.client)).href, { decision: 'deny' })
    expect(await comeBack(refused)).toBe('/external-auths?externalAuthError=refused')
    google.tokenTroubles.push(503)
    const away = await google.answer((await goToGoogle(me.client)).href)
    expect(await comeBack(away)).toBe('/external-auths?externalAuthError=away')
    expect(await list()).toEqual([])
  })

  it('CLD-05 redeems no code that another browser was given', async () => {
    const theirs = await google.answer((await goToGoogle((await server.signUp()).client)).href)
    const mine = await google.answer((await goToGoogle(me.client)).href)
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '')
    expect(await comeBack(mine)).toBe(EXPIRED)
    expect(await list()).toEqual([])
  })

  it('INT-02 shows a connection without the right to download as what it is', async () => {
    await connect({ scopes: 'openid' })
    expect((await list())[0]?.externalAuthCredentials).toMatchObject({
      hasDownloadFilePermission: false,
      googleAccountEmail: null,
    })
  })

  it('INT-01 keeps one connection of an account of Google, and ten at most', async () => {
    const first = await connect()
    expect(await connect()).toBe(first)
    for (let n = 2; n <= 10; n += 1) {
      google.email = `mara-${n}@gmail.example`
      await connect()
    }
    google.email = 'mara-11@gmail.example'
    const back = await google.answer((await goToGoogle(me.client)).href)
    expect(await comeBack(back)).toBe('/external-auths?externalAuthError=too-many')
    expect(await list()).toHaveLength(10)
    await me.client.delete(`/v1/external-auths/${first}`)
    await connect()
    expect((await list()).map(({ _id }) => _id)).not.toContain(first)
  })

  it('CLD-05 counts visits to Google', async () => {
    for (let n = 0; n < 30; n += 1) await goToGoogle(me.client)
    const query = new URLSearchParams({ externalAuthRedirectUri: '/external-auths' })
    const answer = await me.client.get<ErrorBody>(`${LOGIN}?${query.toString()}`)
    expect([answer.status, answer.body.error?.code]).toEqual([429, 'request/too-many'])
  })
})

describe('tokens of a drive', () => {
  it('CLD-04 refreshes once, however many ask at the same time', async () => {
    const id = await connect()
    now += 60 * MINUTE_MS
    const tokens = await Promise.all(Array.from({ length: 6 }, () => tokenOf(id)))
    expect(new Set(tokens).size).toBe(1)
    expect(asksFor('POST /token')).toBe(2)
  })

  it('CLD-04 replaces a token that the drive refuses, and only that one', async () => {
    const id = await connect()
    const first = await tokenOf(id)
    const second = await tokenOf(id, first)
    expect(second).not.toBe(first)
    expect(await tokenOf(id, first)).toBe(second)
    expect(asksFor('POST /token')).toBe(2)
  })

  it('CLD-03 says that Google must be connected again once it takes the refresh token no more', async () => {
    const id = await connect()
    google.removeAccess()
    now += 60 * MINUTE_MS
    await expect(tokenOf(id)).rejects.toMatchObject({ code: 'external-auths/refresh-expired' })
    expect((await list(true))[0]?.externalAuthCredentials.refreshTokenIsExpired).toBe(true)
    // It is not asked again and again for what it refused.
    expect(asksFor('POST /token')).toBe(2)
    expect(await connect()).toBe(id)
    expect((await list(true))[0]?.externalAuthCredentials.refreshTokenIsExpired).toBe(false)
    expect(await tokenOf(id)).toMatch(/^ya29/)
  })

  it('CLD-03 says that the authorization could not be refreshed while Google does not answer', async () => {
    const id = await connect()
    now += 60 * MINUTE_MS
    google.tokenTroubles.push(500)
    await expect(tokenOf(id)).rejects.toMatchObject({
      code: 'external-auths/away',
      message: 'Could not refresh Google Drive authorization. Please try again.',
    })
    expect((await list())[0]?.externalAuthCredentials.refreshTokenIsExpired).toBe(false)
    expect(await tokenOf(id)).toMatch(/^ya29/)
  })

  it('CLD-04 shows no token in an answer, in the database, or in the log', async () => {
    const id = await connect()
    now += 60 * MINUTE_MS
    const answers = JSON.stringify([await list(true), await list()])
    const { rows } = await server.deps.db.execute<{ dump: string }>(sql`
      select coalesce(string_agg(t::text, ' '), '') as dump from (
        select to_jsonb(e) as t from external_auths e
        union all select to_jsonb(s) from oauth_states s
        union all select to_jsonb(i) from idempotent_answers i
        union all select to_jsonb(v) from security_events v) as every`)
    const everywhere = answers + (rows[0]?.dump ?? '') + JSON.stringify(server.logged)
    expect(everywhere).toContain(id)
    expect(google.tokens.filter((token) => everywhere.includes(token))).toEqual([])
    expect(google.tokens.length).toBeGreaterThan(3)
  })

  it('SAF-05 a stranger sees and ends no drive of another person', async () => {
    const id = await connect()
    const stranger = await server.signUp()
    const answer = await stranger.client.delete<ErrorBody>(`/v1/external-auths/${id}`)
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'external-auths/not-found'])
    await expect(
      freshToken(server.deps, { externalAuthId: id, userId: stranger.userId }),
    ).rejects.toMatchObject({ code: 'external-auths/not-found' })
  })
})

describe('disconnecting a drive', () => {
  it('INT-03 makes its tokens worthless at Google and forgets them', async () => {
    const id = await connect()
    const token = await tokenOf(id)
    const answer = await me.client.delete(`/v1/external-auths/${id}`)
    expect(answer.status).toBe(204)
    expect(google.revoked.at(-1)).toMatch(/^1\/\/refresh/)
    await expect(server.deps.googleDrive?.readEmail(token)).rejects.toBeInstanceOf(DriveFault)
    const [row] = await server.deps.db
      .select()
      .from(externalAuths)
      .where(sql`id = ${id}`)
    expect(row).toMatchObject({ accessCipher: null, refreshCipher: null })
    expect((await list())[0]).toMatchObject({
      disconnectedAt: new Date(now).toISOString(),
      externalAuthCredentials: { isDisconnected: true, refreshTokenIsExpired: false },
    })
    await expect(tokenOf(id)).rejects.toMatchObject({ code: 'external-auths/not-found' })
    expect((await me.client.delete(`/v1/external-auths/${id}`)).status).toBe(204)
    expect(asksFor('POST /revoke')).toBe(1)
  })

  it('INT-03 asks Google again later where it did not answer', async () => {
    const id = await connect()
    google.revokeTroubles.push(503)
    expect((await me.client.delete(`/v1/external-auths/${id}`)).status).toBe(204)
    await expect(tokenOf(id)).rejects.toMatchObject({ code: 'external-auths/not-found' })
    const before = google.revoked.length
    await revokeDisconnected(server.deps)
    await revokeDisconnected(server.deps)
    expect(google.revoked.length).toBe(before + 1)
  })

  it('INT-01 a drive that is connected again begins again', async () => {
    const id = await connect()
    await me.client.delete(`/v1/external-auths/${id}`)
    now += MINUTE_MS
    expect(await connect()).toBe(id)
    expect((await list())[0]).toMatchObject({
      createdAt: new Date(now).toISOString(),
      disconnectedAt: null,
    })
  })

  it('CLD-05 the sweep forgets logins that were not finished', async () => {
    await goToGoogle(me.client)
    now += 11 * MINUTE_MS
    await sweep(server.deps)
    const { rows } = await server.deps.db.execute<{ n: number }>(
      sql`select count(*)::int as n from oauth_states`,
    )
    expect(rows[0]?.n).toBe(0)
  })
})

it('CLD-05 without keys nothing is offered, and the list is empty', async () => {
  const plain = await startTestServer()
  const person = await plain.signUp()
  const capabilities = (
    await person.client.get<{
      capabilities: { areas: { externalAuths: boolean }; uploads: { drivePicker: unknown } }
    }>('/v1/capabilities')
  ).body.capabilities
  expect([capabilities.areas.externalAuths, capabilities.uploads.drivePicker]).toEqual([
    false,
    null,
  ])
  expect((await person.client.get('/v1/external-auths')).body).toEqual({ externalAuths: [] })
  const answer = await person.client.get<ErrorBody>(`${LOGIN}?externalAuthRedirectUri=/uploads/new`)
  expect(answer.status).toBe(501)
  expect(answer.body.error).toMatchObject({
    code: 'system/not-built',
    message: 'Google Drive is not available here. Upload the video from your device instead.',
  })
  await plain.stop()
})
