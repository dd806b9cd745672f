import coreUrl from '@ffmpeg/core?url'
import wasmUrl from '@ffmpeg/core/wasm?url'
import type { FfmpegJob, FfmpegNews } from './ffmpeg-messages.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

export interface FfmpegRequest { readonly file: File; readonly task: FfmpegJob['task']; readonly limitMs: number; readonly signal: AbortSignal }

/** Runs ffmpeg jobs one after another, each in a worker of its own that is ended afterwards. */
export interface FfmpegJobs {
  run(request: FfmpegRequest, onNews: (news: FfmpegNews) => void): Promise<Result<void, ProbeFailure>>
  /** Forgets the compiled core (32 MB); the next job loads it again. */
  release(): void
}

/** The core does not come as a stream of chunks we could watch; a slow line gets its time. */
const LOAD_LIMIT_MS = 120_000
/** Starting a worker whose script cannot be fetched is silent in some browsers. */
const START_MARGIN_MS = 5_000

export function createFfmpegJobs(): FfmpegJobs {
  let compiled: Promise<WebAssembly.Module> | null = null
  let last: Promise<unknown> = Promise.resolve()

  const core = (): Promise<WebAssembly.Module> => {
    compiled ??= compile().catch((thrown: unknown) => {
      // Offline today is not offline for ever.
      compiled = null
      throw thrown
    })
    return compiled
  }
  const runNow = async (request: FfmpegRequest, onNews: (news: FfmpegNews) => void): Promise<Result<void, ProbeFailure>> => {
    if (request.signal.aborted) return err({ code: 'probe/cancelled' })
    let wasm: WebAssembly.Module
    try {
      wasm = await core()
    } catch {
      return err({ code: 'probe/engine-unavailable' })
    }
    return runInWorker(wasm, request, onNews)
  }
  return {
    run: (request, onNews) => {
      const done = last.then(() => runNow(request, onNews))
      last = done
      return done
    },
    release: () => { compiled = null },
  }
}

function runInWorker(wasm: WebAssembly.Module, { file, task, limitMs, signal }: FfmpegRequest, onNews: (news: FfmpegNews) => void): Promise<Result<void, ProbeFailure>> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./ffmpeg.worker.ts', import.meta.url), { type: 'module', name: 'onecut-ffmpeg' })
    const finish = (result: Result<void, ProbeFailure>): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      // The library's own abort only rejects a promise; only this stops the work.
      worker.terminate()
      resolve(result)
    }
    const onAbort = (): void => finish(err({ code: 'probe/cancelled' }))
    const timer = setTimeout(() => finish(err({ code: 'probe/timeout' })), limitMs + START_MARGIN_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    worker.addEventListener('error', () => finish(err({ code: 'probe/engine-crashed' })))
    worker.addEventListener('message', (event: MessageEvent<FfmpegNews>) => {
      const news = event.data
      if (news.kind === 'done') finish(ok(undefined))
      else if (news.kind === 'failed') finish(err({ code: failureCode(news.name) }))
      else onNews(news)
    })
    worker.postMessage({ coreUrl: new URL(coreUrl, self.location.href).href, wasm, file, extension: extensionOf(file.name), task } satisfies FfmpegJob)
  })
}

function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(fetch(wasmUrl, { signal: AbortSignal.timeout(LOAD_LIMIT_MS) }))
}

function failureCode(name: string): ProbeFailure['code'] {
  if (name === 'NotReadableError') return 'probe/changed'
  return name === 'NotFoundError' ? 'probe/gone' : 'probe/engine-crashed'
}

/** Demuxers take hints from endings; anything unusual is dropped. */
function extensionOf(name: string): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]
  return ending === undefined ? 'bin' : ending.toLowerCase()
}
