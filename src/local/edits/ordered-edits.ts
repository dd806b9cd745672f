import type { AccountDb } from '#src/local/db/account-db.ts'
import type { TaskRequest } from './task-requests.ts'

/** The edits of a video that are submitted and not made yet. */
export async function orderedEdits(
  db: AccountDb,
  { id, uploadRequestId }: { readonly id: string; readonly uploadRequestId: string },
): Promise<readonly TaskRequest[]> {
  const [outbox, jobs] = await Promise.all([
    db.outbox.toArray(),
    db.mediaJobs.where({ uploadRequestId }).toArray(),
  ])
  return [
    ...outbox.flatMap(({ intent, state }) =>
      intent.kind === 'submit-edits' &&
      state.kind !== 'refused' &&
      (intent.uploadId === id || intent.uploadRequestId === uploadRequestId)
        ? intent.requests
        : [],
    ),
    ...jobs.flatMap(({ value }) =>
      value.mediaJobTaskRequests.filter((request) =>
        value.tasks.some(
          ({ status, mediaJobTaskPresetSlug: slug }) =>
            status === 'created' && slug === request.mediaJobTaskPresetSlug,
        ),
      ),
    ),
  ]
}
