import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { requireUser } from '#server/http/request-context.ts'
import { createMediaAsset, listMediaAssets } from '#server/operations/media-assets/create.ts'

/** Intros, outros and other files that edits may use. */
export function createMediaAssetRoutes(deps: Deps) {
  return {
    listMediaAssets: async ({ query, context }) => ({
      status: 200,
      body: { mediaAssets: await listMediaAssets(deps, requireUser(context), query.formatSlug) },
    }),
    createMediaAsset: async ({ body, context }) => {
      const { asset, isNew } = await createMediaAsset(deps, requireUser(context), body.mediaAsset)
      return { status: isNew ? 201 : 200, body: { mediaAsset: asset } }
    },
  } satisfies Partial<Handlers>
}
