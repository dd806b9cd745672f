import { useQuery } from '@tanstack/react-query'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useJitter } from '#src/hooks/clock/use-jitter.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { MediaJob } from './use-library.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { pictureOf } from '#src/local/db/images.ts'
import { jobState } from '#src/local/db/job-state.ts'
import { uploadPosterKey } from '#src/local/db/posters.ts'
import {
  keepAttestation,
  readAttestation,
  type KnownAttestation,
} from '#src/local/edits/attestation.ts'
import { redoneTaskId } from '#src/local/edits/redo.ts'
import { jobThumbnailKey } from '#src/local/sync/images.ts'
import { jobPollMs } from '#src/local/sync/intervals.ts'

/**
 * One job with its tasks; polled while it is not finished. A 404 is `failed` with
 * `statusOf(failure) === 404`.
 */
export function useMediaJob(mediaJobId: string): Shown<MediaJob> {
  const { ports } = useLocal()
  const jitter = useJitter()
  const find = async (db: AccountDb) => {
    const row = await db.mediaJobs.get(mediaJobId)
    return row === undefined ? null : { data: row.value, asOfEpochMs: row.pulledAtEpochMs }
  }
  const key = `media-job:${mediaJobId}`
  const known = useLive(key, find)
  const job = known.kind === 'ready' ? (known.value?.data ?? null) : null
  return usePulled(usePulls().mediaJob(mediaJobId), {
    key,
    find,
    refetchInterval: () =>
      job === null ? false : jobPollMs(jobState(job, null).kind, ports.isVisible(), jitter),
  })
}

/**
 * A job for its card: from this device, and with `isPulled` asked for by itself, while it is not
 * finished again and again. Null value when this device does not have it.
 */
export function useKnownJob(
  mediaJobId: string,
  { isPulled }: { readonly isPulled: boolean },
): Live<MediaJob | null> {
  const { ports } = useLocal()
  const jitter = useJitter()
  const live = useLive(
    `media-job:${mediaJobId}`,
    async (db) => (await db.mediaJobs.get(mediaJobId))?.value ?? null,
  )
  const job = live.kind === 'ready' ? live.value : null
  const pull = usePulls().mediaJob(mediaJobId)
  useQuery({
    ...pull,
    enabled: pull.enabled === true && isPulled,
    refetchInterval: () =>
      job === null ? false : jobPollMs(jobState(job, null).kind, ports.isVisible(), jitter),
    refetchIntervalInBackground: true,
  })
  return live
}

/**
 * The newest job of an upload request that this device knows and that is no redo; null value when
 * there is none. Local only.
 */
export function useUploadJob(uploadRequestId: string): Live<MediaJob | null> {
  return useLive(`upload-job:${uploadRequestId}`, async (db) => {
    const rows = await db.mediaJobs
      .where('uploadRequestId')
      .equals(uploadRequestId)
      .sortBy('createdAt')
    return rows.findLast(({ value }) => redoneTaskId(value) === null)?.value ?? null
  })
}

/**
 * Whether the video was attested, with its first order or before an edit that this device made.
 * Local only; 'none' while nothing is known, since being asked twice costs less than an order that
 * is refused.
 */
export function useUploadAttestation(
  uploadRequestId: string | null,
  uploadId: string | null = null,
): KnownAttestation {
  const known = useLive(`upload-attestation:${uploadRequestId ?? ''}:${uploadId ?? ''}`, (db) =>
    readAttestation(db, { uploadRequestId, uploadId }),
  )
  return known.kind === 'ready' ? known.value : 'none'
}

/** Keeps on this device that a video was attested, for its first order. */
export function useKeepAttestation(): (uploadId: string) => Promise<void> {
  const { clock } = useLocal()
  const account = useAccount()
  return async (uploadId) => {
    if (account !== null) await keepAttestation(account.db, uploadId, clock.now())
  }
}

/**
 * The job's picture as saved on this device: the server's, else the one this device made of the
 * chosen file, which is there before the upload is. Null value when there is neither (yet). Local
 * only.
 */
export function useJobThumbnail(mediaJobId: string): Live<Blob | null> {
  return useLive(`thumbnail:${mediaJobId}`, async (db) => {
    const thumbnail = await db.images.get(jobThumbnailKey(mediaJobId))
    if (thumbnail !== undefined) return pictureOf(thumbnail)
    const job = await db.mediaJobs.get(mediaJobId)
    const upload =
      job === undefined
        ? undefined
        : await db.uploads.where('uploadRequestId').equals(job.uploadRequestId).first()
    const poster = upload && (await db.images.get(uploadPosterKey(upload.id)))
    return poster === undefined ? null : pictureOf(poster)
  })
}
