import { printArgs, type PathOf } from '#recipes/print-args.ts'
import type { PlanPlace, PlanRun } from '#recipes/types.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import { HOSTILE_INPUT_FLAGS, LOCAL_INPUT_FLAGS, NAMED_INPUT_FLAGS } from '#server/media/formats.ts'
import { launched, type Ffmpeg } from '#server/media/ffmpeg.ts'
import { runTool } from '#server/media/process.ts'

/** One run of ffmpeg in a folder of its own. */
export interface FfmpegRun extends PlanRun {
  readonly pathOf: PathOf
  readonly cwd: string
  readonly signal: AbortSignal
  /** What the progress counts up to; 0 when progress is all or nothing. */
  readonly outputDurationMs: number
  readonly timeoutMs: number
  /** No file that ffmpeg writes may grow over this. */
  readonly maxFileBytes: number
  /** 0..1, never falling. */
  readonly onProgress?: (ratio: number) => void
  /** Standard output instead of progress, for analyses that print there. */
  readonly onOutput?: (text: string) => void
}

/** Why ffmpeg gave no result; `detail` is for support and never shown. */
export interface FfmpegFailure {
  readonly code: 'media/failed' | 'media/timeout'
  readonly detail: string
}

/** Without progress for this long a run is stuck. */
const STALL_MS = 10 * 60_000
/** One allocation; a crafted header asks for terabytes. */
const MAX_ALLOC_BYTES = 2 ** 31 - 1

/**
 * Runs ffmpeg on files of users: every input gets the format and protocol lists, no file can grow
 * without end, and the run ends at its limits or with `signal`. Rejects only when aborted.
 */
export async function runFfmpeg(
  ffmpeg: Ffmpeg,
  run: FfmpegRun,
): Promise<Result<void, FfmpegFailure>> {
  let best = 0
  let line = ''
  const onProgress = (text: string): void => {
    const lines = (line + text).split('\n')
    line = lines.pop() ?? ''
    for (const each of lines) {
      const ratio = progressOf(each, run.outputDurationMs)
      if (ratio === null || ratio <= best) continue
      best = ratio
      run.onProgress?.(ratio)
    }
  }
  const printsResult = run.onOutput !== undefined
  const flags = [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-max_alloc',
    String(MAX_ALLOC_BYTES),
    ...(printsResult ? [] : ['-progress', 'pipe:1', '-stats_period', '0.5']),
  ]
  const end = await runTool({
    command: launched(
      ffmpeg,
      ffmpeg.ffmpegPath,
      [...flags, ...printArgs(run, run.pathOf, inputGuard)],
      run.maxFileBytes,
    ),
    cwd: run.cwd,
    signal: run.signal,
    timeoutMs: run.timeoutMs,
    ...(printsResult ? {} : { stallMs: STALL_MS }),
    onOutput: run.onOutput ?? onProgress,
  })
  if (end.kind === 'done') {
    run.onProgress?.(1)
    return ok(undefined)
  }
  return err({
    code: end.kind === 'timeout' ? 'media/timeout' : 'media/failed',
    detail: end.kind === 'failed' ? `exit ${end.exitCode}: ${end.stderrTail}` : end.stderrTail,
  })
}

/**
 * The safety lists for one input: all of them for files of users, the protocols alone for what an
 * earlier step wrote (a concat list may name its neighbours).
 */
export function inputGuard({ kind }: PlanPlace): readonly string[] {
  if (kind === 'source') return HOSTILE_INPUT_FLAGS
  return kind === 'asset' ? NAMED_INPUT_FLAGS : LOCAL_INPUT_FLAGS
}

/**
 * `out_time_us` may be `N/A` at the beginning; `progress=end` is the end whatever the planned
 * length was.
 */
function progressOf(line: string, outputDurationMs: number): number | null {
  if (line === 'progress=end') return 1
  const match = /^out_time_us=(\d+)$/.exec(line)
  return match === null || outputDurationMs <= 0
    ? null
    : Math.min(0.99, Number(match[1]) / 1000 / outputDurationMs)
}
