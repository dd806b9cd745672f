import type { RowOf, StepDeps, StepOutcome } from './steps.ts'
import type { components } from '#openapi/schema.gen.ts'
import { isSameDecisions } from './same-decisions.ts'
import { codeOf, statusOf } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import type { SaveFaceReviewIntent } from '#src/local/db/rows.ts'

type FaceReview = components['schemas']['FaceReview']

/**
 * Sends the decisions about the faces of an edit. What a person changed while they were sent is
 * sent next, based on the revision that the answer brought. A conflict with this device's own
 * write, whose answer was lost, is none; one with another device is for the person. An edit that is
 * gone ends the intention.
 */
export async function stepSaveFaceReview(
  deps: StepDeps,
  row: RowOf<SaveFaceReviewIntent>,
  signal?: AbortSignal,
): Promise<StepOutcome> {
  const { taskId, basedOn, decisions, sent } = row.intent
  const path = { params: { path: { id: taskId } } }
  const init = signal === undefined ? {} : { signal }
  await change(deps, row.id, (intent) => ({ ...intent, sent: decisions }))
  const body = { faceReview: { basedOn, decisions } }
  const answer = await send(
    deps.api.PUT('/v1/media-job-tasks/{id}/faces', { ...path, body, ...init }),
  )
  if (answer.ok) return await accept(deps, row.id, answer.value.faceReview)
  if (statusOf(answer.error) === 404) {
    await deps.db.outbox.delete(row.id)
    return { kind: 'done' }
  }
  if (codeOf(answer.error) !== 'face-reviews/changed')
    return { kind: 'failed', failure: answer.error }
  const now = await send(deps.api.GET('/v1/media-job-tasks/{id}/faces', { ...path, ...init }))
  if (!now.ok) return { kind: 'failed', failure: now.error }
  const { faceReview } = now.value
  if (
    faceReview.revision === basedOn + 1 &&
    sent !== null &&
    isSameDecisions(faceReview.decisions, sent)
  )
    return await accept(deps, row.id, faceReview)
  await keep(deps, faceReview)
  return { kind: 'refused', code: 'face-reviews/changed', message: 'changed elsewhere' }
}

/** Ends the intention, or bases what was changed meanwhile on the new revision. */
async function accept(deps: StepDeps, rowId: string, review: FaceReview): Promise<StepOutcome> {
  await keep(deps, review)
  const { outbox } = deps.db
  return await deps.db.transaction('rw', outbox, async (): Promise<StepOutcome> => {
    const present = await outbox.get(rowId)
    if (present?.intent.kind !== 'save-face-review') return { kind: 'done' }
    const { intent } = present
    if (isSameDecisions(intent.decisions, review.decisions)) {
      await outbox.delete(rowId)
      return { kind: 'done' }
    }
    const next = { ...intent, basedOn: review.revision, sent: null }
    await outbox.put({ ...present, intent: next, attempt: 0, notBeforeEpochMs: 0 })
    return { kind: 'advanced' }
  })
}

async function keep({ db, clock }: StepDeps, value: FaceReview): Promise<void> {
  await db.faceReviews.put({ _id: value.taskId, value, pulledAtEpochMs: clock.now() })
}

async function change(
  { db }: StepDeps,
  rowId: string,
  to: (intent: SaveFaceReviewIntent) => SaveFaceReviewIntent,
): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const present = await db.outbox.get(rowId)
    if (present?.intent.kind === 'save-face-review')
      await db.outbox.put({ ...present, intent: to(present.intent) })
  })
}
