import { eq } from 'drizzle-orm'
import { mediaAssets, uploadRequests } from '#server/db/schema.ts'
import { readMusicTracks } from '#server/operations/core/music-tracks/list.ts'
import { previewKeyOf, thumbnailKeyOf } from '#server/operations/media/storage/keys.ts'
import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'
import { storeObject } from '#tests/contract/cases/stored-object.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'

async function storeUpload({ server, me }: World): Promise<string> {
  const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
  await server.deps.db
    .update(uploadRequests)
    .set({ purpose: 'media-asset' })
    .where(eq(uploadRequests.id, uploadId))
  return uploadId
}

/** An asset with a picture and a short piece. */
async function storeAsset(world: World): Promise<{ readonly id: string }> {
  const { db, clock, newId } = world.server.deps
  const uploadRequestId = await storeUpload(world)
  const id = newId()
  const thumbnailKey = thumbnailKeyOf(uploadRequestId)
  await storeObject(world, thumbnailKey)
  await storeObject(world, previewKeyOf(uploadRequestId))
  await db
    .update(uploadRequests)
    .set({ thumbnailKey, assetPreview: 'ready' })
    .where(eq(uploadRequests.id, uploadRequestId))
  await db
    .insert(mediaAssets)
    .values({ id, userId: world.me.userId, uploadRequestId, name: 'Intro', createdAt: clock() })
  return { id }
}

export const mediaAssetCases: OperationCases = {
  listMediaAssets: { valid: async () => ({ query: { formatSlug: 'video' }, status: 200 }) },
  createMediaAsset: {
    valid: async (world) => ({
      body: { mediaAsset: { uploadRequestId: await storeUpload(world), name: 'Intro' } },
      status: 201,
    }),
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
  renameMediaAsset: {
    valid: async (world) => ({
      params: { ...(await storeAsset(world)) },
      body: { mediaAsset: { name: 'Outro' } },
      status: 200,
    }),
    invalid: [{ body: { mediaAsset: { name: ' ' } }, field: 'mediaAsset.name' }],
  },
  deleteMediaAsset: {
    valid: async (world) => ({ params: { ...(await storeAsset(world)) }, status: 204 }),
  },
  getMediaAssetThumbnail: {
    valid: async (world) => ({ params: { ...(await storeAsset(world)) }, status: 200 }),
  },
  getMediaAssetPreview: {
    valid: async (world) => ({ params: { ...(await storeAsset(world)) }, status: 200 }),
  },
  listMusicTracks: { valid: async () => ({ status: 200 }) },
  getMusicTrackPreview: {
    valid: async ({ server }) => {
      const [track] = await readMusicTracks(server.deps)
      await storeObject({ server }, track?.previewKey)
      return { params: { id: track?.id ?? '' }, status: 200 }
    },
    // The same for every user.
    isOwned: false,
  },
}
