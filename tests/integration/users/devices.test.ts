import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { mails } from '#server/db/schema.ts'
import { humanToken } from '#tests/fakes/human.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Session = components['schemas']['Session']

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const SESSIONS = '/v1/users/me/sessions'

let server: TestServer
let me: SignedUp
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
  me = await server.signUp()
})
afterAll(async () => {
  await server.stop()
})

async function logIn(userAgent: string, client = server.createClient()): Promise<TestClient> {
  const asked = await client.post('/v1/auth/magic-link/login', {
    user: { email: me.email },
    captchaToken: humanToken,
    redirectUri: '/',
  })
  expect(asked.status).toBe(202)
  const code = /^\s+(\d{6})$/m.exec((await server.lastMail(me.email))?.text ?? '')?.[1]
  const headers = { 'user-agent': userAgent }
  const done = await client.post('/v1/auth/magic-link/code', { email: me.email, code }, { headers })
  expect(done.status).toBe(200)
  return client
}
const devices = async (client: TestClient): Promise<Session[]> =>
  (await client.get<{ sessions: Session[] }>(SESSIONS)).body.sessions
const status = async (client: TestClient): Promise<number> =>
  (await client.get('/v1/users/me')).status

it('LIF-01 lists the devices that are signed in, this one first, and signs each out', async () => {
  now += 2 * 3_600_000
  const laptop = await logIn(FIREFOX)
  expect(await devices(laptop)).toEqual([
    expect.objectContaining({ deviceName: 'Firefox on Linux', isCurrent: true }),
    expect.objectContaining({ isCurrent: false }),
  ])
  const [own, other] = await devices(me.client)
  expect([own?.isCurrent, other?.deviceName]).toEqual([true, 'Firefox on Linux'])
  expect(other?.lastSeenAt).toBe(new Date(now).toISOString())
  expect((await me.client.delete(`${SESSIONS}/${other?._id}`)).status).toBe(204)
  expect([await status(laptop), await status(me.client)]).toEqual([401, 200])
  expect((await me.client.delete(`${SESSIONS}/${other?._id}`)).status).toBe(404)
  expect(await devices(me.client)).toEqual([own])
})

it('LIF-01 signs all other devices out at once, and leaves other people alone', async () => {
  now += 3_700_000
  const stranger = await server.signUp()
  const others = [await logIn(FIREFOX), await logIn(FIREFOX)]
  for (const attempt of [1, 2])
    expect([attempt, (await me.client.delete(SESSIONS)).status]).toEqual([attempt, 204])
  for (const client of others) expect(await status(client)).toBe(401)
  expect([await status(me.client), await status(stranger.client)]).toEqual([200, 200])
  expect(await devices(me.client)).toHaveLength(1)
})

it('LIF-01 lists no session that is over', async () => {
  await logIn(FIREFOX)
  now += 59 * 86_400_000
  expect(await status(me.client)).toBe(200)
  now += 2 * 86_400_000
  expect(await devices(me.client)).toHaveLength(1)
})

it('TRU-05 a device logs in again after 90 days, however often it is used', async () => {
  const device = await logIn(FIREFOX)
  for (let day = 0; day < 89; day += 30) {
    expect(await status(device)).toBe(200)
    now += 29 * 86_400_000
  }
  expect(await status(device)).toBe(200)
  now += 4 * 86_400_000
  expect(await status(device)).toBe(401)
})

it('TRU-05 a mail tells of a device that is new, and of no other', async () => {
  now += 3_700_000
  const subjects = async (): Promise<string[]> =>
    (
      await server.deps.db
        .select({ subject: mails.subject })
        .from(mails)
        .where(eq(mails.recipient, fresh.email))
        .orderBy(asc(mails.id))
    ).map(({ subject }) => subject)
  const fresh = await server.signUp()
  expect(await subjects()).toHaveLength(1)
  me = fresh
  const laptop = await logIn(FIREFOX)
  const told = await server.lastMail(fresh.email)
  expect(told?.subject).toBe('A new device logged in to your Onecut account')
  expect(told?.text).toContain('Firefox on Linux logged in to your account on ')
  expect(told?.text).toContain(`This was not me: ${server.deps.settings.publicOrigin}/user-profile`)
  await laptop.delete('/v1/auth/logout')
  await logIn(FIREFOX, laptop)
  expect((await subjects()).filter((subject) => subject.startsWith('A new device'))).toHaveLength(1)
})
