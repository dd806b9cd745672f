/** Measures single parts of the media worker. */
import { expose } from 'comlink'
import coreUrl from '@ffmpeg/core?url'
import { startFfmpeg } from '#tests/bench/nested-ffmpeg.ts'
import { compileCore, createFfmpegJobs, extensionOf } from '#workers/media/ffmpeg-jobs.ts'
import { INPUT_FOLDER, sourceName, WORK_FOLDER } from '#workers/media/ffmpeg-messages.ts'
import { openFile } from '#workers/media/open-file.ts'
import { probeOpened, runFfprobe } from '#workers/media/probe-file.ts'
import { readTimes } from '#workers/media/read-deep.ts'

const deps = {
  jobs: createFfmpegJobs({ compile: compileCore, startWorker: startFfmpeg }),
  isSmallDevice: false,
  now: () => performance.now(),
}
const calm = new AbortController().signal
let compiled: WebAssembly.Module | null = null

const parts = {
  /** The second reader, independent of the first. Returns the number of streams. */
  async fallback(file: File): Promise<number> {
    const ran = await runFfprobe(deps, file, calm)
    if (!ran.ok) throw new Error(ran.error.code)
    return (ran.value as { readonly streams: readonly unknown[] }).streams.length
  },
  /** Quick check and the times of the deep check: rates, key frames, ends of sound and picture. */
  async deep(file: File): Promise<number> {
    const opened = openFile(file)
    try {
      const probed = await probeOpened(deps, opened, calm)
      if (!probed.ok) throw new Error(probed.error.code)
      return (await readTimes(opened, calm)).frameRates?.highest ?? 0
    } finally {
      opened.close()
    }
  },
  /** One run of ffmpeg on the file, as for a preview. Returns the number of bytes written. */
  async render(file: File, args: readonly string[], output: string): Promise<number> {
    let madeBytes = 0
    const input = `${INPUT_FOLDER}/${sourceName(extensionOf(file.name))}`
    const steps = [
      { tool: 'ffmpeg', args: ['-i', input, ...args, `${WORK_FOLDER}/${output}`] },
    ] as const
    const ran = await deps.jobs.run(
      {
        file,
        task: { kind: 'render', files: [], steps, outputs: [output] },
        limitMs: 90_000,
        signal: calm,
      },
      (news) => {
        if (news.kind === 'output') madeBytes = news.bytes.byteLength
      },
    )
    if (!ran.ok) throw new Error(ran.error.code)
    return madeBytes
  },
  /**
   * Milliseconds until an engine is ready: with its core compiled first, and with a compiled one.
   */
  async start(isCold: boolean): Promise<number> {
    const startedAt = performance.now()
    if (isCold || compiled === null) compiled = await compileCore()
    const worker = startFfmpeg()
    const ready = Promise.withResolvers<number>()
    worker.begin(
      {
        coreUrl: new URL(coreUrl, location.href).href,
        wasm: compiled,
        file: new File([], 'none.mp4'),
        extension: 'mp4',
        task: { kind: 'probe' },
      },
      (news) => {
        if (news.kind === 'started') ready.resolve(performance.now() - startedAt)
      },
      () => ready.reject(new Error('the engine did not start')),
    )
    return ready.promise.finally(() => worker.end())
  },
}
export type Parts = typeof parts
expose(parts)
