import type { components } from '#openapi/schema.gen.ts'
import type { JobState } from '#src/local/db/job-state.ts'
import { MINUTE_MS, SECOND_MS } from '#src/lib/time.ts'

type MediaAsset = components['schemas']['MediaAsset']

const WORKING_MIN_MS = 2 * SECOND_MS
const WORKING_MAX_MS = 5 * SECOND_MS
const WAITING_MS = 10 * SECOND_MS
const HIDDEN_MS = 30 * SECOND_MS
const ASSET_MS = 3 * SECOND_MS
/** While the server fetches a video and a person looks. */
export const IMPORT_MS = 3 * SECOND_MS
/** While results are saved to a drive, and a person looks. */
export const DRIVE_SAVE_MS = 3 * SECOND_MS
/** What is not made by then does not come. */
const ASSET_MADE_WITHIN_MS = 10 * MINUTE_MS

/**
 * How long an answer counts as fresh; a younger one is not pulled again. Nouns name their own time.
 */
export const STALE_AFTER_MS = {
  capabilities: 10 * MINUTE_MS,
  me: MINUTE_MS,
  sessions: MINUTE_MS,
  passkeys: MINUTE_MS,
  storage: MINUTE_MS,
  mediaJobs: 10 * SECOND_MS,
  uploads: 10 * SECOND_MS,
  order: 10 * SECOND_MS,
} as const

/**
 * When to ask for a job again: every 2 to 5 s while it is worked on and the page is visible, 10 s
 * while it waits (for its upload or payment), 30 s while hidden, never once it is finished.
 * @param random 0 <= random < 1, so that many clients do not ask in step
 */
export function jobPollMs(
  state: JobState['kind'],
  isVisible: boolean,
  random: number,
): number | false {
  if (state === 'completed' || state === 'failed') return false
  if (!isVisible) return HIDDEN_MS
  return state === 'in-progress'
    ? WORKING_MIN_MS + Math.round(random * (WORKING_MAX_MS - WORKING_MIN_MS))
    : WAITING_MS
}

/** The shortest wish of several jobs (the library), or false when all are finished. */
export function jobsPollMs(
  states: readonly JobState['kind'][],
  isVisible: boolean,
  random: number,
): number | false {
  const wishes = states
    .map((state) => jobPollMs(state, isVisible, random))
    .filter((wish) => wish !== false)
  return wishes.length === 0 ? false : Math.min(...wishes)
}

/**
 * When to ask for the assets again: every 3 s while one is being processed, or a new one waits for
 * its picture or preview; else never.
 * @param hasNewer whether this device knows one from after the last list, whose room and pictures
 * miss it, or one that is gone since
 */
export function assetsPollMs(
  assets: readonly MediaAsset[],
  hasNewer: boolean,
  nowEpochMs: number,
): number | false {
  const isAwaited = ({ format, createdAt }: MediaAsset): boolean =>
    format === null ||
    (isPictureAwaited(format) && nowEpochMs - Date.parse(createdAt) < ASSET_MADE_WITHIN_MS)
  return hasNewer || assets.some(isAwaited) ? ASSET_MS : false
}

function isPictureAwaited(format: NonNullable<MediaAsset['format']>): boolean {
  switch (format.slug) {
    case 'video':
    case 'image':
      return format.thumbnailUrl === null
    case 'audio':
      return format.previewUrl === null
    case 'unsupported':
      return false
  }
}
