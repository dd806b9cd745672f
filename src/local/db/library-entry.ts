import { jobState } from './job-state.ts'
import type { LibraryEntryRow, MediaJobRow } from './rows.ts'

/** What the library needs of a job ([Note: library entries] in `media-jobs.ts`). */
export function entryOf({ value }: Pick<MediaJobRow, 'value'>): LibraryEntryRow {
  return {
    _id: value._id,
    name: value.name,
    createdAt: value.createdAt,
    uploadRequestId: value.uploadRequestId,
    state: jobState(value, null).kind,
    formats: [...new Set(value.tasks.map((task) => task.mediaJobTaskPresetSlug))],
  }
}
