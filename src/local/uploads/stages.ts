import type { UploadEvent } from './machine.ts'
import { missingParts, planFromParts } from './plan.ts'
import { uploadDelayMs } from './backoff.ts'
import { apiProblemEvent, stallEvent, type Patience } from './problems.ts'
import type { ServerUpload, UploadApiProblem, UploadDeps } from './ports.ts'
import type { UploadSession } from './session.ts'
import type { Result } from '#src/lib/result.ts'
import type { PartPlan } from '#src/local/db/rows.ts'

/** First and longest wait between two looks at the server while it checks the file. */
const VERIFY_FIRST_MS = 1_000
const VERIFY_LAST_MS = 30_000

/**
 * Creates the upload at the server, idempotent by the row's key, and stores the plan before the
 * first byte is sent. `onCreated` hears the server's answer.
 */
export async function prepareUpload(
  deps: UploadDeps,
  session: UploadSession,
  patience: Patience,
  onCreated: (server: ServerUpload, plan: PartPlan) => void,
): Promise<UploadEvent> {
  const row = session.row()
  const answer = await deps.api.create(row, session.signal)
  if (!answer.ok)
    return answer.error.kind === 'parts-differ'
      ? { kind: 'fail', code: 'upload/refused', message: null }
      : apiProblemEvent(deps, patience, answer.error)
  patience.failedInARow = 0
  const plan = planFromParts(answer.value.parts, row.file.sizeBytes)
  if (!plan.ok) return { kind: 'fail', code: 'upload/unexpected', message: null }
  onCreated(answer.value, plan.value)
  return { kind: 'planned', uploadRequestId: answer.value.uploadRequestId, plan: plan.value }
}

/** The server's answer to 'that is all'; null where it cannot be said. */
export type Completion = Result<ServerUpload, UploadApiProblem> | null

/**
 * Says that all parts are there, as far as this session knows. It may be said before the rows do:
 * the server's own list decides, and who finds the rows after a crash asks it first.
 */
export async function sayComplete(
  deps: Pick<UploadDeps, 'api'>,
  session: UploadSession,
): Promise<Completion> {
  const { uploadRequestId } = session.row()
  const parts = Array.from(session.safeParts().values()).toSorted(
    (a, b) => a.partNumber - b.partNumber,
  )
  return uploadRequestId === null ? null : deps.api.complete(uploadRequestId, parts, session.signal)
}

/**
 * Puts the parts together at the server. Where its list differs from ours, its list wins and the
 * rest is sent again.
 */
export async function completeUpload(
  deps: UploadDeps,
  session: UploadSession,
  patience: Patience,
  saying: Promise<Completion>,
): Promise<UploadEvent> {
  const { uploadRequestId, plan } = session.row()
  const answer = await saying
  if (uploadRequestId === null || plan === null || answer === null) return { kind: 'gone' }
  if (answer.ok) {
    patience.failedInARow = 0
    return answer.value.state === 'aborted' ? { kind: 'gone' } : { kind: 'completed' }
  }
  if (answer.error.kind !== 'parts-differ') return apiProblemEvent(deps, patience, answer.error)
  const server = await deps.api.read(uploadRequestId, session.signal)
  if (!server.ok) return apiProblemEvent(deps, patience, server.error)
  if (server.value.state !== 'open')
    return { kind: server.value.state === 'aborted' ? 'gone' : 'completed' }
  await session.adopt(server.value)
  // Nothing missing and yet refused: do not run in circles.
  if (missingParts(plan, new Set(session.safeParts().keys())).length === 0)
    return stallEvent(deps, patience, 'server', null)
  return { kind: 'parts-missing' }
}

/**
 * Watches the server check the whole file. Silence changes nothing: the bytes are safe. Null when
 * the session ended.
 */
export async function verifyUpload(
  deps: UploadDeps,
  session: UploadSession,
): Promise<UploadEvent | null> {
  for (
    let delayMs = VERIFY_FIRST_MS;
    !session.signal.aborted;
    delayMs = Math.min(VERIFY_LAST_MS, delayMs * 2)
  ) {
    const answer = await deps.api.read(session.row().uploadRequestId ?? '', session.signal)
    if (session.signal.aborted) return null
    if (answer.ok) {
      switch (answer.value.state) {
        case 'validated':
          return { kind: 'confirmed' }
        case 'failed':
          return { kind: 'fail', code: 'upload/invalid-file', message: answer.value.failureReason }
        case 'aborted':
          return { kind: 'gone' }
        case 'open':
          return { kind: 'parts-missing' }
        case 'completed':
          break
      }
    } else if (answer.error.kind === 'gone') return { kind: 'gone' }
    else if (answer.error.kind === 'signed-out') return { kind: 'auth-lost' }
    await deps.clock.sleep(delayMs, session.signal)
  }
  return null
}

/**
 * Tells the server that the upload is not wanted, after the time to undo, until it has understood.
 * A durable intent: the row stays until then.
 */
export async function discardUpload(
  deps: UploadDeps,
  session: UploadSession,
): Promise<UploadEvent | null> {
  const { state, uploadRequestId } = session.row()
  if (state.kind !== 'discarding') return null
  const waitMs = state.undoUntilEpochMs - deps.clock.now()
  if (waitMs > 0) await deps.clock.sleep(waitMs, session.signal)
  if (uploadRequestId === null) return { kind: 'abort-acknowledged' }
  for (let attempt = 1; !session.signal.aborted; attempt += 1) {
    const answer = await deps.api.abort(uploadRequestId, session.signal)
    if (session.signal.aborted) return null
    if (
      answer.ok ||
      answer.error.kind === 'gone' ||
      answer.error.kind === 'in-use' ||
      answer.error.kind === 'refused'
    )
      return { kind: 'abort-acknowledged' }
    await deps.clock.sleep(
      uploadDelayMs(
        attempt,
        deps.random(),
        answer.error.kind === 'busy' ? answer.error.retryAfterMs : null,
      ),
      session.signal,
    )
  }
  return null
}
