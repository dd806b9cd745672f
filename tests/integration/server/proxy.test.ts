import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rateEvents } from '#server/db/schema.ts'
import { hashToken } from '#server/operations/auth/tokens.ts'
import { humanToken } from '#tests/fakes/human.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

let behindProxy: TestServer
let alone: TestServer
beforeAll(async () => {
  behindProxy = await startTestServer({ env: { ONECUT_TRUSTED_PROXIES: '127.0.0.0/8,::1' } })
  alone = await startTestServer()
})
afterAll(async () => {
  await behindProxy.stop()
  await alone.stop()
})

it('AUT-01 limits count people behind a trusted proxy one by one, and believe no other sender', async () => {
  const counted = async (server: TestServer, address: string): Promise<number> => {
    const answer = await server.createClient().post(
      '/v1/auth/magic-link/signup',
      {
        user: { email: `${crypto.randomUUID()}@example.com` },
        captchaToken: humanToken,
        redirectUri: '/',
      },
      { headers: { 'X-Forwarded-For': `1.2.3.4, ${address}` } },
    )
    expect(answer.status).toBe(202)
    return (
      await server.deps.db
        .select()
        .from(rateEvents)
        .where(eq(rateEvents.key, `magic-link:client:${hashToken(address)}`))
    ).length
  }
  expect([
    await counted(behindProxy, '203.0.113.9'),
    await counted(behindProxy, '203.0.113.9'),
    await counted(behindProxy, '203.0.113.10'),
  ]).toEqual([1, 2, 1])
  expect(await counted(alone, '203.0.113.9')).toBe(0)
})

describe('asking for sign-in mails', () => {
  const ask = async (client: TestClient, email: string, address: string): Promise<number> => {
    const answer = await client.post(
      '/v1/auth/magic-link/login',
      { user: { email }, captchaToken: humanToken, redirectUri: '/' },
      { headers: { 'X-Forwarded-For': address } },
    )
    return answer.status
  }

  it('TRU-04 a stranger who asks for all mails of an address locks out neither its own device nor others', async () => {
    const { client, email } = await behindProxy.signUp()
    const stranger = behindProxy.createClient()
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1)
      statuses.push(await ask(stranger, email, '198.51.100.1'))
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    // A new device of the person, somewhere else.
    expect(await ask(behindProxy.createClient(), email, '203.0.113.77')).toBe(202)
    // Many strangers together meet the bound of the address, which a known device does not share.
    for (let other = 2; other < 20; other += 1) await ask(stranger, email, `198.51.100.${other}`)
    expect(await ask(stranger, email, '198.51.100.99')).toBe(429)
    await client.delete('/v1/auth/logout')
    expect(await ask(client, email, '198.51.100.1')).toBe(202)
    // Its mark is for this address only, and has a bound too.
    const other = await behindProxy.signUp()
    for (let count = 0; count < 5; count += 1) await ask(stranger, other.email, '198.51.100.200')
    expect(await ask(client, other.email, '198.51.100.200')).toBe(429)
    for (let count = 0; count < 4; count += 1)
      expect(await ask(client, email, '198.51.100.1')).toBe(202)
    expect(await ask(client, email, '198.51.100.1')).toBe(429)
  })

  it('TRU-04 counts the /64 of an IPv6 address as one', async () => {
    const stranger = behindProxy.createClient()
    const email = `${crypto.randomUUID()}@example.com`
    for (let count = 0; count < 5; count += 1)
      expect(await ask(stranger, email, `2001:db8:1:2:${count}::1`)).toBe(202)
    expect(await ask(stranger, email, '2001:db8:1:2:ffff::1')).toBe(429)
    expect(await ask(stranger, email, '2001:db8:1:3::1')).toBe(202)
  })
})
