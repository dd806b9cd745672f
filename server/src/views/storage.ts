import type { components } from '#openapi/schema.gen.ts'
import type { StorageOverview } from '#server/operations/media/storage/overview.ts'

/** What lies on the server as the contract shows it. */
export function viewStorage({
  videos,
  deletions,
  ...facts
}: StorageOverview): components['schemas']['Storage'] {
  return {
    ...facts,
    deletions: deletions.map(({ id, begunAt, doneAt, ...line }) => ({
      ...line,
      _id: id,
      begunAt: begunAt.toISOString(),
      doneAt: doneAt?.toISOString() ?? null,
    })),
    videos: videos.map(({ uploadedAt, sourceGoesAt, resultsGoAt, ...video }) => ({
      ...video,
      uploadedAt: uploadedAt.toISOString(),
      sourceGoesAt: sourceGoesAt?.toISOString() ?? null,
      resultsGoAt: resultsGoAt?.toISOString() ?? null,
    })),
  }
}
