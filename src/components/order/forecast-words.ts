import type { components } from '#openapi/schema.gen.ts'
import { aboutWords } from '#src/lib/time-words.ts'

type Forecast = components['schemas']['MediaJobForecast']

/** From when times count: from now, or from the end of the upload. */
interface Start {
  readonly isVideoThere: boolean
}

/**
 * When edits are ready: 'Ready in about 25 minutes', and with faces to look at first 'Ready for
 * your review in about 5 minutes, then about 10 minutes more.' Null where nothing is known.
 */
export function forecastWords({ remainingMs, review }: Forecast, start: Start): string | null {
  if (review === null) return remainingMs === null ? null : `Ready ${inWords(remainingMs, start)}`
  const words = [reviewWords(review, start), othersWords(review, start)]
  return words.every((each) => each === null) ? null : words.flatMap((each) => each ?? []).join(' ')
}

function reviewWords(
  { inMs, thenMs }: NonNullable<Forecast['review']>,
  start: Start,
): string | null {
  if (inMs === 0 && thenMs !== null) return `Ready ${aboutWords(thenMs)} after your review.`
  if (inMs === null || inMs === 0) return null
  const look = `Ready for your review ${inWords(inMs, start)}`
  return thenMs === null ? `${look}.` : `${look}, then ${aboutWords(thenMs)} more.`
}

function othersWords({ othersMs }: NonNullable<Forecast['review']>, start: Start): string | null {
  return othersMs === null ? null : `Your other edits are ready ${inWords(othersMs, start)}.`
}

function inWords(lengthMs: number, { isVideoThere }: Start): string {
  return isVideoThere ? `in ${aboutWords(lengthMs)}` : `${aboutWords(lengthMs)} after your upload`
}
