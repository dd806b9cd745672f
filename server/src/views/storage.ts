import type { components } from '#openapi/schema.gen.ts'
import type { StorageOverview } from '#server/operations/storage/overview.ts'

/** What lies on the server as the contract shows it. */
export function viewStorage({
  videos,
  ...facts
}: StorageOverview): components['schemas']['Storage'] {
  return {
    ...facts,
    videos: videos.map(({ uploadedAt, sourceGoesAt, resultsGoAt, ...video }) => ({
      ...video,
      uploadedAt: uploadedAt.toISOString(),
      sourceGoesAt: sourceGoesAt?.toISOString() ?? null,
      resultsGoAt: resultsGoAt?.toISOString() ?? null,
    })),
  }
}
