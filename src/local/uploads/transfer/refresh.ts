import { partSize } from '#src/local/uploads/model/plan.ts'
import { apiProblemEvent } from '#src/local/uploads/model/problems.ts'
import type { TransferContext } from './transfer-context.ts'

/**
 * Asks the server for its part list. `run` resolves with false when there was no usable answer; the
 * context knows why.
 */
export interface Refresh {
  run(): Promise<boolean>
  isRunning(): boolean
}

/**
 * One call at a time, not counted as a slot: brings fresh URLs, and confirms parts that turn out to
 * be stored.
 */
export function createRefresh(
  context: TransferContext,
  isFree: (partNumber: number) => boolean,
  ring: () => void,
): Refresh {
  let current: Promise<boolean> | null = null
  const ask = async (): Promise<boolean> => {
    const { deps, claim, plan } = context
    const answer = await deps.api.read(claim.row().uploadRequestId ?? '', claim.signal)
    if (claim.signal.aborted) return false
    if (!answer.ok) {
      if (answer.error.kind === 'silent') context.backOff('network', null)
      else if (answer.error.kind === 'busy') context.backOff('server', answer.error.retryAfterMs)
      else context.end(apiProblemEvent(deps, context.retries, answer.error))
      return false
    }
    if (answer.value.state !== 'open') {
      context.end({ kind: answer.value.state === 'aborted' ? 'gone' : 'completed' })
      return false
    }
    context.urls.fill(answer.value, deps.clock.now())
    for (const part of answer.value.parts) {
      if (
        part.eTag === null ||
        part.partNumber > plan.partCount ||
        part.storedBytes !== partSize(plan, part.partNumber)
      )
        continue
      if (claim.safeParts().has(part.partNumber) || !isFree(part.partNumber)) continue
      await claim.confirmPart({
        partNumber: part.partNumber,
        eTag: part.eTag,
        sizeBytes: part.storedBytes,
        sha256: '',
      })
    }
    return true
  }
  return {
    run: () => {
      current ??= ask().finally(() => {
        current = null
        ring()
      })
      return current
    },
    isRunning: () => current !== null,
  }
}
