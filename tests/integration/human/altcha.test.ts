import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fakeKey } from '#tests/fakes/key.ts'
import { createAltcha } from '#server/human/altcha.ts'
import { createRecaptcha } from '#server/human/recaptcha.ts'
import type { PostForm } from '#server/net/post-form.ts'
import type { HumanVerification } from '#server/human/port.ts'
import { createLog } from '#server/log.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'

let database: TestDatabase
let human: HumanVerification
const clock = (): Date => new Date()
beforeAll(async () => {
  database = await createTestDatabase()
  human = createAltcha({ db: database.db, clock, key: fakeKey(1) })
})
afterAll(() => database.drop())

async function solve(
  from: HumanVerification,
): Promise<{ challenge: Challenge; solution: { counter: number; derivedKey: string } }> {
  const challenge = (await from.createChallenge()) as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('not solved')
  return { challenge, solution }
}
const token = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64')

it('takes the solution of its own challenge once', async () => {
  const payload = await solve(human)
  expect(await human.verify(token(payload))).toBe(true)
  expect(await human.verify(token(payload))).toBe(false)
  // The same signature, spelled differently, is the same challenge.
  const respelled = {
    ...payload,
    challenge: { ...payload.challenge, signature: payload.challenge.signature?.toUpperCase() },
  }
  expect(await human.verify(token(respelled))).toBe(false)
})

it('takes one of two answers that arrive together', async () => {
  const payload = token(await solve(human))
  const verdicts = await Promise.all([
    human.verify(payload),
    human.verify(payload),
    human.verify(payload),
  ])
  expect(verdicts.filter(Boolean)).toHaveLength(1)
})

it('refuses what is tampered with, foreign, expired or no token at all', async () => {
  const payload = await solve(human)
  const easier = {
    ...payload,
    challenge: { ...payload.challenge, parameters: { ...payload.challenge.parameters, cost: 1 } },
  }
  const later = {
    ...payload,
    challenge: {
      ...payload.challenge,
      parameters: { ...payload.challenge.parameters, expiresAt: 4_000_000_000 },
    },
  }
  const foreign = await solve(createAltcha({ db: database.db, clock, key: fakeKey(2) }))
  const expired = await solve(
    createAltcha({
      db: database.db,
      clock: () => new Date(Date.now() - 3_600_000),
      key: fakeKey(1),
    }),
  )
  for (const wrong of [
    easier,
    later,
    foreign,
    expired,
    { ...payload, solution: { counter: 1, derivedKey: 'ff' } },
    {},
    null,
    'text',
  ]) {
    expect(await human.verify(token(wrong))).toBe(false)
  }
  for (const text of ['', 'not base64 \u0000', 'x'.repeat(100_000)])
    expect(await human.verify(text)).toBe(false)
  expect(await human.verify(token(payload))).toBe(true)
})

it('asks reCAPTCHA with the secret, and accepts no token when it is away', async () => {
  const asked: unknown[] = []
  const answering =
    (verdict: unknown): PostForm =>
    async (_link, form) => {
      asked.push(form)
      if (verdict instanceof Error) throw verdict
      return await Promise.resolve({ status: 200, body: verdict })
    }
  const verify = (verdict: unknown): Promise<boolean> =>
    createRecaptcha({
      siteKey: 'site',
      secret: 'hush',
      post: answering(verdict),
      log: createLog(() => undefined),
    }).verify('their-token')
  expect(await verify({ success: true })).toBe(true)
  expect(await verify({ success: false })).toBe(false)
  expect(await verify(new Error('offline'))).toBe(false)
  expect(asked).toEqual(
    Array.from({ length: 3 }, () => ({ secret: 'hush', response: 'their-token' })),
  )
})
