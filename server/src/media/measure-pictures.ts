import { fieldOrderIn, fieldsLook, mayHoldFields, readFields } from '#recipes/fields.ts'
import { GRAIN_LOOK, grainIn } from '#recipes/grain.ts'
import { grayPlaces, type GrayLook } from '#recipes/gray-pictures.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { grayPictures } from '#server/media/gray-pictures.ts'

interface PictureCheck {
  readonly path: string
  readonly purpose: 'media-job' | 'media-asset' | 'excerpt'
  readonly scratchDir: string
  readonly signal: AbortSignal
  /** Where to look; left out = at five places of all of it. */
  readonly placesMs?: readonly number[]
}

/**
 * The file with what its pictures say, whatever its header does, by some pictures at each of five
 * places: the order of the fields that they hold ([Note: fields]), and of a video for edits how
 * much grain they have ([Note: grain]). What does not show is left as it is. Rejects when aborted
 * and with the fault of the machine.
 */
export async function measurePictures(
  ffmpeg: Ffmpeg,
  check: PictureCheck,
  probe: FileProbe,
): Promise<FileProbe> {
  const { source } = probe
  if (probe.kind !== 'video') return probe
  const fieldsAsked = mayHoldFields(source) ? fieldsLook(source) : null
  const grainAsked = check.purpose === 'media-job' ? GRAIN_LOOK : null
  const looks = [fieldsAsked, grainAsked].filter((look) => look !== null)
  if (looks.length === 0) return probe
  const placesMs = check.placesMs ?? grayPlaces(source)
  const places = await grayPictures(ffmpeg, check, source, { looks, placesMs })
  const seenBy = (asked: GrayLook | null): readonly Uint8Array[] =>
    asked === null ? [] : places.flatMap((place) => place[looks.indexOf(asked)] ?? [])
  const fieldOrder = fieldOrderIn(seenBy(fieldsAsked).map((bytes) => readFields(bytes, source)))
  const grain = grainIn(seenBy(grainAsked))
  return {
    ...probe,
    source: {
      ...source,
      ...(fieldOrder === null ? {} : { isInterlaced: true, fieldOrder }),
      ...(grain === null ? {} : { grain: Math.round(grain * 100) / 100 }),
    },
    deep: { ...probe.deep, isInterlaced: probe.deep.isInterlaced || fieldOrder !== null },
  }
}
