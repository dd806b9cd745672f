import { uploadDelayMs } from './backoff.ts'
import type { UploadEvent } from './machine.ts'
import type { BytesProblem, UploadApiProblem, UploadDeps } from './ports.ts'

/**
 * Attempts in a row that got nowhere; shared by all steps of one driver, so that waits grow across
 * them.
 */
export interface Patience {
  failedInARow: number
}

/** The waiting state after one more failure in a row. */
export function stallEvent(
  deps: Pick<UploadDeps, 'clock' | 'random'>,
  patience: Patience,
  reason: 'network' | 'server',
  retryAfterMs: number | null,
): Extract<UploadEvent, { kind: 'stall' }> {
  patience.failedInARow += 1
  const delayMs = uploadDelayMs(patience.failedInARow, deps.random(), retryAfterMs)
  return {
    kind: 'stall',
    wait: { reason, retryAtEpochMs: deps.clock.now() + delayMs, attempt: patience.failedInARow },
  }
}

/**
 * What a failed API call means for the upload. 'parts-differ' is settled by the caller, who knows
 * the parts.
 */
export function apiProblemEvent(
  deps: Pick<UploadDeps, 'clock' | 'random'>,
  patience: Patience,
  problem: UploadApiProblem,
): UploadEvent {
  switch (problem.kind) {
    case 'silent':
      return stallEvent(deps, patience, 'network', null)
    case 'busy':
      return stallEvent(deps, patience, 'server', problem.retryAfterMs)
    case 'parts-differ':
      return stallEvent(deps, patience, 'server', null)
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
