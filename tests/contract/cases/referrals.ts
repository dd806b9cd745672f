import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'

const newCode = (): string => `CODE${crypto.randomUUID().slice(0, 8).toUpperCase()}`

/** A code of a person who is new, so that two of them are never too many. */
async function codeOfAnother(world: World): Promise<string> {
  const { client } = await world.newPerson()
  const code = newCode()
  await client.post('/v1/payments/referral-codes', { referralCode: { code, isAtLeast18: true } })
  return code
}

export const referralCases: OperationCases = {
  listReferralCodes: { valid: async () => ({ status: 200 }) },
  createReferralCode: {
    valid: async (world) => ({
      client: (await world.newPerson()).client,
      body: { referralCode: { code: newCode(), isAtLeast18: true } },
      status: 201,
    }),
    invalid: [
      { body: { referralCode: { code: 'abc' } }, field: 'referralCode.code' },
      { body: { referralCode: {} }, field: 'referralCode.code' },
    ],
  },
  getReferralCodeCookie: { valid: async () => ({ status: 200 }) },
  validateReferralCode: {
    valid: async (world) => ({
      client: world.server.createClient(),
      params: { code: await codeOfAnother(world) },
      status: 200,
    }),
  },
  listReferralCodeRedemptions: { valid: async () => ({ status: 200 }) },
  getReferralCodeRedemption: { valid: async () => ({ status: 200 }) },
  redeemReferralCode: {
    valid: async (world) => ({
      body: { referralCode: { code: await codeOfAnother(world), isAtLeast18: true } },
      client: (await world.newPerson()).client,
      status: 201,
    }),
    invalid: [{ body: { referralCode: { code: '' } }, field: 'referralCode.code' }],
  },
}
