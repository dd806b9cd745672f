import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { grayBytes, grayFile, grayRun, type GrayLook } from '#recipes/gray-pictures.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { GLANCE_CPU_S, GLANCE_WALL_MS } from '#server/media/cost.ts'
import { atEachPlace } from '#server/media/each-place.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'

/**
 * The pictures of each of these places (ms) that can be read, by place and by look. Rejects when
 * aborted and with the fault of the machine.
 */
export async function grayPictures(
  ffmpeg: Ffmpeg,
  { path, scratchDir, signal }: { path: string; scratchDir: string; signal: AbortSignal },
  source: SourceProbe,
  { looks, placesMs }: { looks: readonly GrayLook[]; placesMs: readonly number[] },
): Promise<readonly (readonly Uint8Array[])[]> {
  return await atEachPlace(source, placesMs, async (placesMs) => {
    const end = await glance(ffmpeg, {
      ...boundedRun(grayRun(placesMs, looks), source),
      pathOf: (place) => (place.kind === 'scratch' ? join(scratchDir, place.name) : path),
      cwd: scratchDir,
      signal,
      maxFileBytes: Math.max(...looks.map(grayBytes)),
      cpuSeconds: placesMs.length * GLANCE_CPU_S,
      timeoutMs: placesMs.length * GLANCE_WALL_MS,
    })
    const pictures: Uint8Array[][] = []
    for (const place of placesMs.keys()) {
      const files = looks.map((_, look) => join(scratchDir, grayFile(place, look)))
      pictures.push(await Promise.all(files.map(takeFile)))
    }
    // A place that cannot be read says nothing; the others do.
    return end.ok ? pictures : null
  })
}

/** What a file holds, which is no longer there afterwards; nothing where it was not written. */
async function takeFile(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file).catch(() => new Uint8Array())
  await rm(file, { force: true })
  return bytes
}
