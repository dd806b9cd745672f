import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  FIELDS,
  fieldOrderIn,
  fieldRuns,
  mayHoldFields,
  readFields,
  type FieldsSaid,
} from '#recipes/fields.ts'
import { boundedRun } from '#server/media/bounds.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { glance } from '#server/media/glance.ts'

/**
 * The file with the order of the fields that its pictures hold, whatever its header says ([Note:
 * fields]), by some pictures at each of five places, one place after the other; the same where they
 * are whole or nothing moves. Rejects when aborted and with the fault of the machine.
 */
export async function measureFields(
  ffmpeg: Ffmpeg,
  { path, scratchDir, signal }: { path: string; scratchDir: string; signal: AbortSignal },
  probe: FileProbe,
): Promise<FileProbe> {
  const { source } = probe
  if (probe.kind !== 'video' || !mayHoldFields(source)) return probe
  const file = join(scratchDir, FIELDS.file)
  const places: (FieldsSaid | null)[] = []
  for (const run of fieldRuns(source)) {
    const end = await glance(ffmpeg, {
      ...boundedRun(run, source),
      pathOf: (place) => (place.kind === 'scratch' ? file : path),
      cwd: scratchDir,
      signal,
      maxFileBytes: FIELDS.maxBytes,
    })
    // A place that cannot be read says nothing; the others do.
    if (end.ok) places.push(readFields(await readFile(file).catch(() => new Uint8Array()), source))
    await rm(file, { force: true })
  }
  const fieldOrder = fieldOrderIn(places)
  if (fieldOrder === null) return probe
  return {
    ...probe,
    source: { ...source, isInterlaced: true, fieldOrder },
    deep: { ...probe.deep, isInterlaced: true },
  }
}
