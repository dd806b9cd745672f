import coreUrl from '@ffmpeg/core?url'
import wasmUrl from '@ffmpeg/core/wasm?url'
import type { FfmpegJob, FfmpegNews } from './ffmpeg-messages.ts'
import { createCoreLoader, LOAD_LIMIT_MS, type CoreLoader } from './core-loader.ts'
import { runInWorker, type FfmpegWorker } from './run-in-worker.ts'
import type { Rank } from './turns.ts'
import { err, type Result } from '#src/lib/result.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

/** `limitMs`: from the moment the engine is ready; starting it has a limit of its own. */
export interface FfmpegRequest {
  readonly file: File
  readonly task: FfmpegJob['task']
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** Runs ffmpeg jobs one at a time, each in a worker of its own that is ended afterwards. */
export interface FfmpegJobs {
  /**
   * `onNews` may get the same news again when the job had to make room for a more urgent one and
   * started over.
   */
  run(
    request: FfmpegRequest,
    onNews: (news: FfmpegNews) => void,
  ): Promise<Result<void, ProbeFailure>>
}

export interface FfmpegQueue extends FfmpegJobs {
  /**
   * The same queue for jobs of one rank; `run` itself is for pictures. A verdict pushes out what
   * runs, the others wait for its end.
   */
  at(rank: Rank): FfmpegJobs
  /** Forgets the compiled core (32 MB); the next job loads it again. */
  release(): void
}

/** `startWorker` throws where none can be started. */
export interface FfmpegEngine {
  compile(): Promise<WebAssembly.Module>
  startWorker(): FfmpegWorker
}

interface Entry {
  readonly request: FfmpegRequest
  readonly rank: Rank
  readonly onNews: (news: FfmpegNews) => void
  readonly settle: (result: Result<void, ProbeFailure>) => void
}

const cancelled: Result<never, ProbeFailure> = err({ code: 'probe/cancelled' })
const ORDER: readonly Rank[] = ['verdict', 'pictures', 'preview', 'make']
const byRank = (a: Entry, b: Entry): number => ORDER.indexOf(a.rank) - ORDER.indexOf(b.rank)

export function createFfmpegJobs(engine: FfmpegEngine): FfmpegQueue {
  const core = createCoreLoader(engine.compile)
  let waiting: readonly Entry[] = []
  let running: { readonly entry: Entry; readonly pushOut: AbortController } | null = null

  const next = (): void => {
    const [entry, ...others] = waiting.toSorted(byRank)
    if (running !== null || entry === undefined) return
    waiting = others
    const pushOut = new AbortController()
    running = { entry, pushOut }
    const signal = AbortSignal.any([entry.request.signal, pushOut.signal])
    void perform(engine, core, entry, signal).then((result) => {
      running = null
      if (pushOut.signal.aborted && !entry.request.signal.aborted && !result.ok)
        waiting = [entry, ...waiting]
      else entry.settle(result)
      next()
    })
  }
  const run = (
    rank: Rank,
    request: FfmpegRequest,
    onNews: Entry['onNews'],
  ): Promise<Result<void, ProbeFailure>> =>
    new Promise((resolve) => {
      const { signal } = request
      if (signal.aborted) return resolve(cancelled)
      const onAbort = (): void => {
        // One that runs is ended by its own listener.
        if (waiting.includes(entry)) entry.settle(cancelled)
        waiting = waiting.filter((each) => each !== entry)
      }
      const settle = (result: Result<void, ProbeFailure>): void => {
        signal.removeEventListener('abort', onAbort)
        resolve(result)
      }
      const entry: Entry = { request, rank, onNews, settle }
      signal.addEventListener('abort', onAbort, { once: true })
      waiting = [...waiting, entry]
      if (rank === 'verdict' && running !== null && running.entry.rank !== 'verdict')
        running.pushOut.abort()
      next()
    })
  return {
    run: (request, onNews) => run('pictures', request, onNews),
    at: (rank) => ({ run: (request, onNews) => run(rank, request, onNews) }),
    release: core.forget,
  }
}

async function perform(
  engine: FfmpegEngine,
  core: CoreLoader,
  { request, onNews }: Entry,
  signal: AbortSignal,
): Promise<Result<void, ProbeFailure>> {
  try {
    const wasm = await core.load(signal)
    const job = jobOf(request, wasm)
    const run = { worker: engine.startWorker(), job, limitMs: request.limitMs, signal }
    return await runInWorker(run, onNews)
  } catch {
    return signal.aborted ? cancelled : err({ code: 'probe/engine-unavailable' })
  }
}

function jobOf({ file, task }: FfmpegRequest, wasm: WebAssembly.Module): FfmpegJob {
  return {
    coreUrl: new URL(coreUrl, self.location.href).href,
    wasm,
    file,
    extension: extensionOf(file.name),
    task,
  }
}

/** Demuxers take hints from endings; anything unusual is dropped. */
export function extensionOf(name: string): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]
  return ending === undefined ? 'bin' : ending.toLowerCase()
}

/** Loads and compiles the core, 32 MB. */
export function compileCore(): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(
    fetch(wasmUrl, { signal: AbortSignal.timeout(LOAD_LIMIT_MS) }),
  )
}
