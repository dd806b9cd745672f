import type { PullDeps } from './pull.ts'
import { assetThumbnailKey } from '#src/local/db/asset-pictures.ts'
import { keepImage } from '#src/local/db/images.ts'
import { readAtMost } from '#src/lib/read-at-most.ts'

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
  await saveImages(deps, await findWanted(deps, jobIds))
}

/** The same for the pictures of all media assets; those of assets that are gone go too. */
export async function saveAssetThumbnails(deps: PullDeps): Promise<void> {
  await saveImages(deps, await findWantedOfAssets(deps))
}

async function saveImages(deps: PullDeps, wanted: readonly WantedImage[]): Promise<void> {
  const queue = wanted.values()
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

const ASSET_PREFIX = assetThumbnailKey('')

async function findWantedOfAssets({ db }: PullDeps): Promise<readonly WantedImage[]> {
  try {
    return await db.transaction('rw', db.images, db.mediaAssets, async () => {
      const rows = await db.mediaAssets.toArray()
      const live = new Set(rows.map((row) => assetThumbnailKey(row._id)))
      const saved = await db.images.where('key').startsWith(ASSET_PREFIX).primaryKeys()
      await db.images.bulkDelete(saved.filter((key) => !live.has(key)))
      return rows.flatMap(({ _id, value: { format } }) => {
        const key = assetThumbnailKey(_id)
        const url = format !== null && 'thumbnailUrl' in format ? format.thumbnailUrl : null
        return url === null || saved.includes(key) ? [] : [{ key, url }]
      })
    })
  } catch {
    // As above.
    return []
  }
}

async function saveImage(deps: PullDeps, key: string, url: string): Promise<void> {
  try {
    const picture = await fetchImage(deps, url)
    if (picture !== null) await keepImage(deps, key, picture)
  } catch {
    // No network, an abort or a full disk: a missing picture is not worth a message.
    deps.log.debug('a thumbnail was not saved')
  }
}

/**
 * A picture of the server; null where it has none there. Neither this nor the browser keeps it:
 * the server forbids it as well. Rejects without a network.
 */
export async function fetchImage(
  { fetch, origin }: Pick<PullDeps, 'fetch' | 'origin'>,
  url: string,
): Promise<Blob | null> {
  const answer = await fetch(new Request(new URL(url, origin), { cache: 'no-store' }))
  const type = answer.headers.get('content-type') ?? ''
  if (!answer.ok || !type.startsWith('image/') || answer.body === null) return null
  const bytes = await readAtMost(answer.body, IMAGE_MAX_BYTES)
  return bytes === null ? null : new Blob([bytes], { type })
}
