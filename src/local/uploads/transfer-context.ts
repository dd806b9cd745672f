import type { Line } from './line.ts'
import type { UploadEvent } from './machine.ts'
import type { PartHashes } from './part-hashes.ts'
import type { PartUrls } from './part-urls.ts'
import type { ByteSource, UploadDeps } from './ports.ts'
import type { Patience } from './problems.ts'
import { stallEvent } from './problems.ts'
import type { ProgressMeter } from './progress-meter.ts'
import type { UploadSession } from './session.ts'
import type { SilentStore } from './silent-store.ts'
import type { PartPlan, UploadWait } from '#src/local/db/rows.ts'

export interface TransferInput {
  readonly deps: UploadDeps
  readonly session: UploadSession
  readonly plan: PartPlan
  readonly source: ByteSource
  readonly hashes: PartHashes
  readonly urls: PartUrls
  readonly patience: Patience
  readonly meter: ProgressMeter
  /** What the driver knows of the way to the server, over all its transfers. */
  readonly way: Line
  /**
   * Every part is at the store, though the last rows that make them safe are still being written.
   * Called once at most.
   */
  readonly onAllStored: () => void
  /** Once aborted no further part begins; those under way may end. */
  readonly easing: AbortSignal
}

/** What all leases of one transfer share. */
export interface TransferContext extends TransferInput {
  readonly line: { failedConnects: number; silentFirstParts: number }
  readonly store: Pick<SilentStore, 'isSilent' | 'answered'>
  /** Why the transfer ends, once it does; the first reason counts. */
  readonly ending: () => UploadEvent | null
  readonly end: (event: UploadEvent) => void
  /** No new lease begins before this is over. */
  readonly coolDown: (reason: 'network' | 'server', retryAfterMs: number | null) => void
  readonly cooling: () => UploadWait | null
  /** The computer slept: waits made before mean nothing. */
  readonly thaw: () => void
  /** Parts under way now. */
  readonly lanes: () => number
}

/** `onEnd` is called once, with the first reason. */
export function createTransferContext(
  input: TransferInput,
  store: TransferContext['store'],
  lanes: () => number,
  onEnd: (event: UploadEvent) => void,
): TransferContext {
  const { clock } = input.deps
  const state: { ending: UploadEvent | null; wait: UploadWait | null } = {
    ending: null,
    wait: null,
  }
  const cooling = (): UploadWait | null =>
    state.wait !== null && clock.now() < state.wait.retryAtEpochMs ? state.wait : null
  return {
    ...input,
    line: { failedConnects: 0, silentFirstParts: 0 },
    store,
    ending: () => state.ending,
    end: (event) => {
      if (state.ending !== null) return
      state.ending = event
      onEnd(event)
    },
    coolDown: (reason, retryAfterMs) => {
      // Five lanes that die of one fault are one failure, not five.
      const current = cooling()
      if (current !== null && retryAfterMs === null) return
      const { wait } = stallEvent(input.deps, input.patience, reason, retryAfterMs)
      state.wait = current !== null && current.retryAtEpochMs > wait.retryAtEpochMs ? current : wait
      input.meter.cooling(state.wait)
    },
    cooling,
    thaw: () => {
      state.wait = null
    },
    lanes,
  }
}
