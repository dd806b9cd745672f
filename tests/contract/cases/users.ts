import type { OperationCases } from '#tests/contract/cases/operation-case.ts'

export const userCases: OperationCases = {
  getCurrentUser: { valid: async () => ({ status: 200 }) },
  getProfile: { valid: async ({ me }) => ({ params: { userId: me.userId }, status: 200 }) },
  updateProfile: {
    valid: async ({ me }) => ({
      params: { userId: me.userId },
      body: { userProfile: { profession: 'Video Editor' } },
      status: 200,
    }),
    invalid: [
      { body: { userProfile: { profession: 'Pirate' } }, field: 'userProfile.profession' },
      { body: { userProfile: {} }, field: 'userProfile.profession' },
    ],
  },
}
