import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { createMediaAsset } from '#server/operations/media-assets/create.ts'
import { listMediaAssets } from '#server/operations/media-assets/list.ts'
import { viewMediaAsset } from '#server/views/media-asset.ts'

/** Intros, outros and other files that edits may use. */
export function createMediaAssetRoutes(deps: Deps) {
  return {
    listMediaAssets: async ({ query, context }) => {
      const assets = await listMediaAssets(asUser(deps, context), query)
      return { status: 200, body: { mediaAssets: assets.map(viewMediaAsset) } }
    },
    createMediaAsset: async ({ body, context }) => {
      const { isNew, ...asset } = await createMediaAsset(asUser(deps, context), body.mediaAsset)
      return { status: isNew ? 201 : 200, body: { mediaAsset: viewMediaAsset(asset) } }
    },
  } satisfies Partial<Handlers>
}
