import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, it } from 'vitest'
import { solveChallenge } from '#src/features/auth/solve-challenge.ts'

const secrets = { hmacSignatureSecret: 'one secret', hmacKeySignatureSecret: 'another secret' }

it('AUT-04 the solution of a challenge is what the server accepts', async () => {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 25,
    deriveKey,
    expiresAt: new Date(Date.now() + 60_000),
    ...secrets,
  })
  const { signature } = challenge
  if (signature === undefined) throw new Error('the challenge has no signature')
  const solved = await solveChallenge(
    { ...challenge, signature, parameters: { ...challenge.parameters } },
    new AbortController().signal,
  )
  if (!solved.ok) throw new Error(solved.error.code)
  const payload = JSON.parse(atob(solved.value)) as Omit<
    Parameters<typeof verifySolution>[0],
    'deriveKey'
  >
  expect(await verifySolution({ ...payload, deriveKey, ...secrets })).toMatchObject({
    verified: true,
  })
})

it('AUT-04 work for an unknown algorithm, or given up, has no token', async () => {
  const parameters = {
    algorithm: 'MD5',
    nonce: '00',
    salt: '00',
    cost: 1,
    keyLength: 32,
    keyPrefix: '00',
  }
  expect(
    await solveChallenge({ parameters, signature: 'x' }, new AbortController().signal),
  ).toEqual({ ok: false, error: { code: 'human/unknown-algorithm' } })
  const hard = {
    parameters: { ...parameters, algorithm: 'PBKDF2/SHA-256', keyPrefix: 'ffffffffffffffff' },
    signature: 'x',
  }
  expect(await solveChallenge(hard, AbortSignal.abort())).toEqual({
    ok: false,
    error: { code: 'human/no-solution' },
  })
})
