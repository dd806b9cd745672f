import type { PullDeps } from './pull.ts'

/** Larger answers are not thumbnails. */
const IMAGE_MAX_BYTES = 2 * 1024 * 1024
/** One at a time would be slow, all at once would compete with an upload. */
const CONCURRENT = 3

/** Key of a job's picture in `images`. */
export function jobThumbnailKey(mediaJobId: string): string {
  return `media-job-thumbnail:${mediaJobId}`
}

/**
 * Saves the pictures of these jobs that this device does not have yet, so that the library shows
 * them offline. Best effort: never rejects; what fails is tried again at the next call. Reads
 * remotely, writes locally.
 */
export async function saveJobThumbnails(deps: PullDeps, jobIds: readonly string[]): Promise<void> {
  const queue = (await findWanted(deps, jobIds)).values()
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      for (const item of queue) await saveImage(deps, item.key, item.url)
    }),
  )
}

interface WantedImage {
  readonly key: string
  readonly url: string
}

async function findWanted(
  { db }: PullDeps,
  jobIds: readonly string[],
): Promise<readonly WantedImage[]> {
  try {
    const keys = jobIds.map(jobThumbnailKey)
    const saved = new Set(await db.images.where('key').anyOf(keys).primaryKeys())
    const jobs = await db.mediaJobs.bulkGet(jobIds.filter((id) => !saved.has(jobThumbnailKey(id))))
    return jobs.flatMap((row) => {
      const url = row?.value.thumbnailUrl ?? null
      return row === undefined || url === null ? [] : [{ key: jobThumbnailKey(row._id), url }]
    })
  } catch {
    // The account was signed out while its library loaded, which closes the database.
    return []
  }
}

async function saveImage(deps: PullDeps, key: string, url: string): Promise<void> {
  try {
    const answer = await deps.fetch(new Request(new URL(url, deps.origin), { cache: 'no-store' }))
    const blob = answer.ok ? await answer.blob() : null
    if (blob === null || !blob.type.startsWith('image/') || blob.size > IMAGE_MAX_BYTES) return
    await deps.db.images.put({ key, blob, savedAtEpochMs: deps.clock.now() })
  } catch {
    // No network, an abort or a full disk: a missing picture is not worth a message.
    deps.log.debug('a thumbnail was not saved')
  }
}
