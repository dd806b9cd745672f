import { nextChange } from './row-changes.ts'
import { stageOf } from './stage-of.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'

/**
 * Which context has an upload's file in memory, so that the others do not ask the person for it:
 * `upload-file:<id>` of [Note: upload locks].
 */
export class FileLocks {
  readonly #deps: Pick<UploadDeps, 'store' | 'locks'>
  readonly #over: AbortSignal
  readonly #announced = new Set<string>()

  /** @param over ends the holding of all locks */
  constructor(deps: Pick<UploadDeps, 'store' | 'locks'>, over: AbortSignal) {
    this.#deps = deps
    this.#over = over
  }

  /** Holds the lock until the upload is over; true unless that is done already. */
  announce(uploadId: string): boolean {
    if (this.#announced.has(uploadId)) return false
    this.#announced.add(uploadId)
    void this.#deps.locks
      .withLock(lockOf(uploadId), this.#over, () => this.#untilOver(uploadId))
      .catch(() => undefined)
      .finally(() => this.#announced.delete(uploadId))
    return true
  }

  isHeld(uploadId: string): Promise<boolean> {
    return this.#deps.locks.isHeld(lockOf(uploadId))
  }

  /** Resolves when no context has the file in memory any more. */
  untilFree(uploadId: string, signal: AbortSignal): Promise<void> {
    return this.#deps.locks.withLock(lockOf(uploadId), signal, () => Promise.resolve())
  }

  async #untilOver(uploadId: string): Promise<void> {
    const { store } = this.#deps
    while (!this.#over.aborted) {
      const row = await store.read(uploadId)
      if (row === null || stageOf(row) === 'over') return
      await nextChange(store, row, this.#over)
    }
  }
}

function lockOf(uploadId: string): string {
  return `upload-file:${uploadId}`
}
