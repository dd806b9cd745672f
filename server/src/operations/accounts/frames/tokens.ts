/**
 * Tokens that open one document of the frames' origin, once. That origin has no session cookie: the
 * app's origin, which has it, puts a token into the address that it leads to. Making one stores
 * nothing; one that is used up is stored until it would have ended.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { validate } from 'uuid'
import type { Ctx } from '#server/context.ts'
import { spentChallenges } from '#server/db/schema.ts'
import { loadSessionById } from '#server/operations/accounts/auth/sessions.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'

/** Whose session may open what. */
interface FrameRight {
  readonly sessionId: string
  /** Path and query of the document, without a token. */
  readonly address: string
}

/** A browser follows the redirect at once. */
export const FOLLOW_S = 60
/** A form waits for the person; the session that it pays ends earlier. */
export const FORM_S = 24 * 60 * 60

/** A token for one opening within `lifeS` seconds. */
export function issueFrameToken(
  { clock, secrets }: Pick<Ctx, 'clock' | 'secrets'>,
  { sessionId, address }: FrameRight,
  lifeS: number,
): string {
  const endsS = Math.floor(clock().getTime() / 1000) + lifeS
  const head = `${sessionId}.${endsS}.${randomBytes(16).toString('base64url')}`
  return `${head}.${macOf(secrets.frame.signing, head, address)}`
}

/**
 * Uses a token up. Null for one that was not made for this address, is over or was used before, and
 * when the session has ended meanwhile.
 */
export async function spendFrameToken(
  ctx: Ctx,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<{ readonly user: CurrentUser; readonly sessionId: string } | null> {
  const [sessionId = '', ends = '', nonce = '', given = ''] = token.split('.')
  const head = `${sessionId}.${ends}.${nonce}`
  const isOurs = ctx.secrets.frame.accepted.some((key) => {
    const [one, other] = [Buffer.from(given), Buffer.from(macOf(key, head, address))]
    return one.length === other.length && timingSafeEqual(one, other)
  })
  const endsAt = new Date(Number(ends) * 1000)
  if (!isOurs || !validate(sessionId) || endsAt <= ctx.clock()) return null
  const spent = await ctx.db
    .insert(spentChallenges)
    .values({ signature: `frame:${nonce}`, expiresAt: endsAt })
    .onConflictDoNothing()
    .returning()
  const session = spent.length === 0 ? null : await loadSessionById(ctx, { sessionId })
  return session === null ? null : { user: session.user, sessionId }
}

function macOf(key: Uint8Array, head: string, address: string): string {
  return createHmac('sha256', key).update(`frame:${head}:${address}`).digest('base64url')
}
