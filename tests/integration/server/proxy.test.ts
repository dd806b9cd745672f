import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rateEvents } from '#server/db/schema.ts'
import { hashToken } from '#server/operations/auth/tokens.ts'
import { humanToken } from '#tests/fakes/human.ts'
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
