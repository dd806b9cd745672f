import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GRAIN, grainIn, grainRuns } from '#recipes/grain.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'

/**
 * How much grain a video has ([Note: grain]), by three pictures at each of five places, one after
 * the other, so that only one is decoded at a time; null where none could be read. Rejects when
 * aborted and with the fault of the machine.
 */
export async function measureGrain(
  ffmpeg: Ffmpeg,
  { path, scratchDir, signal }: { path: string; scratchDir: string; signal: AbortSignal },
  source: SourceProbe,
): Promise<number | null> {
  const file = join(scratchDir, GRAIN.file)
  const places: Uint8Array[] = []
  for (const run of grainRuns(source)) {
    const end = await glance(ffmpeg, {
      ...boundedRun(run, source),
      pathOf: (place) => (place.kind === 'scratch' ? file : path),
      cwd: scratchDir,
      signal,
      maxFileBytes: GRAIN.maxBytes,
    })
    // A place that cannot be read says nothing; the others do.
    if (end.ok) places.push(await readFile(file).catch(() => new Uint8Array()))
    await rm(file, { force: true })
  }
  return grainIn(places)
}
