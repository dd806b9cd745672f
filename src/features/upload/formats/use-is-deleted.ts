import { useLive } from '#src/hooks/sync/use-live.ts'
import { FACTS, readFact } from '#src/local/db/facts.ts'

/**
 * Whether the list of uploads, as this device keeps it, says that the video of an upload request
 * was deleted from the server. Local only; false where nothing is known, undefined while it is
 * being read.
 */
export function useIsDeleted(uploadRequestId: string): boolean | undefined {
  const live = useLive(`is-deleted:${uploadRequestId}`, async (db) => {
    const listed = (await readFact(db, FACTS.uploads))?.value ?? []
    return listed.some((each) => each.uploadRequestId === uploadRequestId && each.isDeleted)
  })
  return live.kind === 'loading' ? undefined : live.kind === 'ready' && live.value
}
