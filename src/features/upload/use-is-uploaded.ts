import { useLive } from '#src/hooks/sync/use-live.ts'
import { FACTS, readFact } from '#src/local/db/facts.ts'
import { isReceived } from '#src/local/db/upload-states.ts'

/**
 * Whether this device knows that the whole file of an upload request has arrived: by its own
 * upload, else by a job of the video or by the list of uploads. Local only; false while nothing is
 * known.
 */
export function useIsUploaded(uploadRequestId: string | null): boolean {
  const live = useLive(`is-uploaded:${uploadRequestId}`, async (db) => {
    if (uploadRequestId === null) return false
    const own = await db.uploads.where({ uploadRequestId }).first()
    if (own !== undefined) return isReceived(own.state.kind)
    const jobs = await db.mediaJobs.where({ uploadRequestId }).toArray()
    if (jobs.some(({ value }) => value.isUploadRequestCompleted)) return true
    const listed = (await readFact(db, FACTS.uploads))?.value ?? []
    return listed.some((each) => each.uploadRequestId === uploadRequestId && each.hasEnded)
  })
  return live.kind === 'ready' && live.value
}
