/**
 * Challenges of passkeys. Asking for one stores nothing, because strangers may ask: it carries its
 * end, and an HMAC that ties it to its use and to the session or browser that asked. One that is
 * used up is stored until it would have ended.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { spentChallenges } from '#server/db/schema.ts'
import { passkeyRefused } from './refused.ts'

/** What a challenge is for, and who may use it. */
export type ChallengeUse =
  | { readonly kind: 'add'; readonly sessionId: string }
  /** By the value of the browser's cookie. */
  | { readonly kind: 'sign-in'; readonly browserToken: string }

/** A challenge works for this long; the page of the log-in asks for the next one before. */
export const CHALLENGE_MS = 10 * 60_000

const NONCE_BYTES = 16
const END_BYTES = 6
const MAC_BYTES = 32

/** A new challenge, in base64url. */
export function issueChallenge(
  ctx: Pick<Ctx, 'clock' | 'secrets'>,
  { use }: { readonly use: ChallengeUse },
): string {
  const head = Buffer.alloc(NONCE_BYTES + END_BYTES)
  randomBytes(NONCE_BYTES).copy(head)
  head.writeUIntBE(ctx.clock().getTime() + CHALLENGE_MS, NONCE_BYTES, END_BYTES)
  return Buffer.concat([head, macOf(ctx.secrets.code.signing, head, use)]).toString('base64url')
}

/**
 * Uses the challenge up that the browser says it has answered, and returns it, so that whatever
 * comes of the answer, it comes once. Refuses with `auth/passkey-refused` what was not issued for
 * this use, is over, or was used before.
 */
export async function spendChallenge(
  ctx: Pick<ReadCtx, 'clock' | 'db' | 'secrets'>,
  { clientDataJSON, use }: { readonly clientDataJSON: string; readonly use: ChallengeUse },
): Promise<string> {
  const challenge = challengeIn(clientDataJSON)
  const given = Buffer.from(challenge, 'base64url')
  if (given.length !== NONCE_BYTES + END_BYTES + MAC_BYTES) throw passkeyRefused()
  const head = given.subarray(0, NONCE_BYTES + END_BYTES)
  const endsAt = head.readUIntBE(NONCE_BYTES, END_BYTES)
  const isOurs = ctx.secrets.code.accepted.some((key) =>
    timingSafeEqual(given.subarray(head.length), macOf(key, head, use)),
  )
  if (!isOurs || endsAt <= ctx.clock().getTime()) throw passkeyRefused()
  const spent = await ctx.db
    .insert(spentChallenges)
    // Written again from the bytes: text has several spellings of them.
    .values({ signature: `passkey:${given.toString('base64url')}`, expiresAt: new Date(endsAt) })
    .onConflictDoNothing()
    .returning()
  if (spent.length === 0) throw passkeyRefused()
  return challenge
}

function macOf(key: Uint8Array, head: Buffer, use: ChallengeUse): Buffer {
  const holder = use.kind === 'add' ? use.sessionId : use.browserToken
  return createHmac('sha256', key)
    .update(`passkey:${use.kind}:${head.toString('hex')}:${holder}`)
    .digest()
}

function challengeIn(clientDataJSON: string): string {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as unknown
    if (typeof data === 'object' && data !== null && 'challenge' in data)
      return typeof data.challenge === 'string' ? data.challenge : ''
    return ''
  } catch {
    // No JSON: refused like a challenge that is not ours.
    return ''
  }
}
