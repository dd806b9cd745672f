import { useLive } from './use-live.ts'

/**
 * Whether a video of the server is held after a report, as this device last heard; true while that
 * is being read. Local only.
 */
export function useIsHeld(uploadRequestId: string | null): boolean {
  const live = useLive(`is-held:${uploadRequestId ?? ''}`, async (db) => {
    if (uploadRequestId === null) return false
    const jobs = await db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).toArray()
    return jobs.some(({ value }) => value.isHeld === true)
  })
  return live.kind !== 'ready' || live.value
}
