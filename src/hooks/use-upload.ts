import { useCallback, useSyncExternalStore } from 'react'
import { useLive, type Live } from './use-live.ts'
import { useUploadsContext } from './uploads-context.ts'
import { uploadPosterKey } from '#src/local/db/posters.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { UploadProgress } from '#src/local/uploads/api.ts'

/** One upload by its local id; null when there is none, undefined while it is being read. */
export function useUpload(uploadId: string | null): UploadRow | null | undefined {
  const live = useLive(`upload:${uploadId}`, async (db) =>
    uploadId === null ? null : ((await db.uploads.get(uploadId)) ?? null),
  )
  return live.kind === 'ready' ? live.value : undefined
}

/**
 * The upload of this device that became this upload request; null when this device does not hold
 * it.
 */
export function useUploadByRequestId(uploadRequestId: string | null): UploadRow | null | undefined {
  const live = useLive(`upload-request:${uploadRequestId}`, async (db) =>
    uploadRequestId === null
      ? null
      : ((await db.uploads.where('uploadRequestId').equals(uploadRequestId).first()) ?? null),
  )
  return live.kind === 'ready' ? live.value : undefined
}

/**
 * The first picture of an upload as kept on this device; null value when there is none (yet). Local
 * only.
 */
export function useUploadPoster(uploadId: string): Live<Blob | null> {
  return useLive(
    `upload-poster:${uploadId}`,
    async (db) => (await db.images.get(uploadPosterKey(uploadId)))?.blob ?? null,
  )
}

/**
 * Bytes under way, speed and time left, at most 4 times a second; null when nothing was heard yet.
 */
export function useUploadProgress(uploadId: string | null): UploadProgress | null {
  const { progress } = useUploadsContext()
  return useSyncExternalStore(
    progress.subscribe,
    useCallback(() => (uploadId === null ? null : progress.get(uploadId)), [progress, uploadId]),
  )
}
