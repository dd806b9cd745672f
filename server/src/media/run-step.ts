import { gainAfter, loudnessIn } from '#recipes/loudness.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { PlanStep, PlanTool } from '#recipes/types.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { runFfmpeg, type FfmpegFailure, type FfmpegRun } from '#server/media/run.ts'
import { runProgram } from '#server/media/run-program.ts'

/** Runs one step; what it measures goes to `gains`. Rejects only when aborted. */
export function runStep(...args: Parameters<StepRun>): ReturnType<StepRun> {
  const [, { tool = 'ffmpeg' }] = args
  return RUNS[tool](...args)
}

type StepRun = (
  ffmpeg: Ffmpeg,
  step: PlanStep,
  /** Decibels, by the step that measured them. */
  gains: Map<string, number>,
  run: FfmpegRun,
) => Promise<Result<void, FfmpegFailure>>

const RUNS: Readonly<Record<PlanTool | 'ffmpeg', StepRun>> = {
  ffmpeg: (ffmpeg, _step, gains, run) =>
    runFfmpeg(ffmpeg, {
      ...run,
      takesDamage: true,
      decibelsOf: ({ of }) => gains.get(of) ?? 0,
    }),
  'loudness-meter': measureLoudness,
  'noise-filter': (ffmpeg, _step, _gains, run) => runProgram(ffmpeg, 'noise-filter', run),
  'voice-filter': (ffmpeg, { secret }, _gains, run) =>
    runProgram(ffmpeg, 'voice-filter', { ...run, secret }),
}

/** Twice: the second time it hears what its limiter left of the first gain. */
const MEASUREMENTS = 2
/** More than the last line of a meter. */
const LAST_CHARS = 200

async function measureLoudness(
  ffmpeg: Ffmpeg,
  { id }: PlanStep,
  gains: Map<string, number>,
  run: FfmpegRun,
): Promise<Result<void, FfmpegFailure>> {
  for (let count = 1; count <= MEASUREMENTS; count += 1) {
    const gain = gains.get(id) ?? 0
    let printed = ''
    const result = await runFfmpeg(ffmpeg, {
      ...run,
      takesDamage: true,
      decibelsOf: () => gain,
      onOutput: (text) => {
        printed = (printed + text).slice(-LAST_CHARS)
      },
    })
    if (!result.ok) return result
    gains.set(id, gainAfter(gain, loudnessIn(printed)))
    run.onProgress?.(count / MEASUREMENTS)
  }
  return ok(undefined)
}
