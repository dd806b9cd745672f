import { v7 } from 'uuid'
import { eq } from 'drizzle-orm'
import { mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'

/** A job as its rows, for tests about money: no bytes were sent and nothing was rendered. */
export interface StoredJob {
  readonly jobId: string
  readonly uploadId: string
  readonly taskIds: readonly string[]
}

/**
 * Stores an upload with this length (null: not measured yet) and a job with one task for each slug.
 */
export async function storeJob(
  deps: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  slugs: readonly string[],
  durationMs: number | null = 90_000,
): Promise<StoredJob> {
  const uploadId = v7()
  const createdAt = deps.clock()
  await deps.db.insert(uploadRequests).values({
    id: uploadId,
    userId,
    idempotencyKey: uploadId,
    bodyHash: '',
    purpose: 'media-job',
    provider: 's3-multipart',
    clientFilename: 'scene.mp4',
    sizeBytes: 1000,
    partSizeBytes: 1000,
    partCount: 1,
    state: durationMs === null ? 'completed' : 'validated',
    objectKey: `test/${uploadId}`,
    probe: durationMs === null ? null : probe(durationMs),
    createdAt,
    mediaKind: durationMs === null ? null : 'video',
    contentType: durationMs === null ? null : 'video/mp4',
    uploadEndedAt: createdAt,
    metadataProcessedAt: durationMs === null ? null : createdAt,
  })
  const jobId = v7()
  await deps.db
    .insert(mediaJobs)
    .values({ id: jobId, userId, uploadRequestId: uploadId, name: 'scene', createdAt })
  return { jobId, uploadId, taskIds: await storeTasks(deps, jobId, slugs) }
}

/** Adds tasks to a job. */
export async function storeTasks(
  deps: Pick<Deps, 'db' | 'clock'>,
  jobId: string,
  slugs: readonly string[],
): Promise<string[]> {
  const rows = slugs.map((presetSlug, position) => ({
    id: v7(),
    mediaJobId: jobId,
    position,
    presetSlug,
    name: presetSlug,
    payload: {},
    status: 'created' as const,
    createdAt: deps.clock(),
  }))
  await deps.db.insert(mediaJobTasks).values(rows)
  return rows.map((row) => row.id)
}

/** The length becomes known and the upload valid. */
export async function measureUpload(
  deps: Pick<Deps, 'db' | 'clock'>,
  uploadId: string,
  durationMs: number,
): Promise<void> {
  await deps.db
    .update(uploadRequests)
    .set({ state: 'validated', probe: probe(durationMs), metadataProcessedAt: deps.clock() })
    .where(eq(uploadRequests.id, uploadId))
}

function probe(durationMs: number): Record<string, unknown> {
  return {
    durationMs,
    width: 1920,
    height: 1080,
    frameRate: 30,
    hasAudio: true,
    videoCodec: 'h264',
    audioCodec: 'aac',
    audioChannels: 2,
    isHdr: false,
    fileName: 'scene.mp4',
  }
}
