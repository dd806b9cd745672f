import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { progressAtom } from './progress-atoms.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import { pictureOf } from '#src/local/db/images.ts'
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
  return useLive(`upload-poster:${uploadId}`, async (db) => {
    const poster = await db.images.get(uploadPosterKey(uploadId))
    return poster === undefined ? null : pictureOf(poster)
  })
}

/**
 * Bytes in flight, speed and time left, at most 4 times a second, and once a second while no person
 * is at the page; null before the first report.
 */
export function useUploadProgress(uploadId: string | null): UploadProgress | null {
  // An atom's identity is its subscription; it must survive renders.
  const ofUpload = useMemo(
    () => atom((get) => (uploadId === null ? null : (get(progressAtom).get(uploadId) ?? null))),
    [uploadId],
  )
  return useAtomValue(ofUpload)
}
