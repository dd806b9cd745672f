import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { createFakePasskey, type FakePasskey } from '#tests/fakes/authenticator.ts'
import { expectPasskeyAdded } from '#tests/setup/passkeys.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Passkey = components['schemas']['Passkey']
type Refusal = components['schemas']['Error']

const PASSKEYS = '/v1/users/me/passkeys'
const SIGN_IN = '/v1/auth/passkey'

let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})

const site = () => ({ origin: server.origin, rpId: new URL(server.origin).hostname })
const signUp = async (): Promise<SignedUp> => {
  // Everybody comes from one address.
  now += 3_700_000
  return await server.signUp()
}
const listed = async (client: TestClient): Promise<Passkey[]> =>
  (await client.get<{ passkeys: Passkey[] }>(PASSKEYS)).body.passkeys
const challengeOf = async (client: TestClient, path: string): Promise<string> =>
  (await client.post<{ options: { challenge: string } }>(`${path}/options`)).body.options.challenge

async function answer(
  client: TestClient,
  passkey: FakePasskey,
  fault: Parameters<FakePasskey['get']>[1] = {},
): Promise<{ credential: ReturnType<FakePasskey['get']> }> {
  const challenge = await challengeOf(client, SIGN_IN)
  return { credential: passkey.get({ challenge, ...site() }, fault) }
}

async function refusal(client: TestClient, path: string, body: unknown): Promise<unknown> {
  const { status, body: refused } = await client.post<Refusal>(path, body)
  return status < 300 ? status : [status, refused.error.code]
}
const REFUSED = [422, 'auth/passkey-refused']

it('TRU-05 a passkey is added, signs in without a mail, is used last then, and is removed', async () => {
  const { client, email, userId } = await signUp()
  const passkey = createFakePasskey()
  const added = await expectPasskeyAdded(server, client, passkey, ' My key ')
  expect(added).toMatchObject({ name: 'My key', isBackedUp: false, lastUsedAt: null })
  expect((await server.lastMail(email))?.subject).toBe('A passkey was added to your Onecut account')
  expect(await listed(client)).toEqual([added])

  const device = server.createClient()
  now += 60_000
  const signedIn = await device.post<{ user: { _id: string } }>(
    SIGN_IN,
    await answer(device, passkey),
  )
  expect([signedIn.status, signedIn.body.user._id]).toEqual([200, userId])
  expect((await device.get('/v1/users/me')).status).toBe(200)
  expect((await listed(device))[0]?.lastUsedAt).toBe(new Date(now).toISOString())

  expect((await device.delete(`${PASSKEYS}/${added._id}`)).status).toBe(204)
  expect((await device.delete(`${PASSKEYS}/${added._id}`)).status).toBe(404)
  expect((await server.lastMail(email))?.subject).toBe(
    'A passkey was removed from your Onecut account',
  )
  const stranger = server.createClient()
  expect(await refusal(stranger, SIGN_IN, await answer(stranger, passkey))).toEqual(REFUSED)
  // What it had signed in stays signed in.
  expect((await device.get('/v1/users/me')).status).toBe(200)
})

it('TRU-05 a challenge signs in once, soon, and only in the browser that asked for it', async () => {
  const { client } = await signUp()
  const passkey = createFakePasskey()
  await expectPasskeyAdded(server, client, passkey)
  const device = server.createClient()
  const body = await answer(device, passkey)
  expect(await refusal(server.createClient(), SIGN_IN, body)).toEqual(REFUSED)
  expect(await refusal(device, SIGN_IN, body)).toBe(200)
  expect(await refusal(device, SIGN_IN, body)).toEqual(REFUSED)
  const late = await answer(device, passkey)
  now += 10 * 60_000
  expect(await refusal(device, SIGN_IN, late)).toEqual(REFUSED)
  // One that was refused is used up as well.
  const unverified = await answer(device, passkey, { isPersonVerified: false })
  expect(await refusal(device, SIGN_IN, unverified)).toEqual(REFUSED)
  const { challenge } = JSON.parse(
    Buffer.from(unverified.credential.clientDataJSON, 'base64url').toString(),
  ) as { challenge: string }
  const again = { credential: passkey.get({ challenge, ...site() }) }
  expect(await refusal(device, SIGN_IN, again)).toEqual(REFUSED)
})

it('TRU-05 answers without a challenge use up none of the tries of their address', async () => {
  const { client } = await signUp()
  const passkey = createFakePasskey()
  await expectPasskeyAdded(server, client, passkey)
  const device = server.createClient()
  const madeUp = passkey.get({ challenge: Buffer.alloc(54).toString('base64url'), ...site() })
  const stranger = server.createClient()
  for (let index = 0; index < 60; index += 1) await stranger.post(SIGN_IN, { credential: madeUp })
  expect(await refusal(device, SIGN_IN, await answer(device, passkey))).toBe(200)
})

it('TRU-05 refuses a counter that went back, another site, another key and a made-up challenge', async () => {
  const { client } = await signUp()
  const passkey = createFakePasskey()
  await expectPasskeyAdded(server, client, passkey)
  const device = server.createClient()
  expect(await refusal(device, SIGN_IN, await answer(device, passkey, { counter: 7 }))).toBe(200)
  for (const counter of [7, 3])
    expect(await refusal(device, SIGN_IN, await answer(device, passkey, { counter }))).toEqual(
      REFUSED,
    )
  const elsewhere = {
    challenge: await challengeOf(device, SIGN_IN),
    origin: 'https://evil.example',
  }
  for (const rpId of ['evil.example', site().rpId])
    expect(
      await refusal(device, SIGN_IN, { credential: passkey.get({ ...elsewhere, rpId }) }),
    ).toEqual(REFUSED)
  const forged = (await answer(device, createFakePasskey())).credential
  expect(await refusal(device, SIGN_IN, { credential: { ...forged, id: passkey.id } })).toEqual(
    REFUSED,
  )
  const madeUp = passkey.get({ challenge: Buffer.alloc(54).toString('base64url'), ...site() })
  expect(await refusal(device, SIGN_IN, { credential: madeUp })).toEqual(REFUSED)
  expect(await refusal(device, SIGN_IN, await answer(device, passkey, { counter: 8 }))).toBe(200)
})

it('TRU-05 adds nothing unverified, attested, taken, or asked for by another session', async () => {
  const [me, other] = [await signUp(), await signUp()]
  const ask = async (client: TestClient) => ({
    challenge: await challengeOf(client, PASSKEYS),
    ...site(),
  })
  const add = async (
    client: TestClient,
    credential: ReturnType<FakePasskey['create']>,
  ): Promise<unknown> =>
    await refusal(client, PASSKEYS, { name: null, credential: { ...credential, transports: [] } })
  const passkey = createFakePasskey()
  expect(
    await add(me.client, passkey.create(await ask(me.client), { isPersonVerified: false })),
  ).toEqual(REFUSED)
  expect(await add(me.client, passkey.create(await ask(me.client), { format: 'packed' }))).toEqual(
    REFUSED,
  )
  expect(await add(other.client, passkey.create(await ask(me.client)))).toEqual(REFUSED)
  expect(await add(me.client, passkey.create(await ask(me.client)))).toBe(201)
  expect(await add(other.client, passkey.create(await ask(other.client)))).toEqual(REFUSED)
  expect([(await listed(me.client)).length, await listed(other.client)]).toEqual([1, []])
})
