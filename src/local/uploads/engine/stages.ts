import { uploadDelayMs } from '#src/local/uploads/model/backoff.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import { planOf } from '#src/local/uploads/model/plan.ts'
import {
  apiProblemEvent,
  backOffEvent,
  because,
  type Retries,
} from '#src/local/uploads/model/problems.ts'
import type { UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import type { ServerUpload, UploadApiProblem, UploadDeps } from '#src/local/uploads/ports.ts'
import { endedAtServer } from '#src/local/uploads/transfer/ended-at-server.ts'
import type { PartPlan, UploadFailureCode, UploadState } from '#src/local/db/rows.ts'

/** First and longest pause between two calls while the server checks the file. */
const VERIFY_FIRST_MS = 1_000
const VERIFY_LAST_MS = 8_000

/** What creating an upload came to; `server` is its answer, if the upload can be sent. */
export interface Creation {
  readonly event: UploadEvent
  readonly server: ServerUpload | null
}

/**
 * Creates the upload at the server, idempotent by the row's key. Only a refusal that names the file
 * itself ends the upload.
 */
export async function createUpload(
  deps: UploadDeps,
  claim: UploadClaim,
  retries: Retries,
): Promise<Creation> {
  const row = claim.row()
  const answer = await deps.api.create(row, claim.signal)
  if (!answer.ok) return { event: creationProblem(deps, retries, answer.error), server: null }
  retries.failedInARow = 0
  const { uploadRequestId, plan: cut } = answer.value
  const plan = planOf(cut, row.file.sizeBytes)
  return plan === null
    ? { event: { kind: 'fail', code: 'upload/unexpected', message: null }, server: null }
    : { event: { kind: 'planned', uploadRequestId, plan }, server: answer.value }
}

/** Refusals that another try of the same file cannot change, by the server's code. */
const FINAL_REFUSALS: Readonly<Record<string, UploadFailureCode>> = {
  'uploads/too-large': 'upload/too-large',
  'request/invalid': 'upload/refused',
  'request/idempotency-conflict': 'upload/refused',
  'uploads/provider-not-offered': 'upload/refused',
}

function creationProblem(
  deps: UploadDeps,
  retries: Retries,
  problem: UploadApiProblem,
): UploadEvent {
  const code = problem.kind === 'refused' ? FINAL_REFUSALS[problem.code] : undefined
  return problem.kind === 'refused' && code !== undefined
    ? { kind: 'fail', code, message: problem.message }
    : apiProblemEvent(deps, retries, problem)
}

/**
 * Completes the upload at the server by the hash of every part, and compares the hash of the whole
 * that the server says. If the server's part list differs from ours, the missing parts are sent
 * again.
 */
export async function completeUpload(
  deps: UploadDeps,
  claim: UploadClaim,
  retries: Retries,
): Promise<UploadEvent> {
  const { uploadRequestId, plan } = claim.row()
  if (uploadRequestId === null || plan === null) return { kind: 'gone' }
  const answer = await deps.api.complete(uploadRequestId, claim.parts.safeInOrder(), claim.signal)
  if (!answer.ok)
    return answer.error.kind === 'parts-differ'
      ? partsDiffer(deps, claim, retries, uploadRequestId, plan)
      : apiProblemEvent(deps, retries, answer.error)
  retries.failedInARow = 0
  return endedAtServer(deps, claim, answer.value)
}

async function partsDiffer(
  deps: UploadDeps,
  claim: UploadClaim,
  retries: Retries,
  uploadRequestId: string,
  plan: PartPlan,
): Promise<UploadEvent> {
  const server = await deps.api.read(uploadRequestId, claim.signal)
  if (!server.ok) return apiProblemEvent(deps, retries, server.error)
  if (server.value.state !== 'open') return endedAtServer(deps, claim, server.value)
  await claim.adopt(server.value.parts)
  // No part is missing and the server still refuses: back off instead of repeating in a loop.
  return claim.parts.missing(plan).length === 0
    ? backOffEvent(deps, retries, because('server'))
    : { kind: 'parts-missing' }
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
    const { uploadRequestId, state } = claim.row()
    const answer = await deps.api.readState(uploadRequestId ?? '', claim.signal)
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
          if (answer.value.isCheckLate === true && !isLate(state)) return { kind: 'check-late' }
      }
    } else if (answer.error.kind === 'gone') return { kind: 'gone' }
    else if (answer.error.kind === 'signed-out') return { kind: 'auth-lost' }
    await deps.clock.sleep(delayMs, claim.signal)
  }
  return null
}

function isLate(state: UploadState): boolean {
  return state.kind === 'verifying' && state.isLate === true
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
