import type { FfmpegJob, FfmpegNews } from './ffmpeg-messages.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

export interface WorkerRun {
  /** Fresh: one worker does one job. */
  readonly worker: Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>
  readonly job: FfmpegJob
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** Some browsers say nothing when a worker's script cannot be fetched. */
const START_LIMIT_MS = 20_000

/** Runs one job and ends its worker, at the latest `limitMs` after the engine was ready. The library's own limits do not hold. */
export function runInWorker({ worker, job, limitMs, signal }: WorkerRun, onNews: (news: FfmpegNews) => void): Promise<Result<void, ProbeFailure>> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout>
    const finish = (result: Result<void, ProbeFailure>): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      // The library's own abort only rejects a promise; only this stops the work.
      worker.terminate()
      resolve(result)
    }
    const endAfter = (afterMs: number): void => { timer = setTimeout(() => finish(err({ code: 'probe/timeout' })), afterMs) }
    const onAbort = (): void => finish(err({ code: 'probe/cancelled' }))
    endAfter(START_LIMIT_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) return onAbort()
    worker.addEventListener('error', () => finish(err({ code: 'probe/engine-crashed' })))
    worker.addEventListener('message', (event: MessageEvent<FfmpegNews>) => {
      const news = event.data
      if (news.kind === 'started') {
        clearTimeout(timer)
        endAfter(limitMs)
      } else if (news.kind === 'done') finish(ok(undefined))
      else if (news.kind === 'failed') finish(err({ code: failureCode(news.name) }))
      else onNews(news)
    })
    worker.postMessage(job)
  })
}

function failureCode(name: string): ProbeFailure['code'] {
  if (name === 'NotReadableError') return 'probe/changed'
  return name === 'NotFoundError' ? 'probe/gone' : 'probe/engine-crashed'
}
