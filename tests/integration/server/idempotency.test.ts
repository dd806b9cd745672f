import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { idempotentAnswers } from '#server/db/schema.ts'
import { answerOnce, type IdempotentAnswer } from '#server/http/idempotency.ts'
import { Problem } from '#server/problems.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let userId: string
beforeAll(async () => {
  server = await startTestServer()
  ;({ userId } = await server.signUp())
})
afterAll(() => server.stop())

const signal = new AbortController().signal
const request = (key: string, body = '{}', path = '/orders') => ({
  userId,
  operation: 'createOrder',
  key,
  path,
  bytes: new TextEncoder().encode(body),
})
const counting = (answer: IdempotentAnswer = { status: 201, body: { order: 1 } }) => {
  let runs = 0
  return {
    work: () => {
      runs += 1
      return Promise.resolve({ ...answer, body: { run: runs } })
    },
    runs: () => runs,
  }
}

it('gives the first answer again for the same key and body', async () => {
  const { work, runs } = counting()
  const first = await answerOnce(server.deps, request('same'), signal, work)
  expect(await answerOnce(server.deps, request('same'), signal, work)).toEqual(first)
  expect(runs()).toBe(1)
})

it('runs once when the same request comes many times at once', async () => {
  const { work, runs } = counting()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => answerOnce(server.deps, request('at-once'), signal, work)),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(runs()).toBe(1)
})

it('refuses the key for another body or path with 409', async () => {
  const { work } = counting()
  await answerOnce(server.deps, request('conflict'), signal, work)
  for (const other of [request('conflict', '{"a":1}'), request('conflict', '{}', '/orders/2')]) {
    await expect(answerOnce(server.deps, other, signal, work)).rejects.toMatchObject({
      code: 'request/idempotency-conflict',
    })
  }
})

it('forgets a refusal, so that the same key may succeed later', async () => {
  await expect(
    answerOnce(server.deps, request('refused'), signal, () =>
      Promise.reject(new Problem('payments/insufficient-tokens', 'Not enough.')),
    ),
  ).rejects.toMatchObject({ code: 'payments/insufficient-tokens' })
  expect(await answerOnce(server.deps, request('refused'), signal, counting().work)).toMatchObject({
    status: 201,
  })
})

it('takes over a request whose process died', async () => {
  await server.deps.db.insert(idempotentAnswers).values({
    userId,
    operation: 'createOrder',
    key: 'died',
    bodyHash: await hashOf('died'),
    status: 0,
    body: {},
    createdAt: new Date(Date.now() - 61_000),
  })
  expect(await answerOnce(server.deps, request('died'), signal, counting().work)).toMatchObject({
    status: 201,
  })
})

it('does not take over a request that is only slow', async () => {
  const { promise, resolve } = Promise.withResolvers<IdempotentAnswer>()
  const first = answerOnce(server.deps, request('slow'), signal, () => promise)
  const row = async () =>
    (
      await server.deps.db.select().from(idempotentAnswers).where(eq(idempotentAnswers.key, 'slow'))
    )[0]
  await expect.poll(row).toMatchObject({ status: 0 })
  // As if the seconds of a slow operation had passed; the next beat says that it is still worked
  // on.
  await server.deps.db
    .update(idempotentAnswers)
    .set({ createdAt: new Date(Date.now() - 4_000) })
    .where(eq(idempotentAnswers.key, 'slow'))
  await expect
    .poll(async () => Date.now() - ((await row())?.createdAt.getTime() ?? 0))
    .toBeLessThan(2_000)
  const { work, runs } = counting()
  const second = answerOnce(server.deps, request('slow'), signal, work)
  resolve({ status: 201, body: { run: 'first' } })
  expect([await first, await second, runs()]).toEqual([
    { status: 201, body: { run: 'first' } },
    { status: 201, body: { run: 'first' } },
    0,
  ])
})

it('refuses a repetition whose client leaves, as it would one that waits too long', async () => {
  const { promise, resolve } = Promise.withResolvers<IdempotentAnswer>()
  const first = answerOnce(server.deps, request('left'), signal, () => promise)
  const rows = () =>
    server.deps.db.select().from(idempotentAnswers).where(eq(idempotentAnswers.key, 'left'))
  await expect.poll(rows).toHaveLength(1)
  const left = new AbortController()
  const second = answerOnce(server.deps, request('left'), left.signal, counting().work)
  left.abort()
  await expect(second).rejects.toMatchObject({ code: 'request/in-progress' })
  resolve({ status: 201, body: {} })
  expect(await first).toMatchObject({ status: 201 })
})

it('keeps the keys of people apart', async () => {
  const other = await server.signUp()
  const { work, runs } = counting()
  await answerOnce(server.deps, request('mine'), signal, work)
  await answerOnce(server.deps, { ...request('mine'), userId: other.userId }, signal, work)
  expect(runs()).toBe(2)
})

async function hashOf(key: string): Promise<string> {
  await answerOnce(server.deps, request(`${key}-hash`), signal, counting().work)
  const [row] = await server.deps.db
    .select()
    .from(idempotentAnswers)
    .where(eq(idempotentAnswers.key, `${key}-hash`))
  return row?.bodyHash ?? ''
}
