import type { Rank, Turns } from './turns.ts'
import { err, type Result } from '#src/lib/result.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

/** The work of the media worker, by the id that each call brings. */
export interface RunningWork {
  /**
   * Runs `work` at its turn, or at once and in parallel when `rank` is null. Fails with
   * `probe/cancelled` as soon as it is cancelled, even in the middle of a read of a slow disk, and
   * with `probe/engine-crashed` when `work` throws.
   */
  run<T, E>(
    id: string,
    rank: Rank | null,
    work: (signal: AbortSignal) => Promise<Result<T, E>>,
  ): Promise<Result<T, E | ProbeFailure>>
  /** Does nothing for an id that does not run. */
  cancel(id: string): void
  cancelAll(): void
}

export function createRunningWork(turns: Turns): RunningWork {
  const running = new Map<string, AbortController>()
  return {
    run: async (id, rank, work) => {
      const controller = new AbortController()
      const { signal } = controller
      const cancelled = Promise.withResolvers<Result<never, ProbeFailure>>()
      signal.addEventListener('abort', () => cancelled.resolve(err({ code: 'probe/cancelled' })), {
        once: true,
      })
      running.set(id, controller)
      try {
        return await Promise.race([
          rank === null ? work(signal) : turns.take(rank, signal, () => work(signal)),
          cancelled.promise,
        ])
      } catch {
        return err({ code: signal.aborted ? 'probe/cancelled' : 'probe/engine-crashed' })
      } finally {
        if (running.get(id) === controller) running.delete(id)
      }
    },
    cancel: (id) => running.get(id)?.abort(),
    cancelAll: () => {
      for (const controller of running.values()) controller.abort()
    },
  }
}
