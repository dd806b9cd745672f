import { findRecipe } from '#recipes/presets.ts'
import { MIB } from '#src/lib/bytes.ts'
import type { MakeRequest } from './make.ts'

/** Free space that making an edit leaves to everything else of the device. */
const SPARE_BYTES = 200 * MIB
/** The most that a second of each pixel takes, as of the server's edits, and the least a second. */
const BITS_OF_PIXEL = 6
const LEAST_BITS_A_SECOND = 3_000_000
const LARGEST_PIXELS = 1920 * 1080
/** A still that is hardly compressed. */
const STILL_BYTES_OF_PIXEL = 1

/**
 * The most that the files of an edit may take, by what it shows; of an edit of the whole source, by
 * its length.
 */
export function mostBytes({
  slug,
  payload,
  source,
  moments,
}: Pick<MakeRequest, 'slug' | 'payload' | 'source' | 'moments'>): number {
  const timeline = findRecipe(slug)?.timeline?.(source, payload, { moments })
  const shown = timeline?.ok === true ? timeline.value : [{ startMs: 0, endMs: source.durationMs }]
  const seconds = shown.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1_000
  const pixels = Math.min(source.width * source.height, LARGEST_PIXELS)
  const bits = seconds * Math.max(LEAST_BITS_A_SECOND, pixels * BITS_OF_PIXEL)
  const stills = shown.filter(({ startMs, endMs }) => endMs - startMs <= 1).length
  return Math.round(bits / 8 + stills * source.width * source.height * STILL_BYTES_OF_PIXEL)
}

/** The most room that making an edit takes: for its pieces, and for the files made of them. */
export function neededBytes(request: Parameters<typeof mostBytes>[0]): number {
  return 2 * mostBytes(request)
}

/**
 * How much more free space the device needs before an edit of this size; 0 where there is enough,
 * and where the browser does not say how much there is.
 */
export function missingBytes(sizeBytes: number, { quota, usage }: StorageEstimate): number {
  if (quota === undefined || usage === undefined) return 0
  return Math.max(0, sizeBytes + SPARE_BYTES - (quota - usage))
}
