import { printArgs, type PathOf } from '#recipes/print-args.ts'
import type { PlanGain, PlanPlace, PlanRun } from '#recipes/types.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import { HOSTILE_INPUT_FLAGS, LOCAL_INPUT_FLAGS, NAMED_INPUT_FLAGS } from '#server/media/formats.ts'
import { runConfined } from '#server/media/confined.ts'
import type { RunLimits } from '#server/media/confinement/methods.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { ToolEnd, ToolFault } from '#server/media/process.ts'

/** One run of ffmpeg in a folder of its own: it writes there, and only there. */
export interface FfmpegRun extends PlanRun, RunLimits {
  readonly pathOf: PathOf
  /** It may make its file of a stretch that can hardly be decoded. */
  readonly takesDamage?: boolean
  /** What steps before it measured. */
  readonly decibelsOf?: (gain: PlanGain) => number
  readonly cwd: string
  readonly signal: AbortSignal
  /** What the progress counts up to; 0 when progress is all or nothing. */
  readonly outputDurationMs: number
  readonly timeoutMs: number
  /** 0..1, never falling. */
  readonly onProgress?: (ratio: number) => void
  /** Standard output instead of progress, for analyses that print there. */
  readonly onOutput?: (text: string) => void
}

/** Why ffmpeg gave no result; `detail` is for support and never shown. */
export interface FfmpegFailure {
  readonly code: 'media/failed' | 'media/timeout'
  readonly detail: string
  /** Where the machine is at fault and not what ffmpeg was given; else null. */
  readonly fault: ToolFault | null
}

/** Without progress for this long a run is stuck. */
export const STALL_MS = 10 * 60_000
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
  return resultOf(await endOfFfmpeg(ffmpeg, run), run.onProgress)
}

/** The same, as the tool ended. */
export async function endOfFfmpeg(ffmpeg: Ffmpeg, run: FfmpegRun): Promise<ToolEnd> {
  const printsResult = run.onOutput !== undefined
  const flags = [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-max_alloc',
    String(MAX_ALLOC_BYTES),
    // Where more than two thirds of a stretch are damaged, ffmpeg calls its file a failure. So does
    // the check of an upload; an edit that was paid for is made of what there is.
    ...(run.takesDamage === true ? ['-max_error_rate', '1'] : []),
    ...(printsResult ? [] : ['-progress', 'pipe:1', '-stats_period', '0.5']),
  ]
  return await runConfined(ffmpeg, {
    tool: 'ffmpeg',
    args: (seen) => [
      ...flags,
      ...printArgs(run, (place) => pathFor(place, run.pathOf, seen), inputGuard, run.decibelsOf),
    ],
    limits: run,
    cwd: run.cwd,
    signal: run.signal,
    timeoutMs: run.timeoutMs,
    ...(printsResult ? {} : { stallMs: STALL_MS }),
    onOutput: run.onOutput ?? progressReader(run),
  })
}

/** What a run that makes files comes to. */
export function resultOf(
  end: ToolEnd,
  onProgress?: FfmpegRun['onProgress'],
): Result<void, FfmpegFailure> {
  if (end.kind === 'done') {
    onProgress?.(1)
    return ok(undefined)
  }
  return err({
    code: end.kind === 'timeout' ? 'media/timeout' : 'media/failed',
    fault: end.kind === 'failed' ? end.fault : null,
    detail: end.kind === 'failed' ? `exit ${end.exitCode}: ${end.stderrTail}` : end.stderrTail,
  })
}

/** What a plan reads must be made visible; what it makes is in the run's folder. */
function pathFor(place: PlanPlace, pathOf: PathOf, seen: (path: string) => string): string {
  const path = pathOf(place)
  return place.kind === 'scratch' || place.kind === 'output' ? path : seen(path)
}

/**
 * Where the size of a picture changes in the middle, ffmpeg would build all filters again, which
 * then wait for pictures that have passed. Left as they are, their first `scale` brings every
 * picture to one size; it must come before filters that trust the size that they began with.
 */
const ONE_GRAPH = ['-reinit_filter:v', '0'] as const

/**
 * The safety lists for one input: all of them for files of users, the protocols alone for what an
 * earlier step wrote (a concat list may name its neighbours).
 */
export function inputGuard({ kind }: PlanPlace): readonly string[] {
  if (kind === 'source') return [...HOSTILE_INPUT_FLAGS, ...ONE_GRAPH]
  if (kind === 'asset') return [...NAMED_INPUT_FLAGS, ...ONE_GRAPH]
  return kind === 'music' ? NAMED_INPUT_FLAGS : LOCAL_INPUT_FLAGS
}

/** Reads what ffmpeg and our own programs print of their progress. */
export function progressReader({
  outputDurationMs,
  onProgress,
}: Pick<FfmpegRun, 'outputDurationMs' | 'onProgress'>): (text: string) => void {
  let best = 0
  let line = ''
  return (text) => {
    const lines = (line + text).split('\n')
    line = lines.pop() ?? ''
    for (const each of lines) {
      const ratio = progressOf(each, outputDurationMs)
      if (ratio === null || ratio <= best) continue
      best = ratio
      onProgress?.(ratio)
    }
  }
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
