import { uploadDelayMs } from './backoff.ts'
import type { UploadEvent } from './machine.ts'
import type { BytesProblem, UploadApiProblem, UploadDeps } from '#src/local/uploads/ports.ts'
import type { UploadWait } from '#src/local/db/rows.ts'

/**
 * Attempts in a row without progress; shared by all steps of one driver, so that the back-off grows
 * across them.
 */
export interface Retries {
  failedInARow: number
}

/** What an upload waits for, before the time is known. */
export type WaitCause = Pick<UploadWait, 'reason' | 'code'> & {
  readonly retryAfterMs: number | null
}

type BackOff = Extract<UploadEvent, { kind: 'back-off' }>

/** The event for one more failure in a row. */
export function backOffEvent(
  deps: Pick<UploadDeps, 'clock' | 'random'>,
  retries: Retries,
  { retryAfterMs, ...cause }: WaitCause,
): BackOff {
  retries.failedInARow += 1
  const delayMs = uploadDelayMs(retries.failedInARow, deps.random(), retryAfterMs)
  return {
    kind: 'back-off',
    wait: { ...cause, retryAtEpochMs: deps.clock.now() + delayMs, attempt: retries.failedInARow },
  }
}

/** A wait for this reason, without more detail. */
export function because(
  reason: UploadWait['reason'],
  retryAfterMs: number | null = null,
): WaitCause {
  return { reason, retryAfterMs }
}

/**
 * What a failed API call means for the upload. Only the server's own word that the upload is gone
 * ends it; everything else waits, and a person may try again at any time.
 */
export function apiProblemEvent(
  deps: Pick<UploadDeps, 'clock' | 'random'>,
  retries: Retries,
  problem: UploadApiProblem,
): UploadEvent {
  switch (problem.kind) {
    case 'silent':
      return backOffEvent(deps, retries, because('network'))
    case 'foreign':
      return backOffEvent(deps, retries, {
        ...because('network'),
        code: `http/${problem.status}`,
      })
    case 'busy':
      return backOffEvent(deps, retries, because('server', problem.retryAfterMs))
    case 'parts-differ':
      return backOffEvent(deps, retries, because('server'))
    case 'signed-out':
      return { kind: 'auth-lost' }
    case 'gone':
      return { kind: 'gone' }
    case 'in-use':
      return { kind: 'completed', treeSha256: null }
    case 'no-space':
      return backOffEvent(deps, retries, because('no-space'))
    case 'refused':
      return backOffEvent(deps, retries, {
        reason: 'refused',
        code: problem.code,
        retryAfterMs: null,
      })
  }
}

/** What unreadable bytes mean for the upload. */
export function bytesProblemEvent(problem: BytesProblem): UploadEvent {
  return problem.kind === 'needs-permission'
    ? { kind: 'permission-lost' }
    : { kind: 'file-lost', why: problem.kind }
}
