import { useLive } from '#src/hooks/sync/use-live.ts'
import { readFilmstrip } from '#src/local/probe/pictures.ts'

/**
 * Pictures spread over an upload's video, in order, growing while they are made; also offline.
 * Empty while there are none.
 */
export function useFilmstrip(uploadId: string | null): readonly Blob[] {
  const live = useLive(`filmstrip:${uploadId}`, async (db) =>
    uploadId === null ? [] : readFilmstrip(db, uploadId),
  )
  return live.kind === 'ready' ? live.value : []
}
