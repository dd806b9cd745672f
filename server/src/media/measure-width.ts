import { NO_WIDTH_DB, widthIn, widthRun } from '#recipes/sound-width.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'

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
  await glance(ffmpeg, {
    ...boundedRun(widthRun(source), source),
    pathOf: () => path,
    cwd: scratchDir,
    signal,
    onOutput: (text) => {
      if (printed.length < MAX_PRINTED) printed += text
    },
  })
  // What was printed before a failure says as much of the sound.
  return widthIn(printed)
}
