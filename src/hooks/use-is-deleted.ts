import { useLive } from './use-live.ts'
import { FACTS, readFact } from '#src/local/db/facts.ts'

/**
 * Whether the list of uploads, as this device keeps it, says that the video of an upload request
 * was deleted from the server. Local only; false while nothing is known.
 */
export function useIsDeleted(uploadRequestId: string): boolean {
  const live = useLive(`is-deleted:${uploadRequestId}`, async (db) => {
    const listed = (await readFact(db, FACTS.uploads))?.value ?? []
    return listed.some((each) => each.uploadRequestId === uploadRequestId && each.isDeleted)
  })
  return live.kind === 'ready' && live.value
}
