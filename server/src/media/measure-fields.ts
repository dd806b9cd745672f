import { fieldOrderIn, fieldsLook, mayHoldFields, readFields } from '#recipes/fields.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { grayPictures } from '#server/media/gray-pictures.ts'

/**
 * The file with the order of the fields that its pictures hold, whatever its header says ([Note:
 * fields]), by some pictures at each of five places, one place after the other; the same where they
 * are whole or nothing moves. Rejects when aborted and with the fault of the machine.
 */
export async function measureFields(
  ffmpeg: Ffmpeg,
  check: { path: string; scratchDir: string; signal: AbortSignal },
  probe: FileProbe,
): Promise<FileProbe> {
  const { source } = probe
  if (probe.kind !== 'video' || !mayHoldFields(source)) return probe
  const places = await grayPictures(ffmpeg, check, source, fieldsLook(source))
  const fieldOrder = fieldOrderIn(places.map((bytes) => readFields(bytes, source)))
  if (fieldOrder === null) return probe
  return {
    ...probe,
    source: { ...source, isInterlaced: true, fieldOrder },
    deep: { ...probe.deep, isInterlaced: true },
  }
}
