/**
 * Sign-up and sign-in by mail, with the referral code that a new person brings: auth knows none of
 * what an invitation is.
 */
import type { Ctx, TxCtx } from '#server/context.ts'
import type { AfterSignUp } from '#server/operations/accounts/auth/account.ts'
import { redeemCode, redeemLink, type SignedIn } from '#server/operations/accounts/auth/redeem.ts'
import { requestLink } from '#server/operations/accounts/auth/request-link.ts'
import { claimCode } from '#server/operations/commerce/referrals/claim.ts'
import { findCode } from '#server/operations/commerce/referrals/find-code.ts'
import { refusalIn } from '#server/problems.ts'

/** Sends the mail of a sign-up or log-in form as `requestLink`. */
export async function askForLink(
  ctx: Ctx,
  request: Parameters<typeof requestLink>[1],
): Promise<void> {
  await requestLink(ctx, request, findCode)
}

/** Signs in by the link of a mail as `redeemLink`. */
export async function signInByLink(
  ctx: Ctx,
  link: Parameters<typeof redeemLink>[1],
): ReturnType<typeof redeemLink> {
  return await redeemLink(ctx, link, claimOrLog)
}

/** Signs in by the six digits of a mail as `redeemCode`. */
export async function signInByCode(
  ctx: Ctx,
  typed: Parameters<typeof redeemCode>[1],
): Promise<SignedIn> {
  return await redeemCode(ctx, typed, claimOrLog)
}

/**
 * Redeems the code of a new account. One that this person may not redeem does not keep them from
 * having the account.
 */
async function claimOrLog(
  ctx: TxCtx,
  { userId, referralCode }: Parameters<AfterSignUp>[1],
): Promise<void> {
  if (referralCode === null) return
  try {
    await claimCode(ctx, { refereeId: userId, code: referralCode })
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal === null) throw error
    ctx.log.info('referrals/not-claimed', { userId, code: refusal.code })
  }
}
