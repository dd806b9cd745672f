import type { AccountDb } from '#src/local/db/account-db.ts'
import { redoneTaskId } from './redo.ts'
import type { TaskRequest } from './task-requests.ts'

/** Whether an edit of a video can be downloaded, or is still being made. */
export type ExistingEdit = 'ready' | 'at-work'

/** What earlier orders mean for a choice of edits. */
export interface EditsAgain {
  /** What was ordered last for another video; empty when nothing was. */
  readonly last: readonly TaskRequest[]
  /** What was ordered last for this video; empty when nothing was. */
  readonly same: readonly TaskRequest[]
  /** The edits of this video that are there or at work, by preset. */
  readonly existing: ReadonlyMap<string, ExistingEdit>
}

/** As far as this device knows the library. Local read. */
export async function readEditsAgain(db: AccountDb, uploadRequestId: string): Promise<EditsAgain> {
  const isThis = (ofVideo: string) => ofVideo === uploadRequestId
  const [last, same, existing] = await Promise.all([
    readLastRequests(db, (ofVideo) => !isThis(ofVideo)),
    readLastRequests(db, isThis),
    readExistingEdits(db, uploadRequestId),
  ])
  return { last, same, existing }
}

/** The edits of the newest order of such a video whose work began, no redo; empty without. */
async function readLastRequests(
  db: AccountDb,
  isOf: (uploadRequestId: string) => boolean,
): Promise<readonly TaskRequest[]> {
  const newest = await db.mediaJobs
    .orderBy('createdAt')
    .reverse()
    .filter(
      ({ value }) =>
        isOf(value.uploadRequestId) && value.isMediaWorkflowStarted && redoneTaskId(value) === null,
    )
    .first()
  return newest?.value.mediaJobTaskRequests ?? []
}

/** The edits of a video that exist, by preset, of all its orders on this device. */
async function readExistingEdits(
  db: AccountDb,
  uploadRequestId: string,
): Promise<ReadonlyMap<string, ExistingEdit>> {
  const jobs = await db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).toArray()
  const edits = new Map<string, ExistingEdit>()
  for (const { value: job } of jobs)
    for (const { mediaJobTaskPresetSlug: slug, status, outputs } of job.tasks) {
      if (status === 'succeeded' && outputs.length > 0) edits.set(slug, 'ready')
      else if (isAtWork(status) && job.isMediaWorkflowStarted && !edits.has(slug))
        edits.set(slug, 'at-work')
    }
  return edits
}

function isAtWork(status: string): boolean {
  return status === 'created' || status === 'started'
}
