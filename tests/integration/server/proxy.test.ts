import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rateEvents } from '#server/db/schema.ts'
import { hashToken } from '#server/operations/core/tokens.ts'
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
        .where(eq(rateEvents.key, `magic-link:client:/64:${hashToken(address)}`))
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
    // Strangers of many networks get less each, which a known device does not share.
    for (let other = 2; other < 20; other += 1) await ask(stranger, email, `198.51.100.${other}`)
    expect(await ask(stranger, email, '198.51.100.2')).toBe(429)
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

describe('a person whose address strangers ask for', () => {
  const newAddress = () => `${crypto.randomUUID()}@example.com`
  /** Asks for a mail, in a browser of its own unless one is given. */
  const ask = async (
    from: string,
    email: string,
    client = behindProxy.createClient(),
  ): Promise<number> => {
    const { status } = await client.post(
      '/v1/auth/magic-link/signup',
      { user: { email }, captchaToken: humanToken, redirectUri: '/' },
      { headers: { 'x-forwarded-for': from } },
    )
    return status
  }
  const type = async (from: string, email: string, code: string, client: TestClient) => {
    const headers = { 'x-forwarded-for': from }
    return await client.post<{ error?: { message: string } }>(
      '/v1/auth/magic-link/code',
      { email, code },
      { headers },
    )
  }
  const codeIn = (text = '') => /^\s+(\d{6})$/m.exec(text)?.[1] ?? ''
  const mine = '203.0.113.77'

  it('TRU-12 gets a mail after 40 networks have asked for theirs', async () => {
    const email = newAddress()
    const statuses: number[] = []
    for (let network = 0; network < 40; network += 1)
      for (let time = 0; time < 6; time += 1)
        statuses.push(await ask(`198.51.100.${network}`, email))
    // Four networks get five each, which makes it a flood; then each gets its first.
    expect(statuses.filter((status) => status === 202)).toHaveLength(4 * 5 + 36)
    expect(await ask(mine, email)).toBe(202)
  })

  it('TRU-12 gets a mail after one line has asked from all its networks', async () => {
    const email = newAddress()
    const statuses: number[] = []
    for (let network = 10; network < 50; network += 1)
      statuses.push(await ask(`2001:db8:7:aa${network}::1`, email))
    expect(statuses.filter((status) => status === 202)).toHaveLength(10)
    for (let network = 10; network < 50; network += 1)
      statuses.push(await ask(`2001:db8:7:${network}00::1`, email))
    expect(statuses.filter((status) => status === 202)).toHaveLength(20)
    expect(await ask(mine, email)).toBe(202)
  })

  it('TRU-12 logs in by the code after 40 networks have typed wrong ones', async () => {
    const email = newAddress()
    const tried: boolean[] = []
    for (let network = 0; network < 40; network += 1) {
      const from = `198.51.100.${100 + network}`
      const stranger = behindProxy.createClient()
      expect(await ask(from, email, stranger)).toBe(202)
      const right = codeIn((await behindProxy.lastMail(email))?.text)
      const wrong = right === '000000' ? '000001' : '000000'
      for (let time = 0; time < 5; time += 1) {
        const { body } = await type(from, email, wrong, stranger)
        tried.push(body.error?.message.startsWith('Too many wrong codes') !== true)
      }
    }
    // Three networks have five tries each; then each has two.
    expect(tried.filter(Boolean)).toHaveLength(3 * 5 + 37 * 2)
    const client = behindProxy.createClient()
    expect(await ask(mine, email, client)).toBe(202)
    const code = codeIn((await behindProxy.lastMail(email))?.text)
    expect((await type(mine, email, code, client)).status).toBe(200)
  })

  it('TRU-12 LIF-06 ten trials begin in one network a day; the mail of the next one says so', async () => {
    const from = '192.0.2.50'
    const mailOf = async (network: string, email: string): Promise<string> => {
      expect(await ask(network, email)).toBe(202)
      return (await behindProxy.lastMail(email))?.text ?? ''
    }
    const first = newAddress()
    for (let account = 0; account < 9; account += 1)
      expect(await mailOf(from, newAddress())).toContain('with 1,000 tokens')
    // One address counts once, however often it asks.
    for (let time = 0; time < 3; time += 1)
      expect(await mailOf(from, first)).toContain('with 1,000 tokens')
    const email = newAddress()
    const client = behindProxy.createClient()
    expect(await ask(from, email, client)).toBe(202)
    const text = (await behindProxy.lastMail(email))?.text ?? ''
    expect(text).toContain('It begins without trial tokens')
    expect(text).not.toContain('1,000')
    expect((await type(from, email, codeIn(text), client)).status).toBe(200)
    const { wallets } = (await client.get<{ wallets: { coinBalance: number }[] }>('/v1/wallets'))
      .body
    expect(wallets).toMatchObject([{ coinBalance: 0 }])
    expect(await mailOf(mine, newAddress())).toContain('with 1,000 tokens')
  })
})
