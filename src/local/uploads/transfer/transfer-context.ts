import type { NetworkState } from '#src/local/uploads/network/network.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import type { PartHashes } from '#src/local/uploads/file/part-hashes.ts'
import type { PartUrls } from './part-urls.ts'
import type { ByteSource, UploadDeps } from '#src/local/uploads/ports.ts'
import type { Retries } from '#src/local/uploads/model/problems.ts'
import { backOffEvent } from '#src/local/uploads/model/problems.ts'
import type { ProgressMeter } from './progress-meter.ts'
import type { UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import type { StorageOutage } from '#src/local/uploads/network/storage-outage.ts'
import type { PartPlan, UploadWait } from '#src/local/db/rows.ts'

export interface TransferInput {
  readonly deps: UploadDeps
  readonly claim: UploadClaim
  readonly plan: PartPlan
  readonly source: ByteSource
  readonly hashes: PartHashes
  readonly urls: PartUrls
  readonly retries: Retries
  readonly meter: ProgressMeter
  /** What the driver knows about the network, over all its transfers. */
  readonly network: NetworkState
  /**
   * Called when the storage has every part, while the last rows that make them safe are still being
   * written. Called once at most.
   */
  readonly onAllStored: () => void
  /** After its abort no further part starts; attempts in flight may end. */
  readonly draining: AbortSignal
}

/** What all attempts of one transfer share. */
export interface TransferContext extends TransferInput {
  readonly faults: { failedConnects: number; silentFirstParts: number }
  readonly storage: Pick<StorageOutage, 'isOngoing' | 'answered'>
  /** Why the transfer ends, once it does; the first reason counts. */
  readonly ending: () => UploadEvent | null
  readonly end: (event: UploadEvent) => void
  /** No new attempt starts before the back-off is over. */
  readonly backOff: (reason: 'network' | 'server', retryAfterMs: number | null) => void
  readonly backingOff: () => UploadWait | null
  /** The computer slept: earlier waits no longer apply. */
  readonly endBackOff: () => void
  /** Number of parts in flight now. */
  readonly partsInFlight: () => number
}

/** Calls `onEnd` once, with the first reason. */
export function createTransferContext(
  input: TransferInput,
  storage: TransferContext['storage'],
  partsInFlight: () => number,
  onEnd: (event: UploadEvent) => void,
): TransferContext {
  const { clock } = input.deps
  const state: { ending: UploadEvent | null; wait: UploadWait | null } = {
    ending: null,
    wait: null,
  }
  const backingOff = (): UploadWait | null =>
    state.wait !== null && clock.now() < state.wait.retryAtEpochMs ? state.wait : null
  return {
    ...input,
    faults: { failedConnects: 0, silentFirstParts: 0 },
    storage,
    ending: () => state.ending,
    end: (event) => {
      if (state.ending !== null) return
      state.ending = event
      onEnd(event)
    },
    backOff: (reason, retryAfterMs) => {
      // Five attempts that end by one fault are one failure, not five.
      const current = backingOff()
      if (current !== null && retryAfterMs === null) return
      const { wait } = backOffEvent(input.deps, input.retries, reason, retryAfterMs)
      state.wait = current !== null && current.retryAtEpochMs > wait.retryAtEpochMs ? current : wait
      input.meter.backingOff(state.wait)
    },
    backingOff,
    endBackOff: () => {
      state.wait = null
    },
    partsInFlight,
  }
}
