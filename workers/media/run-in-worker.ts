import type { FfmpegJob, FfmpegNews } from './ffmpeg-messages.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

/** A worker that was just started: one does one job. */
export interface FfmpegWorker {
  /** `onDeath`: its script could not be loaded, or broke. */
  begin(job: FfmpegJob, onNews: (news: FfmpegNews) => void, onDeath: () => void): void
  /** Stops it in the middle of whatever it does. */
  end(): void
}

export interface WorkerRun {
  readonly worker: FfmpegWorker
  readonly job: FfmpegJob
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** Some browsers say nothing when a worker's script cannot be fetched. */
const START_LIMIT_MS = 20_000

/**
 * Runs one job and ends its worker, at the latest `limitMs` after the engine was ready. The
 * library's own limits do not hold.
 */
export function runInWorker(
  { worker, job, limitMs, signal }: WorkerRun,
  onNews: (news: FfmpegNews) => void,
): Promise<Result<void, ProbeFailure>> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout>
    const finish = (result: Result<void, ProbeFailure>): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      // The library's own abort only rejects a promise; only this stops the work.
      worker.end()
      resolve(result)
    }
    const endAfter = (afterMs: number): void => {
      timer = setTimeout(() => finish(err({ code: 'probe/timeout' })), afterMs)
    }
    const onAbort = (): void => finish(err({ code: 'probe/cancelled' }))
    endAfter(START_LIMIT_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) return onAbort()
    worker.begin(
      job,
      (news) => {
        if (news.kind === 'started') {
          clearTimeout(timer)
          endAfter(limitMs)
        } else if (news.kind === 'done') finish(ok(undefined))
        else if (news.kind === 'failed') finish(err({ code: failureCode(news.name) }))
        else onNews(news)
      },
      () => finish(err({ code: 'probe/engine-crashed' })),
    )
  })
}

function failureCode(name: string): ProbeFailure['code'] {
  if (name === 'NotReadableError') return 'probe/changed'
  return name === 'NotFoundError' ? 'probe/gone' : 'probe/engine-crashed'
}
