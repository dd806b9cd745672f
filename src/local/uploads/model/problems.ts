import { uploadDelayMs } from './backoff.ts'
import type { UploadEvent } from './machine.ts'
import type { BytesProblem, UploadApiProblem, UploadDeps } from '#src/local/uploads/ports.ts'

/**
 * Attempts in a row without progress; shared by all steps of one driver, so that the back-off grows
 * across them.
 */
export interface Retries {
  failedInARow: number
}

/** The event for one more failure in a row. */
export function backOffEvent(
  deps: Pick<UploadDeps, 'clock' | 'random'>,
  retries: Retries,
  reason: 'network' | 'server',
  retryAfterMs: number | null,
): Extract<UploadEvent, { kind: 'back-off' }> {
  retries.failedInARow += 1
  const delayMs = uploadDelayMs(retries.failedInARow, deps.random(), retryAfterMs)
  return {
    kind: 'back-off',
    wait: { reason, retryAtEpochMs: deps.clock.now() + delayMs, attempt: retries.failedInARow },
  }
}

/**
 * What a failed API call means for the upload. The caller handles 'parts-differ', because it knows
 * the parts.
 */
export function apiProblemEvent(
  deps: Pick<UploadDeps, 'clock' | 'random'>,
  retries: Retries,
  problem: UploadApiProblem,
): UploadEvent {
  switch (problem.kind) {
    case 'silent':
      return backOffEvent(deps, retries, 'network', null)
    case 'busy':
      return backOffEvent(deps, retries, 'server', problem.retryAfterMs)
    case 'parts-differ':
      return backOffEvent(deps, retries, 'server', null)
    case 'signed-out':
      return { kind: 'auth-lost' }
    case 'gone':
      return { kind: 'gone' }
    case 'in-use':
      return { kind: 'completed' }
    case 'no-space':
      return { kind: 'fail', code: 'upload/no-space', message: null }
    case 'refused':
      return { kind: 'fail', code: 'upload/refused', message: problem.message }
  }
}

/** What unreadable bytes mean for the upload. */
export function bytesProblemEvent(problem: BytesProblem): UploadEvent {
  return problem.kind === 'needs-permission'
    ? { kind: 'permission-lost' }
    : { kind: 'file-lost', why: problem.kind }
}
