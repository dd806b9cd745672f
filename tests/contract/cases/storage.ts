import type { OperationCases } from '#tests/contract/cases/operation-case.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'

export const storageCases: OperationCases = {
  readStorage: { valid: async () => ({ status: 200 }) },
  deleteStoredVideo: {
    valid: async ({ me, server }) => {
      const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
      return { params: { id: uploadId }, status: 204 }
    },
  },
  deleteStoredSource: {
    valid: async ({ me, server }) => {
      const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
      return { params: { id: uploadId }, status: 204 }
    },
  },
}
