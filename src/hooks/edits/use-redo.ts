import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import { readRedoSubject, readTask, type RedoSubject } from '#src/local/edits/redo.ts'
import type { MediaJob } from './use-library.ts'

export type { RedoSubject }
type Task = MediaJob['tasks'][number]

/** An edit to make again; null value where this device does not have it. Local only. */
export function useRedoSubject(uploadRequestId: string, taskId: string): Live<RedoSubject | null> {
  return useLive(`redo:${taskId}`, (db) => readRedoSubject(db, uploadRequestId, taskId))
}

/**
 * The edit that another one of this video makes again; null for other edits, while it is read, and
 * where this device does not have it. Local only.
 */
export function useRedone(
  uploadRequestId: string,
  { redoOfTaskId = null }: Pick<Task, 'redoOfTaskId'>,
): Task | null {
  const live = useLive(`task:${redoOfTaskId}`, async (db) =>
    redoOfTaskId === null ? null : readTask(db, uploadRequestId, redoOfTaskId),
  )
  return live.kind === 'ready' ? live.value : null
}
