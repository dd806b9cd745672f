import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SECURITY_EVENT_DAYS } from '#server/db/security-log.ts'
import { securityEvents } from '#server/db/schema.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { runOperator } from '#server/operator/commands.ts'
import { createFakePasskey, type FakePasskey } from '#tests/fakes/authenticator.ts'
import { humanToken } from '#tests/fakes/human.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { expectPasskeyAdded } from '#tests/setup/passkeys.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})

const signUp = async (): Promise<SignedUp> => {
  // Everybody comes from one address.
  now += 3_700_000
  return await server.signUp()
}
const operator = async (...args: string[]) =>
  await runOperator({ ...server.deps, actor: 'operator:test' }, args)
const eventsOf = async (userId: string) =>
  (
    await server.deps.db
      .select()
      .from(securityEvents)
      .where(eq(securityEvents.userId, userId))
      .orderBy(asc(securityEvents.id))
  ).map(({ event, facts }) => ({ event, ...facts }))

/** Asks for a mail in a new browser, as far as its code. */
async function askForCode(
  email: string,
): Promise<{ client: TestClient; code: string; link: string }> {
  const client = server.createClient()
  const body = { user: { email }, captchaToken: humanToken, redirectUri: '/' }
  await client.post('/v1/auth/magic-link/login', body)
  const text = (await server.lastMail(email))?.text ?? ''
  return {
    client,
    code: /^\s+(\d{6})$/m.exec(text)?.[1] ?? '',
    link: /token=([\w-]+)/.exec(text)?.[1] ?? '',
  }
}

it('TRU-06 tells sign-ins, passkeys, forged writes and foreign ids apart, by ids alone', async () => {
  const [me, other] = [await signUp(), await signUp()]
  await expectPasskeyAdded(server, me.client, createFakePasskey())
  await me.client.delete('/v1/users/me/sessions', { headers: { 'x-xsrf-token': 'forged' } })
  const { sessions } = (
    await other.client.get<{ sessions: { _id: string }[] }>('/v1/users/me/sessions')
  ).body
  const { wallets } = (await other.client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
  await me.client.delete(`/v1/users/me/sessions/${sessions[0]?._id}`)
  await me.client.get(`/v1/wallets/${wallets[0]?._id}/wallet-coin-transactions`)
  // An id of no row is no attempt at a foreign one.
  await me.client.delete(`/v1/users/me/sessions/${crypto.randomUUID()}`)
  await me.client.delete('/v1/users/me/sessions')
  await me.client.delete('/v1/auth/logout')
  expect(await eventsOf(me.userId)).toEqual([
    { event: 'signed-in', by: 'code' },
    { event: 'passkey-added' },
    { event: 'xsrf-refused', operation: 'endOtherSessions' },
    { event: 'foreign-id', operation: 'endSession', of: other.userId },
    { event: 'foreign-id', operation: expect.stringMatching(/wallet/i), of: other.userId },
    { event: 'signed-out', which: 'others' },
    { event: 'signed-out', which: 'this' },
  ])
  const all = JSON.stringify(await server.deps.db.select().from(securityEvents))
  for (const secret of [me.email, other.email, '127.0.0.1']) expect(all).not.toContain(secret)
})

it('TRU-06 a stranger who tries codes is seen, and fills nothing', async () => {
  now += 3_700_000
  const { client } = await askForCode('stranger@example.com')
  const before = await server.deps.db.$count(securityEvents)
  for (let number = 0; number < 120; number += 1)
    await client.post('/v1/auth/magic-link/code', {
      email: 'stranger@example.com',
      code: '000000',
    })
  const { lines } = await operator('log', '--event', 'code-refused', '--limit', '1')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    event: 'code-refused',
    userId: null,
    client: expect.stringMatching(/^[\da-f]{16}$/) as string,
    operation: 'signInByMagicLinkCode',
  })
  expect((await server.deps.db.$count(securityEvents)) - before).toBe(100)
})

it('TRU-06 a locked account is signed out, cannot sign in, is told so, and comes back', async () => {
  const me = await signUp()
  const passkey = createFakePasskey()
  await expectPasskeyAdded(server, me.client, passkey)
  now += 3_700_000
  expect(await operator('lock', me.email)).toMatchObject({ isDone: true })
  expect((await me.client.get('/v1/users/me')).status).toBe(401)

  const { client, code, link } = await askForCode(me.email)
  const typed = await client.post('/v1/auth/magic-link/code', { email: me.email, code })
  expect([typed.status, typed.body]).toMatchObject([
    403,
    { error: { code: 'auth/account-locked' } },
  ])
  const opened = await client.post('/v1/auth/magic-link/callback', { token: link })
  expect(opened.headers.get('location')).toBe('/login?problem=auth/account-locked')
  const tap = async (device: FakePasskey) => {
    const { options } = (
      await client.post<{ options: { challenge: string; rpId: string } }>(
        '/v1/auth/passkey/options',
      )
    ).body
    const credential = device.get({ ...options, origin: server.origin })
    return await client.post('/v1/auth/passkey', { credential: { ...credential, id: passkey.id } })
  }
  const forged = await tap(createFakePasskey())
  expect([forged.status, forged.body]).toMatchObject([
    422,
    { error: { code: 'auth/passkey-refused' } },
  ])
  const tapped = await tap(passkey)
  expect([tapped.status, tapped.body]).toMatchObject([
    403,
    { error: { code: 'auth/account-locked' } },
  ])

  expect(await operator('unlock', me.userId)).toMatchObject({ isDone: true })
  const again = await client.post('/v1/auth/magic-link/code', { email: me.email, code })
  expect(again.status).toBe(200)
  expect(await eventsOf(me.userId)).toEqual([
    { event: 'signed-in', by: 'code' },
    { event: 'passkey-added' },
    { event: 'account-locked' },
    { event: 'locked-refused', by: 'code' },
    { event: 'locked-refused', by: 'link' },
    { event: 'locked-refused', by: 'passkey' },
    { event: 'account-unlocked' },
    { event: 'signed-in', by: 'code' },
    { event: 'new-device' },
  ])
})

it('TRU-06 the operator sees accounts, leaves a trace, and learns what was wrong with a command', async () => {
  const me = await signUp()
  const { lines } = await operator('account', me.email)
  expect(lines).toEqual(
    expect.arrayContaining([`id        ${me.userId}`, 'state     open', 'devices   1']),
  )
  expect((await operator('accounts', '--limit', '1')).lines[0]).toContain(me.email)
  expect(await eventsOf(me.userId)).toContainEqual({ event: 'operator-looked' })
  expect((await operator()).lines.join('\n')).toContain('unlock NAME')
  for (const [args, sentence] of [
    [['lock'], /Say which account/],
    [['lock', 'none@example.com'], /no account "none@example.com"/],
    [['log', '--event', 'x'], /no event "x"/],
    [['accounts', '--limit', '0'], /--limit is "0"/],
    [['accounts', '--all'], /--all/],
    [['open'], /no command "open"/],
  ] as const) {
    const answer = await operator(...args)
    expect([args, answer.isDone, answer.lines[0]]).toEqual([
      args,
      false,
      expect.stringMatching(sentence),
    ])
  }
})

it(`TRU-06 events are kept for ${SECURITY_EVENT_DAYS} days`, async () => {
  const me = await signUp()
  now += (SECURITY_EVENT_DAYS - 1) * 86_400_000
  await sweep(server.deps)
  expect(await eventsOf(me.userId)).toHaveLength(1)
  now += 2 * 86_400_000
  await sweep(server.deps)
  expect(await eventsOf(me.userId)).toEqual([])
})
