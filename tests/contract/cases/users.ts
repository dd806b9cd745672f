import { sessions } from '#server/db/schema.ts'
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
  listSessions: { valid: async () => ({ status: 200 }) },
  endOtherSessions: {
    valid: async ({ newPerson }) => ({ client: (await newPerson()).client, status: 204 }),
  },
  endSession: {
    valid: async ({ me, server }) => {
      const id = crypto.randomUUID()
      const at = server.deps.clock()
      const dates = { createdAt: at, lastSeenAt: at, expiresAt: new Date(at.getTime() + 60_000) }
      await server.deps.db
        .insert(sessions)
        .values({ id, userId: me.userId, tokenHash: id, ...dates })
      return { params: { id }, status: 204 }
    },
  },
  exportAccount: { valid: async () => ({ status: 200 }) },
  deleteAccount: {
    valid: async ({ newPerson }) => {
      const { client, email } = await newPerson()
      return { client, body: { email }, status: 200 }
    },
    invalid: [
      { body: { email: 'other@example.com' }, field: 'email' },
      { body: { email: 'no address' }, field: 'email' },
      { body: {}, field: 'email' },
    ],
  },
}
