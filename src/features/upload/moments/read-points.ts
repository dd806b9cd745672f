import { pointWords } from '#recipes/moment-choice.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { readPoint } from '#src/lib/typed-number.ts'

/** The points that were typed, or what is wrong with them. */
export function readPoints(start: string, end: string, sourceDurationMs: number): Stretch | string {
  const startMs = readPoint(start)
  const endMs = readPoint(end)
  if (startMs === null || endMs === null)
    return 'Please enter both times as minutes and seconds, for example 1:23.4.'
  if (endMs <= startMs) return 'Please let the moment end after it begins.'
  if (endMs > sourceDurationMs)
    return `Your video ends at ${pointWords(sourceDurationMs)}. Please let the moment end before that.`
  return { startMs, endMs }
}

/** The moment of a length that begins at a point, or what is wrong with it. */
export function readStart(
  start: string,
  lengthMs: number,
  sourceDurationMs: number,
): Stretch | string {
  const startMs = readPoint(start)
  if (startMs === null) return 'Please enter the time as minutes and seconds, for example 1:23.4.'
  const latestMs = Math.max(0, Math.floor(sourceDurationMs - lengthMs))
  if (startMs > latestMs)
    return `Your video ends at ${pointWords(sourceDurationMs)}. Please let it begin at ${pointWords(latestMs)} at the latest.`
  return { startMs, endMs: startMs + Math.round(lengthMs) }
}
