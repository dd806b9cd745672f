import { err, ok, type Result } from '#recipes/result.ts'
import type { Ctx } from '#server/context.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { searchFaces } from '#server/operations/processing/faces/search.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'
import type { ClaimedTask } from '#server/operations/processing/tasks/claim.ts'
import type { Lease } from '#server/operations/core/lease.ts'
import { SEARCH_SHARE } from '#server/operations/media/media-jobs/progress.ts'
import { failureOfRun, type RenderFailure } from './render-outputs.ts'

/** One attempt at the search that comes before a review. */
interface SearchAttempt extends ClaimedTask {
  readonly ffmpeg: Ffmpeg
  readonly folder: string
  readonly lease: Lease
  readonly signal: AbortSignal
  readonly onProgress: (ratio: number) => void
}

/**
 * Searches the faces for a task: the first of an upload searches, the others wait for its result.
 * Rejects when aborted or when the machine fails.
 */
export async function searchTaskFaces(
  ctx: Ctx,
  { upload, ffmpeg, folder, lease, signal, onProgress }: SearchAttempt,
): Promise<Result<void, RenderFailure>> {
  const source = readStoredProbe(upload.probe)
  if (source === null) return err(failureOfRun(NO_PROBE))
  const video = {
    source,
    folder,
    signal,
    onProgress: (ratio: number) => onProgress(ratio * SEARCH_SHARE),
  }
  const found = await ctx.copies.use(
    planOf(upload),
    signal,
    async (path) =>
      await lease.alone(
        `faces:${upload.id}`,
        signal,
        async () => await searchFaces(ctx, { upload, ffmpeg, video: { ...video, path } }),
      ),
  )
  return found.ok ? ok(undefined) : err(failureOfRun(found.error))
}

const NO_PROBE = { code: 'media/failed', detail: 'the upload has no probe', fault: null } as const
