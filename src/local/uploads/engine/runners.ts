import { isAbort } from '#src/lib/abort.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { isDatabaseLost } from '#src/local/db/database-lost.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'

/** A bug in one upload must not become a busy loop. */
const AFTER_BUG_MS = 5_000

/** The loops of one engine, one for each upload at a time. */
export class Runners {
  readonly #deps: Pick<UploadDeps, 'clock' | 'log'>
  readonly #over: AbortSignal
  readonly #running = new Map<string, Promise<void>>()

  /** @param over ends the loops, each when its current round is over */
  constructor(deps: Pick<UploadDeps, 'clock' | 'log'>, over: AbortSignal) {
    this.#deps = deps
    this.#over = over
  }

  /** Begins `work` unless it runs already, and repeats it until it says `left`. */
  keep(key: string, work: () => Promise<'again' | 'left'>): void {
    if (this.#over.aborted || this.#running.has(key)) return
    this.#running.set(
      key,
      this.#repeat(work).finally(() => this.#running.delete(key)),
    )
  }

  /** Resolves when all loops that run now have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running.values())
  }

  /** What fails on this device, such as a write on a full disk, is tried again after a while. */
  async #repeat(work: () => Promise<'again' | 'left'>): Promise<void> {
    while (!this.#over.aborted) {
      try {
        if ((await work()) === 'left') return
      } catch (thrown) {
        if (this.#over.aborted) return
        if (isAbort(thrown)) continue
        // It does not come back; the host that opened it ends this engine.
        if (isDatabaseLost(thrown)) return
        this.#deps.log.error('an upload stumbled', describeBug(thrown))
        await this.#deps.clock.sleep(AFTER_BUG_MS, this.#over).catch(() => undefined)
      }
    }
  }
}
