import type { RowOf, StepDeps, StepOutcome } from './steps.ts'
import { codeOf, statusOf } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { dismissReceipt } from '#src/local/db/dismiss-receipt.ts'
import { noteLetGo } from '#src/local/db/own-uploads.ts'
import type { AbortUploadIntent } from '#src/local/db/rows.ts'

/**
 * Tells the server that the user discarded an upload; repeated until it knows. One that the server
 * does not have is discarded already; one that a job uses is not the user's to discard any more.
 * Both end the intention, and the receipt of an asset's file that had arrived.
 */
export async function stepAbortUpload(
  deps: StepDeps,
  row: RowOf<AbortUploadIntent>,
  signal?: AbortSignal,
): Promise<StepOutcome> {
  const answer = await send(
    deps.api.DELETE('/v1/upload-requests/{id}', {
      params: { path: { id: row.intent.uploadRequestId } },
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  if (!answer.ok && statusOf(answer.error) !== 404 && codeOf(answer.error) !== 'uploads/in-use')
    return { kind: 'failed', failure: answer.error }
  const { db } = deps
  await db.transaction('rw', db.outbox, db.uploads, db.facts, async () => {
    await db.outbox.delete(row.id)
    const { uploadRequestId } = row.intent
    await noteLetGo(db, uploadRequestId, deps.clock.now())
    const held = await db.uploads.where('uploadRequestId').equals(uploadRequestId).first()
    if (held !== undefined) await dismissReceipt(db, held.id, deps.clock.now())
  })
  return { kind: 'done' }
}
