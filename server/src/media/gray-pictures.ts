import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GRAY_FILE, grayBytes, grayRuns, type GrayLook } from '#recipes/gray-pictures.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'

/**
 * The pictures of each place that can be read, one place after another, so that only one is decoded
 * at a time. Rejects when aborted and with the fault of the machine.
 */
export async function grayPictures(
  ffmpeg: Ffmpeg,
  { path, scratchDir, signal }: { path: string; scratchDir: string; signal: AbortSignal },
  source: SourceProbe,
  look: GrayLook,
): Promise<readonly Uint8Array[]> {
  const file = join(scratchDir, GRAY_FILE)
  const places: Uint8Array[] = []
  for (const run of grayRuns(source, look)) {
    const end = await glance(ffmpeg, {
      ...boundedRun(run, source),
      pathOf: (place) => (place.kind === 'scratch' ? file : path),
      cwd: scratchDir,
      signal,
      maxFileBytes: grayBytes(look),
    })
    // A place that cannot be read says nothing; the others do.
    if (end.ok) places.push(await readFile(file).catch(() => new Uint8Array()))
    await rm(file, { force: true })
  }
  return places
}
