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

/** One of several callers: how often it asked, and whether it is the one that runs the work. */
function call(
  asked: ReturnType<typeof request>,
  work: () => Promise<IdempotentAnswer>,
  clock = server.deps.clock,
) {
  const seen = { asked: 0, isRunning: false }
  const deps = {
    db: server.deps.db,
    clock: () => {
      seen.asked += 1
      return clock()
    },
  }
  const answer = answerOnce(deps, asked, signal, async () => {
    seen.isRunning = true
    return await work()
  })
  return { answer, asked: () => seen.asked, isRunning: () => seen.isRunning }
}

/** Each one runs the work or was told to wait, because it asks again. */
async function untilAllAsked(callers: readonly ReturnType<typeof call>[]): Promise<void> {
  await expect
    .poll(() => callers.every(({ asked, isRunning }) => isRunning() || asked() > 1))
    .toBe(true)
}

it('gives the first answer again for the same key and body', async () => {
  const { work, runs } = counting()
  const first = await answerOnce(server.deps, request('same'), signal, work)
  expect(await answerOnce(server.deps, request('same'), signal, work)).toEqual(first)
  expect(runs()).toBe(1)
})

it('runs once when the same request comes many times at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const callers = Array.from({ length: 12 }, (_, caller) =>
    call(request('at-once'), async () => {
      await promise
      return { status: 201, body: { caller } }
    }),
  )
  await untilAllAsked(callers)
  resolve()
  const answers = await Promise.all(callers.map(({ answer }) => answer))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(callers.filter(({ isRunning }) => isRunning())).toHaveLength(1)
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
  const { promise, resolve } = Promise.withResolvers<void>()
  let now = Date.parse('2026-11-21T12:00:00Z')
  const work = (body: string) => async () => {
    await promise
    return { status: 201, body: { run: body } }
  }
  const first = call(request('slow'), work('first'), () => new Date(now))
  const heardOf = async () => {
    const rows = await server.deps.db
      .select()
      .from(idempotentAnswers)
      .where(eq(idempotentAnswers.key, 'slow'))
    return rows[0]?.createdAt.getTime()
  }
  await expect.poll(heardOf).toBe(now)
  // Twice the seconds of a slow operation; between them a beat says that it is still worked on.
  now += 4_000
  await expect.poll(heardOf).toBe(now)
  now += 4_000
  const second = call(request('slow'), work('second'), () => new Date(now))
  await untilAllAsked([first, second])
  resolve()
  const answer = { status: 201, body: { run: 'first' } }
  expect([await first.answer, await second.answer]).toEqual([answer, answer])
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
