import { desc, eq } from 'drizzle-orm'
import {
  inTransaction,
  type Ctx,
  type ReadCtx,
  type TxCtx,
  type UserCtx,
  type WithUser,
} from '#server/context.ts'
import type { ReferralCodeRow } from '#server/db/rows.ts'
import { referralCodes, users } from '#server/db/schema.ts'
import { countOfNetwork, countOrRefuse } from '#server/operations/core/limits.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { refuseOff } from '#server/policies/refuse-off.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { notFound, Problem } from '#server/problems.ts'
import { REFERRAL_CODES_PER_USER } from '#spec/numbers.ts'
import { referralCodeProblem } from '#spec/referral-code.ts'
import { hasAllowedWords } from './allowed-words.ts'
import { refuseIneligible, refuseUnconfirmedAge } from './claim.ts'
import { findCode } from './find-code.ts'
import { findOwnRedemption, type RedemptionFacts } from './redemptions.ts'

/** Each try to make a code also tells whether it is taken. */
const NEW_CODES_PER_HOUR = 20
/** Checks of codes from one client address in an hour. */
const CHECKS_PER_HOUR = 60

/** The user's codes, newest first. Needs read:referralCodes. */
export async function listCodes(ctx: ReadCtx & WithUser): Promise<ReferralCodeRow[]> {
  requirePermission(ctx.user, 'read:referralCodes')
  return await ctx.db
    .select()
    .from(referralCodes)
    .where(eq(referralCodes.userId, ctx.user.id))
    .orderBy(desc(referralCodes.createdAt), desc(referralCodes.id))
}

/**
 * Makes a code; one that the user already has is answered as it is. Needs read:referralCodes.
 * Refuses: `payments/off`, `request/invalid` with the rule it breaks, `referrals/code-not-allowed`,
 * `referrals/age-not-confirmed`, `referrals/limit-reached`, `referrals/code-taken`,
 * `request/too-many`.
 */
export async function createCode(
  ctx: UserCtx,
  { code, isAtLeast18 = false }: { readonly code: string; readonly isAtLeast18?: boolean },
): Promise<ReferralCodeRow> {
  refuseOff(ctx)
  requirePermission(ctx.user, 'read:referralCodes')
  refuseWrongCode(code)
  refuseUnconfirmedAge(isAtLeast18)
  const limit = { limit: NEW_CODES_PER_HOUR, what: 'codes were tried' }
  // Committed by itself, so that tries that are refused count as well.
  await inTransaction(ctx, async (ctx) => {
    await countOrRefuse(ctx, { key: `referral-code:${ctx.user.id}`, ...limit })
  })
  return await inTransaction(ctx, async (ctx) => await findOrStore(ctx, code))
}

/**
 * A code as its owner wrote it, and the redemption of the user who asks, if there is one. Counts
 * against the client address. Refuses: `referrals/not-found`, `request/too-many`, and for a user
 * who could not redeem it: `referrals/own-code`, `referrals/not-new`.
 */
export async function checkCode(
  ctx: Ctx,
  input: {
    readonly code: string
    readonly clientNetwork: string
    readonly user: CurrentUser | null
  },
): Promise<{ readonly code: string; readonly redemption: RedemptionFacts | null }> {
  const { user } = input
  const limit = { limit: CHECKS_PER_HOUR, what: 'codes were checked' }
  await inTransaction(ctx, async (ctx) => {
    const network = input.clientNetwork
    await countOfNetwork(ctx, { key: 'referral-check', network, ...limit })
  })
  const found = await findCode(ctx, input)
  if (found === undefined) throw notFound('referrals/not-found')
  const redemption = user === null ? null : await findOwnRedemption({ ...ctx, user })
  if (user !== null && redemption === null)
    await refuseIneligible(ctx, { refereeId: user.id, ownerId: found.userId })
  return { code: found.code, redemption }
}

function refuseWrongCode(code: string): void {
  const problem = referralCodeProblem(code)
  if (problem !== null)
    throw new Problem('request/invalid', problem, { fields: { [CODE_FIELD]: problem } })
  if (hasAllowedWords(code)) return
  const message = 'This code holds a word that is not allowed. Please choose another code.'
  throw new Problem('referrals/code-not-allowed', message, { fields: { [CODE_FIELD]: message } })
}

async function findOrStore(
  ctx: TxCtx & Pick<UserCtx, 'user'>,
  code: string,
): Promise<ReferralCodeRow> {
  // One at a time for each person, so that two calls do not both find room. This lock does not wait
  // for rows that name the person.
  await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, ctx.user.id))
    .for('no key update')
  const own = await listCodes(ctx)
  const existing = own.find((row) => row.code === code)
  if (existing !== undefined) return existing
  if (own.length >= REFERRAL_CODES_PER_USER)
    throw new Problem(
      'referrals/limit-reached',
      `You can only create a maximum of ${REFERRAL_CODES_PER_USER} codes`,
    )
  const [row] = await ctx.db
    .insert(referralCodes)
    .values({ id: ctx.newId(), userId: ctx.user.id, code, createdAt: ctx.clock() })
    .onConflictDoNothing({ target: referralCodes.code })
    .returning()
  if (row !== undefined) return row
  const message = 'This code is already taken. Please choose another code.'
  throw new Problem('referrals/code-taken', message, { fields: { [CODE_FIELD]: message } })
}

const CODE_FIELD = 'referralCode.code'
