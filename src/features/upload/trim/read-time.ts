import { trimPlaceWords } from '#src/components/upload-words/trim-words.ts'
import { readPoint } from '#src/lib/typed-number.ts'
import type { Trim, TrimPlaces } from '#src/local/uploads/page/trim.ts'
import { moveEnd, type TrimEnd } from './trim-moves.ts'

/** What came of a typed time: the trim with it, or what is wrong with it, in words. */
type TypedTime =
  | { readonly ok: true; readonly trim: Trim; readonly note: string | null }
  | { readonly ok: false; readonly error: string }

/** Takes the time that was typed for one end. */
export function readTime(
  { places, trim, end }: { places: TrimPlaces; trim: Trim; end: TrimEnd },
  typed: string,
): TypedTime {
  const ms = readPoint(typed)
  const error = ms === null ? NO_TIME : wrongTime({ places, trim, end }, ms)
  if (ms === null || error !== null) return { ok: false, error: error ?? NO_TIME }
  const moved = moveEnd(places, trim, end, ms)
  const place = trimPlaceWords(moved[end])
  return {
    ok: true,
    trim: moved,
    note:
      place === trimPlaceWords(ms)
        ? null
        : `${place} is the nearest place to ${trimPlaceWords(ms)} where your video can be cut.`,
  }
}

const NO_TIME = 'Please enter the time as minutes and seconds, for example 1:23.4.'

function wrongTime(
  { places, trim, end }: { places: TrimPlaces; trim: Trim; end: TrimEnd },
  ms: number,
): string | null {
  const ends = trimPlaceWords(places.durationMs)
  // The end as it is shown may lie behind the end as it is.
  if (ms > places.durationMs && trimPlaceWords(ms) !== ends) return `Your video ends at ${ends}.`
  if (end === 'fromMs' && ms >= trim.toMs)
    return `Please let it begin before ${trimPlaceWords(trim.toMs)}, where it ends.`
  if (end === 'toMs' && ms <= trim.fromMs)
    return `Please let it end after ${trimPlaceWords(trim.fromMs)}, where it begins.`
  return null
}
