import { withLimit } from './limit.ts'

/** The compiled core (32 MB), loaded once for all jobs. */
export interface CoreLoader {
  /** Rejects when the core cannot be loaded, or with the abort; the next call tries again. */
  load(signal: AbortSignal): Promise<WebAssembly.Module>
  /** Gives the memory back; the next job loads the core again. */
  forget(): void
}

/** The core does not come as a stream of chunks that could be watched; a slow network gets time. */
export const LOAD_LIMIT_MS = 120_000

export function createCoreLoader(compile: () => Promise<WebAssembly.Module>): CoreLoader {
  let compiled: Promise<WebAssembly.Module> | null = null
  const forget = (): void => {
    compiled = null
  }
  return {
    load: (signal) => {
      compiled ??= compile().catch((thrown: unknown) => {
        // The device may be online at the next call.
        forget()
        throw thrown
      })
      return withLimit(compiled, LOAD_LIMIT_MS, signal)
    },
    forget,
  }
}
