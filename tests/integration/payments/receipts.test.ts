import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation, payFor } from '#tests/setup/order.ts'
import { payer } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let me: SignedUp
// An hour for each person, because all of them come from one address.
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})
beforeEach(async () => {
  now += 3_700_000
  me = await server.signUp()
})

/** The words of a PDF whose pages are not compressed. */
function wordsOf(bytes: Uint8Array): string {
  const source = new TextDecoder('latin1').decode(bytes)
  return [...source.matchAll(/\[((?:<[\da-f]*>|[\d\s.-])+)\] TJ/g)]
    .map(([, run = '']) =>
      [...run.matchAll(/<([\da-f]*)>/g)]
        .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
        .join(''),
    )
    .join('\n')
}

async function download(path: string): Promise<Uint8Array> {
  const answer = await me.client.get(path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="receipt-.+pdf"/)
  return answer.bytes
}

it('LIF-04 a payment has a receipt in dollars and tokens, with the same bytes on every day', async () => {
  const person = payer(me.client)
  const session = await person.buy(5000)
  await person.press(session, 'pay')
  await person.look(session)
  const { body } = await me.client.get<{ payments: components['schemas']['Payment'][] }>(
    '/v1/payments',
  )
  const path = `/v1/payments/${body.payments[0]?._id}/receipt`
  const first = await download(path)
  expect(wordsOf(first).split('\n')).toEqual(
    expect.arrayContaining([
      `Receipt ${body.payments[0]?.receiptNumber}`,
      'Onecut, November 21, 2026',
      'Tokens',
      '$50.00 (5,000 tokens)',
      'Total',
      'Tax included: $0.00',
    ]),
  )
  await person.press(session, 'refund-all', 'once')
  now += 3 * 86_400_000
  expect(Buffer.compare(await download(path), first)).toBe(0)
})

it('LIF-04 an order that tokens have paid has a receipt without the names of files and edits', async () => {
  const { jobId } = await storeJob(server.deps, me.userId, ['teaser-15s', 'still-pack'])
  const placed = await me.client.post<{ order: components['schemas']['Order'] }>('/v1/orders', {
    order: { mediaJobId: jobId, attestation },
  })
  const path = `/v1/orders/${placed.body.order._id}/receipt`
  const refused = await me.client.get<{ error: { code: string } }>(path)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'orders/not-paid'])
  await payFor(me.client, jobId)
  const first = await download(path)
  const words = wordsOf(first)
  expect(words).toMatch(/Receipt O-2026-\d{6}/)
  expect(words.split('\n').filter((line) => line === 'Video edit')).toHaveLength(2)
  expect(words).toContain('$3.00 (300 tokens)')
  expect(words).not.toMatch(/teaser|still|\.mp4/i)
  now += 86_400_000
  expect(Buffer.compare(await download(path), first)).toBe(0)
})
