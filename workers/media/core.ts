import type { FFFSMountOptions, LogEvent, ProgressEvent } from '@ffmpeg/ffmpeg'

/** The part of @ffmpeg/core 0.12.10 (single thread) that is used; its own types say `any`. */
export interface FfmpegCore {
  exec(...args: readonly string[]): number
  ffprobe(...args: readonly string[]): number
  /** Called while `exec` runs. `time`: microseconds of output so far. */
  setProgress(listener: (progress: Pick<ProgressEvent, 'time'>) => void): void
  readonly asm?: { readonly Da?: () => number; readonly Ea?: (stack: number) => void }
  /** Gets every line that ffmpeg writes; the default drops them. */
  setLogger(logger: (line: LogEvent) => void): void
  readonly FS: {
    mkdir(path: string): void
    mount(type: WorkerFs, options: FFFSMountOptions, path: string): unknown
    readFile(path: string): Uint8Array
    writeFile(path: string, bytes: Uint8Array): void
    unlink(path: string): void
    analyzePath(path: string): { readonly exists: boolean }
    readonly filesystems: { readonly WORKERFS: WorkerFs }
  }
}

/** Emscripten's WORKERFS: reads Blobs where they are, without copying them into memory. */
interface WorkerFs {
  readonly stream_ops: {
    read(
      stream: { readonly node: { readonly contents: Blob; readonly size: number } },
      buffer: Int8Array | Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): number
  }
}

interface CoreModule {
  readonly default: (options: CoreOptions) => Promise<FfmpegCore>
}
interface CoreOptions {
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => object
}

/**
 * Starts the core from a compiled module, which takes a tenth of the time of compiling it. Imports
 * the core's own script: the wrapper class of @ffmpeg/ffmpeg cannot share a module and hangs
 * silently when its worker script is missing.
 */
export async function loadCore(coreUrl: string, wasm: WebAssembly.Module): Promise<FfmpegCore> {
  const script: unknown = await import(/* @vite-ignore */ coreUrl)
  if (!isCoreModule(script)) throw new TypeError('the ffmpeg core is not what it should be')
  const instantiate = async (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): Promise<void> => {
    done(await WebAssembly.instantiate(wasm, imports), wasm)
  }
  return keepingStack(
    await script.default({
      instantiateWasm: (imports, done) => {
        void instantiate(imports, done)
        return {}
      },
    }),
  )
}

/**
 * Ends of ffmpeg are exceptions after which this core does not put its stack pointer back: of 64
 * KiB each run loses 224 bytes, a failed one 2,304, and after them every call crashes
 * (ffmpegwasm/ffmpeg.wasm#943, open on 21 November 2026). The names are those of the minified
 * @ffmpeg/core 0.12.10; without them the core is used as it is, which lasts for some 25 failures.
 */
function keepingStack(core: FfmpegCore): FfmpegCore {
  const { Da: save, Ea: restore } = core.asm ?? {}
  if (save === undefined || restore === undefined || typeof save() !== 'number') return core
  return {
    ...core,
    exec: (...args) => {
      const stack = save()
      try {
        return core.exec(...args)
      } finally {
        restore(stack)
      }
    },
  }
}

function isCoreModule(script: unknown): script is CoreModule {
  return (
    typeof script === 'object' &&
    script !== null &&
    'default' in script &&
    typeof script.default === 'function'
  )
}
