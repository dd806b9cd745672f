import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import { driveSaves, type DriveSave } from '#src/local/nouns/drive-saves.ts'
import { ok, type Result } from '#src/lib/result.ts'

/** Edits whose files go to a drive. */
export interface SavesToStart {
  readonly mediaJobId: string
  readonly externalAuthId: string
  readonly taskIds: readonly string[]
}

/**
 * Lets the server save files to a drive. Needs the network; repeating makes no second copy. 422
 * `external-auths/save-permission-missing`, `external-auths/refresh-expired`.
 */
export async function startDriveSaves(
  deps: CallDeps,
  { mediaJobId: id, externalAuthId, taskIds }: SavesToStart,
): Promise<Result<null, ApiFailure>> {
  const askedAtEpochMs = deps.clock.now()
  const params = { path: { id } }
  const body = { externalAuthId, taskIds: [...taskIds] }
  const answer = await send(deps.api.POST('/v1/media-jobs/{id}/drive-saves', { params, body }))
  return answer.ok ? await keep(deps, answer.value.driveSaves, askedAtEpochMs) : answer
}

/** Stops saving the files of one edit. Needs the network; repeating is harmless. */
export async function cancelDriveSaves(
  deps: CallDeps,
  { mediaJobId: id, taskId }: { readonly mediaJobId: string; readonly taskId: string },
): Promise<Result<null, ApiFailure>> {
  const askedAtEpochMs = deps.clock.now()
  const params = { path: { id }, query: { taskId } }
  const answer = await send(deps.api.DELETE('/v1/media-jobs/{id}/drive-saves', { params }))
  return answer.ok ? await keep(deps, answer.value.driveSaves, askedAtEpochMs) : answer
}

/** An answer lists all saves of the job, in their order. */
async function keep(
  { db }: Pick<CallDeps, 'db'>,
  saves: readonly DriveSave[],
  askedAtEpochMs: number,
): Promise<Result<null, ApiFailure>> {
  const rows = saves.map((save, position) => driveSaves.toRow(save, askedAtEpochMs, position))
  await db.transaction('rw', db.driveSaves, () => putUnlessNewer(db.driveSaves, rows))
  return ok(null)
}
