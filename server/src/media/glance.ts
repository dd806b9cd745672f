import type { Result } from '#recipes/result.ts'
import { GLANCE_CPU_S, GLANCE_WALL_MS } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { machineFault } from '#server/media/process.ts'
import { endOfFfmpeg, resultOf, type FfmpegFailure, type FfmpegRun } from '#server/media/run.ts'

type Glance = Pick<FfmpegRun, 'inputs' | 'args' | 'pathOf' | 'cwd' | 'signal' | 'onOutput'> &
  Partial<Pick<FfmpegRun, 'maxFileBytes' | 'cpuSeconds' | 'timeoutMs'>>

/**
 * Runs ffmpeg for what a few pictures or packets of a file say. Such a run has processor time
 * enough for every good file, so the end of its wall time is the machine's fault. A file that it
 * makes is one byte long unless `maxFileBytes` allows more. Rejects when aborted, and with the
 * `ToolFault` of the machine; a failure is that of the file.
 */
export async function glance(
  ffmpeg: Ffmpeg,
  run: Glance,
): Promise<Result<void, Pick<FfmpegFailure, 'code' | 'detail'>>> {
  const end = await endOfFfmpeg(ffmpeg, {
    maxFileBytes: 1,
    cpuSeconds: GLANCE_CPU_S,
    timeoutMs: GLANCE_WALL_MS,
    ...run,
    outputDurationMs: 0,
  })
  const fault = machineFault(end)
  if (fault !== null) throw fault
  return resultOf(end)
}
