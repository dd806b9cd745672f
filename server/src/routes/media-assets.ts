import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { createMediaAsset } from '#server/operations/media/media-assets/create.ts'
import { listMediaAssets } from '#server/operations/media/media-assets/list.ts'
import { deleteMediaAsset } from '#server/operations/media/media-assets/delete.ts'
import { renameMediaAsset } from '#server/operations/media/media-assets/rename.ts'
import { readAssetRoom } from '#server/operations/media/storage/asset-room.ts'
import { viewMediaAsset } from '#server/views/media-asset.ts'

/** Intros, outros and other files that edits may use. */
export function createMediaAssetRoutes(deps: Deps) {
  return {
    listMediaAssets: async ({ query, context }) => {
      const ctx = asUser(deps, context)
      const assets = await listMediaAssets(ctx, query)
      const mediaAssetRoom = await readAssetRoom(ctx)
      return { status: 200, body: { mediaAssets: assets.map(viewMediaAsset), mediaAssetRoom } }
    },
    createMediaAsset: async ({ body, context }) => {
      const { isNew, ...asset } = await createMediaAsset(asUser(deps, context), body.mediaAsset)
      return { status: isNew ? 201 : 200, body: { mediaAsset: viewMediaAsset(asset) } }
    },
    renameMediaAsset: async ({ params, body, context }) => {
      const input = { ...params, ...body.mediaAsset }
      const asset = await renameMediaAsset(asUser(deps, context), input)
      return { status: 200, body: { mediaAsset: viewMediaAsset(asset) } }
    },
    deleteMediaAsset: async ({ params, context }) => {
      await deleteMediaAsset(asUser(deps, context), params)
      return { status: 204 }
    },
  } satisfies Partial<Handlers>
}
