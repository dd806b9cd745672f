import { isSentFirst } from './stage-of.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'

/** Whether one upload may send, or stands back. */
export interface Standing {
  /** The excerpt for which this upload stands back; null when it may send. */
  readonly first: UploadRow | null
  /** Until when it may send. */
  readonly signal: AbortSignal
}

/**
 * Who of an account's uploads sends: one of each purpose in all tabs (see [Note: upload locks]),
 * and no video while an excerpt can be sent.
 */
export class SendLocks {
  readonly #deps: Pick<UploadDeps, 'store' | 'locks'>
  readonly #locks: Readonly<Record<UploadRow['purpose'], string>>
  readonly #closing: AbortSignal
  /** Ends the sending of videos in this context, so that an excerpt has the line for itself. */
  #standBack = new AbortController()

  /** @param closing ends the sending of all */
  constructor(deps: Pick<UploadDeps, 'store' | 'locks'>, userId: string, closing: AbortSignal) {
    this.#deps = deps
    this.#locks = {
      'media-job': `upload-turn:${userId}`,
      'media-asset': `upload-turn-asset:${userId}`,
      excerpt: `upload-turn-excerpt:${userId}`,
    }
    this.#closing = closing
  }

  async standingOf({ purpose }: UploadRow): Promise<Standing> {
    if (purpose !== 'media-job') return { first: null, signal: this.#closing }
    // Taken before the rows are read, it misses no excerpt.
    const signal = AbortSignal.any([this.#closing, this.#standBack.signal])
    return { first: (await this.#deps.store.list()).find(isSentFirst) ?? null, signal }
  }

  /** Videos stop for an excerpt; they go on behind what of their parts has arrived. */
  letFirst(): void {
    this.#standBack.abort(new DOMException('an excerpt is sent first', 'AbortError'))
    this.#standBack = new AbortController()
  }

  /** Waits for the send lock until `queueing` aborts, and runs `work` under it. */
  withLock<T>(row: UploadRow, queueing: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#deps.locks.withLock(this.#locks[row.purpose], queueing, work)
  }

  /** Runs `work` under the send lock; null when another upload sends or waits for it. */
  withFreeLock<T>(row: UploadRow, work: () => Promise<T>): Promise<T | null> {
    return this.#deps.locks.withFreeLock(this.#locks[row.purpose], work)
  }
}
