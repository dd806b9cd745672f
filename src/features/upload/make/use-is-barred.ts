import { useLive } from '#src/hooks/sync/use-live.ts'
import { FACTS, readFact } from '#src/local/db/facts.ts'

/**
 * Whether the server holds a video after a report, or has refused it, as this device last heard;
 * true while that is being read. Local only.
 */
export function useIsBarred(uploadRequestId: string | null): boolean {
  const live = useLive(`is-barred:${uploadRequestId ?? ''}`, async (db) => {
    if (uploadRequestId === null) return false
    const jobs = await db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).toArray()
    if (jobs.some(({ value }) => value.isHeld === true || value.isUploadRequestFailed)) return true
    const listed = (await readFact(db, FACTS.uploads))?.value ?? []
    return listed.some((upload) => upload.uploadRequestId === uploadRequestId && upload.isFailed)
  })
  return live.kind !== 'ready' || live.value
}
