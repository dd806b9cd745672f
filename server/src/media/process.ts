import { spawn } from 'node:child_process'

/** One run of a media tool. */
export interface ToolRun {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly signal: AbortSignal
  /** Wall-clock limit. */
  readonly timeoutMs: number
  /** Limit of silence on standard output, for tools that report progress; none when left out. */
  readonly stallMs?: number
  /** Receives standard output as it comes. */
  readonly onOutput: (text: string) => void
}

/** How a run ended; `stderrTail` is for support only, it names paths and is never shown. */
export type ToolEnd =
  | { readonly kind: 'done'; readonly stderrTail: string }
  | { readonly kind: 'failed'; readonly exitCode: number | null; readonly stderrTail: string }
  | { readonly kind: 'timeout'; readonly stderrTail: string }

const STDERR_BYTES = 8192

/**
 * Runs a tool in its own process group without a shell, standard input or inherited environment,
 * and kills the group on abort or when a limit is passed. Rejects with the signal's reason when
 * aborted, after the process has gone.
 */
export async function runTool(run: ToolRun): Promise<ToolEnd> {
  run.signal.throwIfAborted()
  const [program, ...args] = run.command
  const child = spawn(program, args, {
    cwd: run.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches us first, and one kill ends whatever the tool started.
    detached: process.platform !== 'win32',
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', HOME: run.cwd, TMPDIR: run.cwd },
  })
  let stderrTail = ''
  let isTimedOut = false
  const kill = (): void => {
    try {
      if (child.pid !== undefined)
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
    } catch {
      // It has just ended by itself.
    }
  }
  const onLimit = (): void => {
    isTimedOut = true
    kill()
  }
  const limit = setTimeout(onLimit, run.timeoutMs)
  const stall = run.stallMs === undefined ? undefined : setTimeout(onLimit, run.stallMs)
  run.signal.addEventListener('abort', kill, { once: true })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stall?.refresh()
    run.onOutput(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_BYTES)
  })
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    run.signal.throwIfAborted()
    if (isTimedOut) return { kind: 'timeout', stderrTail }
    return exitCode === 0 ? { kind: 'done', stderrTail } : { kind: 'failed', exitCode, stderrTail }
  } finally {
    clearTimeout(limit)
    clearTimeout(stall)
    run.signal.removeEventListener('abort', kill)
  }
}
