import { NO_WIDTH_DB, widthIn, widthRun } from '#recipes/sound-width.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { GLANCE_CPU_S, GLANCE_WALL_MS } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { runFfmpeg } from '#server/media/run.ts'

/** Some 1,300 lines of the meter. */
const MAX_PRINTED = 1 << 20

/**
 * How wide the sound of a video is ([Note: width of a sound]), by two minutes of it at most; null
 * where it has none or none could be read. Rejects when aborted and with the fault of the machine.
 */
export async function measureWidth(
  ffmpeg: Ffmpeg,
  { path, scratchDir, signal }: { path: string; scratchDir: string; signal: AbortSignal },
  source: SourceProbe,
): Promise<number | null> {
  if (!source.hasAudio) return null
  if (source.audioChannels < 2) return NO_WIDTH_DB
  let printed = ''
  const result = await runFfmpeg(ffmpeg, {
    ...boundedRun(widthRun(source), source),
    pathOf: () => path,
    cwd: scratchDir,
    signal,
    outputDurationMs: 0,
    timeoutMs: GLANCE_WALL_MS,
    maxFileBytes: 1,
    cpuSeconds: GLANCE_CPU_S,
    onOutput: (text) => {
      if (printed.length < MAX_PRINTED) printed += text
    },
  })
  if (!result.ok && result.error.glanceFault !== null) throw result.error.glanceFault
  return widthIn(printed)
}
