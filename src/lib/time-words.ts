import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts'

const UNITS = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
  [SECOND_MS, 'second'],
] as const

/**
 * 'about 3 minutes remaining', in the largest unit that fits; null when the time is over or is not
 * a number.
 */
export function remainingWords(remainingMs: number): string | null {
  if (!Number.isFinite(remainingMs) || remainingMs <= 0) return null
  const [unitMs, unit] = UNITS.find(([size]) => remainingMs >= size) ?? UNITS[3]
  const count = Math.max(1, Math.round(remainingMs / unitMs))
  return `about ${count} ${unit}${count === 1 ? '' : 's'} remaining`
}

/**
 * 'less than a minute', 'about 25 minutes', 'about 2 hours 30 minutes': no finer than an estimate
 * is.
 */
export function aboutWords(lengthMs: number): string {
  const minutes = lengthMs / MINUTE_MS
  if (minutes < 1) return 'less than a minute'
  if (minutes < 10) return `about ${counted(Math.round(minutes), 'minute')}`
  if (minutes < 90) return `about ${5 * Math.round(minutes / 5)} minutes`
  const halfHours = Math.round(minutes / 30)
  const hours = counted(Math.floor(halfHours / 2), 'hour')
  return halfHours % 2 === 0 ? `about ${hours}` : `about ${hours} 30 minutes`
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** 'less than a minute ago', 'about 3 minutes ago', in the largest unit that fits. */
export function agoWords(agoMs: number): string {
  if (agoMs < MINUTE_MS) return 'less than a minute ago'
  const [unitMs, unit] = UNITS.find(([size]) => agoMs >= size) ?? UNITS[3]
  const count = Math.round(agoMs / unitMs)
  return `about ${count} ${unit}${count === 1 ? '' : 's'} ago`
}

/** A length as a player shows it: '0:42', '12:05', '1:02:03'. */
export function lengthWords(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / SECOND_MS))
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  const tail = `${String(rest).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}

/** A length as 'hours:minutes:seconds': '0:00:42', '1:02:03'. */
export function clockWords(durationMs: number): string {
  const minutes = lengthWords(durationMs).padStart(5, '0')
  return minutes.length > 5 ? lengthWords(durationMs) : `0:${minutes}`
}

/** 'Nov 21, 2026' in the visitor's zone. */
export function dateWords(atEpochMs: number): string {
  return new Date(atEpochMs).toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })
}

/** 'November 21, 2026', as on subscriptions. */
export function longDateWords(atEpochMs: number): string {
  return new Date(atEpochMs).toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  })
}

/** 'Nov 21, 2026, 10:42:07 AM': to the second, which tells things of the same name apart. */
export function dateTimeWords(atEpochMs: number): string {
  return `${dateWords(atEpochMs)}, ${new Date(atEpochMs).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', second: '2-digit' })}`
}

/** 'May', with the year when it is not this one. */
export function monthWords(atEpochMs: number, nowEpochMs: number): string {
  const at = new Date(atEpochMs)
  const isThisYear = at.getFullYear() === new Date(nowEpochMs).getFullYear()
  return at.toLocaleDateString('en-US', {
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

/** 'Nov 21, 2026, 10:42 AM'. */
export function minuteWords(atEpochMs: number): string {
  return `${dateWords(atEpochMs)}, ${timeWords(atEpochMs)}`
}

/** '10:42 AM', with the date when it is not today. */
export function asOfWords(atEpochMs: number, nowEpochMs: number): string {
  const isToday = new Date(atEpochMs).toDateString() === new Date(nowEpochMs).toDateString()
  return isToday ? timeWords(atEpochMs) : minuteWords(atEpochMs)
}

/** 'You can try again from 8:00 PM on.' */
export function notYetWords({
  untilEpochMs,
  nowEpochMs,
}: {
  readonly untilEpochMs: number
  readonly nowEpochMs: number
}): string {
  return untilEpochMs - nowEpochMs < MINUTE_MS
    ? 'You can try again in less than a minute.'
    : `You can try again from ${asOfWords(untilEpochMs, nowEpochMs)} on.`
}

function timeWords(atEpochMs: number): string {
  return new Date(atEpochMs).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })
}
