import { eq } from 'drizzle-orm'
import { uploadRequests } from '#server/db/schema.ts'
import type { OperationCases } from '#tests/contract/cases/operation-case.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'

export const mediaAssetCases: OperationCases = {
  listMediaAssets: { valid: async () => ({ query: { formatSlug: 'video' }, status: 200 }) },
  createMediaAsset: {
    valid: async ({ server, me }) => {
      const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
      await server.deps.db
        .update(uploadRequests)
        .set({ purpose: 'media-asset' })
        .where(eq(uploadRequests.id, uploadId))
      return { body: { mediaAsset: { uploadRequestId: uploadId, name: 'Intro' } }, status: 201 }
    },
    isOwned: true,
    invalid: [
      {
        body: { mediaAsset: { uploadRequestId: crypto.randomUUID(), name: '   ' } },
        field: 'mediaAsset.name',
      },
      {
        body: { mediaAsset: { uploadRequestId: 'x', name: 'Intro' } },
        field: 'mediaAsset.uploadRequestId',
      },
    ],
  },
  listMusicTracks: { valid: async () => ({ status: 200 }) },
}
