import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import { missingParts, planFromParts } from '#src/local/uploads/model/plan.ts'
import { uploadDelayMs } from '#src/local/uploads/model/backoff.ts'
import { apiProblemEvent, backOffEvent, type Retries } from '#src/local/uploads/model/problems.ts'
import type { ServerUpload, UploadApiProblem, UploadDeps } from '#src/local/uploads/ports.ts'
import type { UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import type { Result } from '#src/lib/result.ts'
import type { PartPlan } from '#src/local/db/rows.ts'

/** First and longest pause between two calls while the server checks the file. */
const VERIFY_FIRST_MS = 1_000
const VERIFY_LAST_MS = 30_000

/**
 * Creates the upload at the server, idempotent by the row's key, and stores the plan before the
 * first byte is sent. Calls `onCreated` with the server's answer.
 */
export async function prepareUpload(
  deps: UploadDeps,
  claim: UploadClaim,
  retries: Retries,
  onCreated: (server: ServerUpload, plan: PartPlan) => void,
): Promise<UploadEvent> {
  const row = claim.row()
  const answer = await deps.api.create(row, claim.signal)
  if (!answer.ok)
    return answer.error.kind === 'parts-differ'
      ? { kind: 'fail', code: 'upload/refused', message: null }
      : apiProblemEvent(deps, retries, answer.error)
  retries.failedInARow = 0
  const plan = planFromParts(answer.value.parts, row.file.sizeBytes)
  if (!plan.ok) return { kind: 'fail', code: 'upload/unexpected', message: null }
  onCreated(answer.value, plan.value)
  return { kind: 'planned', uploadRequestId: answer.value.uploadRequestId, plan: plan.value }
}

/** The server's answer to the completing call; null when the upload has no id at the server. */
export type Completion = Result<ServerUpload, UploadApiProblem> | null

/**
 * Tells the server that all parts are there, as far as this claim knows. The call may come before
 * the last rows are written: the server's own list decides, and a driver that finds the rows after
 * a crash asks the server first.
 */
export async function requestCompletion(
  deps: Pick<UploadDeps, 'api'>,
  claim: UploadClaim,
): Promise<Completion> {
  const { uploadRequestId } = claim.row()
  const parts = Array.from(claim.safeParts().values()).toSorted(
    (a, b) => a.partNumber - b.partNumber,
  )
  return uploadRequestId === null ? null : deps.api.complete(uploadRequestId, parts, claim.signal)
}

/**
 * Completes the upload at the server. If the server's part list differs from ours, the server's
 * list wins and the missing parts are sent again.
 */
export async function completeUpload(
  deps: UploadDeps,
  claim: UploadClaim,
  retries: Retries,
  completing: Promise<Completion>,
): Promise<UploadEvent> {
  const { uploadRequestId, plan } = claim.row()
  const answer = await completing
  if (uploadRequestId === null || plan === null || answer === null) return { kind: 'gone' }
  if (answer.ok) {
    retries.failedInARow = 0
    return answer.value.state === 'aborted' ? { kind: 'gone' } : { kind: 'completed' }
  }
  if (answer.error.kind !== 'parts-differ') return apiProblemEvent(deps, retries, answer.error)
  const server = await deps.api.read(uploadRequestId, claim.signal)
  if (!server.ok) return apiProblemEvent(deps, retries, server.error)
  if (server.value.state !== 'open')
    return { kind: server.value.state === 'aborted' ? 'gone' : 'completed' }
  await claim.adopt(server.value)
  // No part is missing and the server still refuses: back off instead of repeating in a loop.
  if (missingParts(plan, new Set(claim.safeParts().keys())).length === 0)
    return backOffEvent(deps, retries, 'server', null)
  return { kind: 'parts-missing' }
}

/**
 * Polls the server while it checks the whole file. A missing answer changes nothing: the bytes are
 * safe. Null when the claim ended.
 */
export async function verifyUpload(
  deps: UploadDeps,
  claim: UploadClaim,
): Promise<UploadEvent | null> {
  for (
    let delayMs = VERIFY_FIRST_MS;
    !claim.signal.aborted;
    delayMs = Math.min(VERIFY_LAST_MS, delayMs * 2)
  ) {
    const answer = await deps.api.read(claim.row().uploadRequestId ?? '', claim.signal)
    if (claim.signal.aborted) return null
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
    await deps.clock.sleep(delayMs, claim.signal)
  }
  return null
}

/**
 * Aborts the upload at the server after the time to undo, and retries until the server confirms.
 * The intent is durable: the row stays until then.
 */
export async function discardUpload(
  deps: UploadDeps,
  claim: UploadClaim,
): Promise<UploadEvent | null> {
  const { state, uploadRequestId } = claim.row()
  if (state.kind !== 'discarding') return null
  const waitMs = state.undoUntilEpochMs - deps.clock.now()
  if (waitMs > 0) await deps.clock.sleep(waitMs, claim.signal)
  if (uploadRequestId === null) return { kind: 'abort-acknowledged' }
  for (let attempt = 1; !claim.signal.aborted; attempt += 1) {
    const answer = await deps.api.abort(uploadRequestId, claim.signal)
    if (claim.signal.aborted) return null
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
      claim.signal,
    )
  }
  return null
}
