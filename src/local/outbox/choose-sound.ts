import type { RowOf, StepDeps, StepOutcome } from './steps.ts'
import { statusOf } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import type { ChooseSoundIntent } from '#src/local/db/rows.ts'

/**
 * Tells the server which sound the edits of a video use; repeated until it knows. What it answers
 * is kept with the end of the intention, so that the choice never seems to go back. A video that is
 * gone ends it.
 */
export async function stepChooseSound(
  deps: StepDeps,
  row: RowOf<ChooseSoundIntent>,
  signal?: AbortSignal,
): Promise<StepOutcome> {
  const { db } = deps
  const { uploadRequestId, sound } = row.intent
  const pulledAtEpochMs = deps.clock.now()
  const answer = await send(
    deps.api.PUT('/v1/upload-requests/{id}/sounds', {
      params: { path: { id: uploadRequestId } },
      body: { sound },
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  if (!answer.ok && statusOf(answer.error) !== 404) return { kind: 'failed', failure: answer.error }
  await db.transaction('rw', db.outbox, db.uploadSounds, async () => {
    if (answer.ok) {
      const { uploadSounds: value } = answer.value
      await putUnlessNewer(db.uploadSounds, [{ _id: value._id, value, pulledAtEpochMs }])
    }
    await db.outbox.delete(row.id)
  })
  return { kind: 'done' }
}
