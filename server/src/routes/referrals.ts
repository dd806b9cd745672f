import type { Deps } from '#server/deps.ts'
import { REFERRAL_COOKIE } from '#server/http/cookies.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { redeemReferralCode } from '#server/operations/commerce/referrals/claim.ts'
import { checkCode, createCode, listCodes } from '#server/operations/commerce/referrals/codes.ts'
import {
  findOwnRedemption,
  listRedemptions,
} from '#server/operations/commerce/referrals/redemptions.ts'
import { viewRedemption, viewReferralCode } from '#server/views/referral.ts'
import { referralCodeProblem } from '#spec/referral-code.ts'

const COOKIE_S = 30 * 24 * 60 * 60

/** Referral codes, the cookie of an invited browser, and what became of codes. */
export function createReferralRoutes(deps: Deps) {
  return {
    listReferralCodes: async ({ context }) => {
      const rows = await listCodes(asUser(deps, context))
      return { status: 200, body: { referralCodes: rows.map(viewReferralCode) } }
    },
    createReferralCode: async ({ body, context }) => {
      const row = await createCode(asUser(deps, context), body.referralCode)
      return { status: 201, body: { referralCode: viewReferralCode(row) } }
    },
    getReferralCodeCookie: async ({ context }) => {
      const code = context.cookies[REFERRAL_COOKIE]
      const isCode = code !== undefined && referralCodeProblem(code) === null
      return { status: 200, body: { referralCode: isCode ? { code } : null } }
    },
    validateReferralCode: async ({ params, context }) => {
      const { clientNetwork, user } = context
      const { code, redemption } = await checkCode(deps, { ...params, clientNetwork, user })
      // An image or a frame of another site must not choose who invited this browser.
      const site = context.headers['sec-fetch-site']
      if (user === null && (site === undefined || site === 'same-origin'))
        context.setCookie(REFERRAL_COOKIE, code, { httpOnly: true, maxAgeS: COOKIE_S })
      return {
        status: 200,
        body: {
          referralCode: { code },
          referralCodeRedemption: redemption === null ? null : viewRedemption(redemption),
        },
      }
    },
    listReferralCodeRedemptions: async ({ context }) => {
      const rows = await listRedemptions(asUser(deps, context))
      return { status: 200, body: { referralCodeRedemptions: rows.map(viewRedemption) } }
    },
    getReferralCodeRedemption: async ({ context }) => {
      const own = await findOwnRedemption(asUser(deps, context))
      return {
        status: 200,
        body: { referralCodeRedemption: own === null ? null : viewRedemption(own) },
      }
    },
    redeemReferralCode: async ({ body, context }) => {
      const redemption = await redeemReferralCode(asUser(deps, context), body.referralCode)
      return { status: 201, body: { referralCodeRedemption: viewRedemption(redemption) } }
    },
  } satisfies Partial<Handlers>
}
