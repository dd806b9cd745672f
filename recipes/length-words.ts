const SECOND_MS = 1000

/** A length in words: '42 s', '12 min 5 s', '1 h 2 min'. */
export function spokenLength(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / SECOND_MS))
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  if (minutes > 0) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
  return `${rest} s`
}

/** The same without what is left of a second: 12.9 s is not called 13 s where 13 are needed. */
export function fullSeconds(durationMs: number): string {
  return spokenLength(Math.floor(durationMs / SECOND_MS) * SECOND_MS)
}
