import type { ConfinedCommand } from './confinement/methods.ts'
import { lowerSession } from './lower-session.ts'
import { toolGuard, ToolsEnded } from '#server/tool-guard.ts'
import { startHere, type StartTool } from './tool-launcher.ts'
import { usedCpuSeconds } from './used-time.ts'

/** One run of a media tool. */
export interface ToolRun extends ConfinedCommand {
  /** Open files of this process that the tool inherits, from descriptor 3 on. */
  readonly handles: readonly number[]
  /** Left out = as a child of this process. */
  readonly start?: StartTool | undefined
  readonly cwd: string
  /** What it reads on standard input; nothing when left out. */
  readonly input?: string
  readonly signal: AbortSignal
  /** Wall-clock limit. */
  readonly timeoutMs: number
  /** Limit of silence on standard output, for tools that report progress; none when left out. */
  readonly stallMs?: number
  /** The most that it may print; more ends it, as processor time does. Left out = 1 GB. */
  readonly maxOutputChars?: number
  /** Receives standard output as it comes. */
  readonly onOutput: (text: string) => void
  /** Asked after each output: true ends the run, as more `work` than is wanted. */
  readonly isEnough?: () => boolean
  /**
   * Receives the processor seconds that it and all that it started took since the last call; left
   * out = they are not counted. Where the system does not say them, it receives none.
   */
  readonly onUsed?: ((cpuSeconds: number) => void) | undefined
  /** Where they are counted, more ends it, also where it does not listen to the system's limit. */
  readonly maxCpuSeconds?: number
}

/**
 * How a run ended. A `timeout` is the end of its `work`, which is processor time and what it may
 * print, or of its `wall` time: a slow disk or a busy machine looks the same there as a file that
 * keeps a tool waiting. `stderrTail` is for support only, it names paths and is never shown.
 */
export type ToolEnd =
  | { readonly kind: 'done'; readonly stderrTail: string }
  | {
      readonly kind: 'failed'
      readonly exitCode: number | null
      /** Where the machine is at fault and not the file, to be thrown; else null. */
      readonly fault: ToolFault | null
      readonly stderrTail: string
    }
  | { readonly kind: 'timeout'; readonly limit: 'work' | 'wall'; readonly stderrTail: string }

/** The machine, and not the file, ended a run, so that it says nothing about the file. */
export class ToolFault extends Error {
  /**
   * `killed` from outside, as a machine without memory does; `not-started` where a helper or the
   * tool itself did not run, as while they are replaced by newer ones; `slow` where its wall time
   * was over before its processor time.
   */
  readonly reason: 'killed' | 'not-started' | 'slow'

  constructor(reason: ToolFault['reason'], stderrTail: string) {
    super(`A media tool was ${reason.replace('-', ' ')}: ${stderrTail}`.trimEnd())
    this.reason = reason
  }
}

/**
 * Why a run that only reads headers or packets says nothing about its file, or null when it does:
 * such a run has processor time enough for every good file, so that the end of its wall time is the
 * machine's.
 */
export function machineFault(end: ToolEnd): ToolFault | null {
  if (end.kind === 'timeout' && end.limit === 'wall') return new ToolFault('slow', end.stderrTail)
  return end.kind === 'failed' ? end.fault : null
}

const STDERR_BYTES = 8192
/** Standard output: more than a listing of every packet of a day has. */
const MAX_OUTPUT_CHARS = 1 << 30

/**
 * Runs a tool in its own process group without a shell or inherited environment, and kills the
 * group on abort or when a limit is passed. Rejects with the signal's reason when aborted, and with
 * `ToolsEnded` when the guard has ended it, after the process has gone.
 */
export async function runTool(run: ToolRun): Promise<ToolEnd> {
  run.signal.throwIfAborted()
  const { command, cwd, uid, handles } = run
  const hasInput = run.input !== undefined
  const tool = await (run.start ?? startHere)({ command, cwd, uid, handles, hasInput })
  const leaveGuard = toolGuard.add(tool.pid)
  void lowerSession(tool.pid)
  // A tool that ends before it has read all closes the pipe; how it ended says more.
  tool.stdin?.on('error', () => undefined).end(run.input)
  let stderrTail = ''
  let passed: 'work' | 'wall' | null = null
  const kill = (): void => {
    try {
      if (tool.pid !== undefined)
        process.kill(process.platform === 'win32' ? tool.pid : -tool.pid, 'SIGKILL')
    } catch {
      // It has just ended by itself.
    }
  }
  const onLimit = (which: 'work' | 'wall'): void => {
    passed ??= which
    kill()
  }
  const wall = setTimeout(onLimit, run.timeoutMs, 'wall')
  const stall = run.stallMs === undefined ? undefined : setTimeout(onLimit, run.stallMs, 'wall')
  run.signal.addEventListener('abort', kill, { once: true })
  if (run.signal.aborted) kill()
  const meter = startMeter(tool.pid, run, () => onLimit('work'))
  let printed = 0
  tool.stdout.setEncoding('utf8').on('data', (text: string) => {
    stall?.refresh()
    printed += text.length
    if (printed > (run.maxOutputChars ?? MAX_OUTPUT_CHARS)) return onLimit('work')
    run.onOutput(text)
    if (run.isEnough?.() === true) onLimit('work')
  })
  tool.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_BYTES)
  })
  try {
    const { exitCode, signal } = await tool.end
    meter.stop()
    run.signal.throwIfAborted()
    if (leaveGuard()) throw new ToolsEnded()
    const limit = passed ?? (isOutOfCpu(exitCode, signal) ? 'work' : null)
    if (limit !== null) return { kind: 'timeout', limit, stderrTail }
    if (exitCode === 0) return { kind: 'done', stderrTail }
    return { kind: 'failed', exitCode, fault: faultOf(exitCode, signal, stderrTail), stderrTail }
  } finally {
    leaveGuard()
    clearTimeout(wall)
    clearTimeout(stall)
    meter.stop()
    run.signal.removeEventListener('abort', kill)
  }
}

/** How often a run is looked at; a look reads some small files of the system. */
const LOOK_MS = 200
/** Where its time is only counted. */
const RARE_LOOK_MS = 1000
/** The system ends a run in whole seconds, and the tool may write what it has until then. */
const OVER_LIMIT_S = 1

/**
 * Counts the processor time of a run. What passed since the last look when it ended counts as used,
 * because the system does not say it any more.
 */
function startMeter(
  pid: number | undefined,
  { onUsed, maxCpuSeconds }: ToolRun,
  onTooMuch: () => void,
): { stop(): void } {
  const lookMs = maxCpuSeconds === undefined ? RARE_LOOK_MS : LOOK_MS
  const mostSeconds = (maxCpuSeconds ?? Infinity) + OVER_LIMIT_S
  if (pid === undefined || onUsed === undefined) return { stop: () => undefined }
  const seen = { cpuSeconds: 0, atMs: performance.now(), isCounted: true, hasEnded: false }
  const look = async (): Promise<void> => {
    const now = await usedCpuSeconds(pid)
    if (seen.hasEnded) return
    seen.isCounted = now !== null
    seen.atMs = performance.now()
    if (now === null || now <= seen.cpuSeconds) return
    const added = now - seen.cpuSeconds
    seen.cpuSeconds = now
    if (now > mostSeconds) onTooMuch()
    onUsed(added)
  }
  const timer = setInterval(() => void look(), lookMs)
  return {
    stop: () => {
      clearInterval(timer)
      if (seen.hasEnded) return
      seen.hasEnded = true
      const restMs = Math.min(lookMs, performance.now() - seen.atMs)
      if (seen.isCounted) onUsed(restMs / 1000)
    },
  }
}

/** What helpers write before their own failures; the lines of the tools begin in other ways. */
const HELPER_FAILED = /^(?:\S*\/)?(?:bwrap|unshare|setpriv|prlimit|nice): /

/**
 * 137 is how bubblewrap says SIGKILL; helpers end with 126 and 127 where they cannot start what
 * follows them.
 */
function faultOf(
  exitCode: number | null,
  signal: NodeJS.Signals | null,
  stderrTail: string,
): ToolFault | null {
  if (signal === 'SIGKILL' || exitCode === 137) return new ToolFault('killed', stderrTail)
  return exitCode === 126 || exitCode === 127 || HELPER_FAILED.test(stderrTail)
    ? new ToolFault('not-started', stderrTail)
    : null
}

/**
 * Whether SIGXCPU ended the run: seen directly, as a shell writes it (128 + 24, so does
 * bubblewrap), or as 255, by which ffmpeg says that it stopped for a signal; no other is sent to it
 * before it is killed.
 */
function isOutOfCpu(exitCode: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGXCPU' || exitCode === 128 + 24 || exitCode === 255
}
