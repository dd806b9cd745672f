import { totalmem } from 'node:os'

/** A usable ffmpeg with what it can do. Resolved once at the start by media/resolve.ts. */
export interface Ffmpeg {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  readonly version: string
  readonly filters: ReadonlySet<string>
  readonly encoders: ReadonlySet<string>
  /**
   * Words to put before the command: on Linux `setpriv --pdeathsig KILL`, so that ffmpeg ends when
   * this process is killed (it would go on for hours otherwise), and `nice`, so that uploads and
   * pages stay quick while it works.
   */
  readonly launcher: readonly string[]
  /** Whether `prlimit` is there to cap memory and the size of written files. */
  readonly hasPrlimit: boolean
}

/**
 * Address space of one run: three quarters of the machine, at least what 4K needs, at most what
 * nothing honest needs.
 */
const MAX_MEMORY_BYTES = Math.round(
  Math.min(16 * 1024 ** 3, Math.max(4 * 1024 ** 3, totalmem() * 0.75)),
)

/**
 * A command line of one of the two programs behind the launcher; `maxFileBytes` caps every file
 * that it writes.
 */
export function launched(
  ffmpeg: Ffmpeg,
  program: string,
  args: readonly string[],
  maxFileBytes = 0,
): [string, ...string[]] {
  const limits = ffmpeg.hasPrlimit
    ? ['prlimit', `--as=${MAX_MEMORY_BYTES}`, `--fsize=${Math.ceil(maxFileBytes)}`]
    : []
  const [first, ...rest] = [...ffmpeg.launcher, ...limits, program, ...args]
  return [first ?? program, ...rest]
}
