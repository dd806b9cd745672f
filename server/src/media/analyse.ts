import {
  isTooSparse,
  momentsFrom,
  planAnalysis,
  planDenseAnalysis,
  type AnalysisOutput,
  type AnalysisRun,
} from '#recipes/analysis.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { pathsIn, type RenderPlaces } from '#server/media/render-plan.ts'
import { runFfmpeg } from '#server/media/run.ts'

/** One run; a whole film's key frames print some megabytes. */
const MAX_PRINTED = 32 << 20
const RUN_LIMIT_MS = 15 * 60_000

/**
 * Looks for good moments of a source; empty when nothing could be read, which every plan can live
 * with. Rejects only when aborted.
 */
export async function analyseMoments(
  ffmpeg: Ffmpeg,
  source: SourceProbe,
  places: RenderPlaces,
  signal: AbortSignal,
  onProgress: (ratio: number) => void,
): Promise<Moment[]> {
  const look = async (runs: readonly AnalysisRun[], from: number): Promise<AnalysisOutput[]> => {
    const outputs: AnalysisOutput[] = []
    for (const [index, run] of runs.entries()) {
      outputs.push({ run, stdout: await print(ffmpeg, run, places, signal) })
      onProgress(from + ((index + 1) / runs.length) * (1 - from) * 0.9)
    }
    return outputs
  }
  const first = momentsFrom(source, await look(planAnalysis(source), 0))
  return isTooSparse(source, first)
    ? momentsFrom(source, await look(planDenseAnalysis(source), 0.5))
    : first
}

/** What a run printed, as far as it came: a damaged place spoils a part, not the whole. */
async function print(
  ffmpeg: Ffmpeg,
  run: AnalysisRun,
  places: RenderPlaces,
  signal: AbortSignal,
): Promise<string> {
  const printed: string[] = []
  let length = 0
  await runFfmpeg(ffmpeg, {
    inputs: run.inputs,
    args: run.args,
    pathOf: pathsIn(places),
    cwd: places.folder,
    signal,
    outputDurationMs: 0,
    timeoutMs: RUN_LIMIT_MS,
    maxFileBytes: 1,
    onOutput: (text) => {
      length += text.length
      if (length <= MAX_PRINTED) printed.push(text)
    },
  })
  return printed.join('')
}
