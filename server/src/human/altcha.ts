import { createHash } from 'node:crypto'
import { createChallenge, randomInt, verifySolution, type Payload } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { lt } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import type { Key } from '#server/db/secrets.ts'
import { spentChallenges } from '#server/db/schema.ts'
import type { HumanVerification } from './port.ts'

/**
 * Tries times iterations: 0.2 to 0.5 s of one core in a browser (2 cores, 2026), nothing for a
 * person, dear for a flood.
 */
const ITERATIONS = 2_000
const FEWEST_TRIES = 500
const MOST_TRIES = 1_500
const LIFETIME_MS = 10 * 60_000
/** Solutions are some 600 characters. */
const LONGEST_TOKEN = 10_000

/**
 * Proof of work made and checked here, without a third party. PBKDF2, because browsers run each try
 * natively. The library accepts a solution twice; the table of spent ones does not.
 */
export function createAltcha(deps: {
  readonly db: Db
  readonly clock: () => Date
  readonly key: Key
}): HumanVerification {
  return {
    provider: 'altcha',
    siteKey: null,
    async createChallenge() {
      const expiresAt = new Date(deps.clock().getTime() + LIFETIME_MS)
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: ITERATIONS,
        counter: randomInt(FEWEST_TRIES, MOST_TRIES),
        deriveKey,
        expiresAt,
        ...secretsOf(deps.key.signing),
      })
      return { ...challenge }
    },
    async verify(captchaToken) {
      const payload = parsePayload(captchaToken)
      if (payload === null || payload.challenge.parameters.algorithm !== 'PBKDF2/SHA-256')
        return false
      for (const key of deps.key.accepted) {
        const { verified } = await verifySolution({
          ...payload,
          deriveKey,
          ...secretsOf(key),
        }).catch(() => ({ verified: false }))
        if (verified) return spend(payload)
      }
      return false
    },
  }

  // Named by what the signature covers, not by the signature's own text, which has several
  // spellings.
  async function spend(payload: Payload): Promise<boolean> {
    const now = deps.clock()
    const { nonce, salt } = payload.challenge.parameters
    const signature = createHash('sha256').update(`${nonce}:${salt}`).digest('hex')
    await deps.db.delete(spentChallenges).where(lt(spentChallenges.expiresAt, now))
    const fresh = await deps.db
      .insert(spentChallenges)
      .values({ signature, expiresAt: new Date(now.getTime() + LIFETIME_MS) })
      .onConflictDoNothing()
      .returning()
    return fresh.length > 0
  }
}

/** The library's two secrets, from one key. */
function secretsOf(key: Uint8Array): {
  readonly hmacSignatureSecret: string
  readonly hmacKeySignatureSecret: string
} {
  return {
    hmacSignatureSecret: Buffer.from(key).toString('base64'),
    hmacKeySignatureSecret: createHash('sha256').update('key').update(key).digest('base64'),
  }
}

/** Base64 of JSON `{ challenge, solution }`, or null when it is anything else. */
function parsePayload(token: string): Payload | null {
  if (token.length > LONGEST_TOKEN) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
    return isPayload(value) ? value : null
  } catch {
    return null
  }
}

function isPayload(value: unknown): value is Payload {
  if (!isObject(value) || !isObject(value['challenge']) || !isObject(value['solution']))
    return false
  const { parameters, signature } = value['challenge']
  const { counter, derivedKey } = value['solution']
  return (
    isObject(parameters) &&
    typeof signature === 'string' &&
    typeof counter === 'number' &&
    typeof derivedKey === 'string' &&
    ['algorithm', 'nonce', 'salt', 'keyPrefix'].every(
      (name) => typeof parameters[name] === 'string',
    ) &&
    typeof parameters['cost'] === 'number' &&
    typeof parameters['expiresAt'] === 'number'
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}
