/** A usable ffmpeg with what it can do. Resolved once at the start by media/resolve.ts. */
export interface Ffmpeg {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  readonly version: string
  readonly filters: ReadonlySet<string>
  readonly encoders: ReadonlySet<string>
  /**
   * Words to put before the command: on Linux `setpriv --pdeathsig KILL`, so that ffmpeg ends when this process is killed
   * (it would go on for hours otherwise), and `nice`, so that uploads and pages stay quick while it works.
   */
  readonly launcher: readonly string[]
  /** Whether `prlimit` is there to cap the size of written files. */
  readonly hasPrlimit: boolean
}

/** A command line of one of the two programs behind the launcher. */
export function launched(ffmpeg: Ffmpeg, program: string, args: readonly string[], limits: readonly string[] = []): [string, ...string[]] {
  const [first, ...rest] = [...ffmpeg.launcher, ...limits, program, ...args]
  return [first ?? program, ...rest]
}
