import { externalAuths } from '#server/db/schema.ts'
import type { OperationCases } from '#tests/contract/cases/operation-case.ts'

export const externalAuthCases: OperationCases = {
  listExternalAuths: { valid: async () => ({ status: 200 }) },
  disconnectExternalAuth: {
    valid: async ({ me, server }) => {
      const id = server.deps.newId()
      const now = server.deps.clock()
      await server.deps.db.insert(externalAuths).values({
        id,
        userId: me.userId,
        provider: 'google-oauth',
        accountEmail: `${id}@gmail.example`,
        scopes: '',
        accessExpiresAt: now,
        createdAt: now,
      })
      return { params: { id }, status: 204 }
    },
  },
  startGoogleLogin: {
    valid: async () => ({ query: { externalAuthRedirectUri: '/external-auths' }, status: 302 }),
  },
}
