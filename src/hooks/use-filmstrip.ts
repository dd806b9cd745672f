import { useLive } from './use-live.ts'
import { posterKey, readFilmstrip } from '#src/local/probe/pictures.ts'

/** Pictures spread over an upload's video, in order, growing while they are made; also offline. Empty while there are none. */
export function useFilmstrip(uploadId: string | null): readonly Blob[] {
  const live = useLive(`filmstrip:${uploadId}`, async (db) => (uploadId === null ? [] : readFilmstrip(db, uploadId)))
  return live.kind === 'ready' ? live.value : []
}

/** The first picture of an upload request's video, when this device made it; null while there is none. */
export function usePoster(uploadRequestId: string | null): Blob | null {
  const live = useLive(`poster:${uploadRequestId}`, async (db) => {
    const row = uploadRequestId === null ? undefined : await db.uploads.where('uploadRequestId').equals(uploadRequestId).first()
    return row === undefined ? null : ((await db.images.get(posterKey(row.id)))?.blob ?? null)
  })
  return live.kind === 'ready' ? live.value : null
}
