import type { Stretch } from '#recipes/stretch.ts'

/** Stretches up to the end of a video, behind which a device may let them end. */
export function untilEnd(stretches: readonly Stretch[], durationMs: number): readonly Stretch[] {
  return stretches
    .map(({ startMs, endMs }) => ({ startMs, endMs: Math.min(endMs, durationMs) }))
    .filter(({ startMs, endMs }) => startMs < endMs)
}

/**
 * Places (ms) within stretches, at equal shares of all that can be looked at, each with `roomMs`
 * behind it before its stretch ends; fewer where there is no such place. Shorter stretches are left
 * out, and where all are shorter, each is looked at where it begins.
 */
export function placesWithin(
  stretches: readonly Stretch[],
  count: number,
  roomMs: number,
): readonly number[] {
  const rooms = stretches.map(({ startMs, endMs }) => endMs - startMs - roomMs)
  if (rooms.every((room) => room < 0))
    return stretches.slice(0, count).map(({ startMs }) => startMs)
  const allMs = rooms.reduce((sum, room) => sum + Math.max(0, room), 0)
  const places = Array.from({ length: count }, (_, index) => {
    let leftMs = ((index + 0.5) / count) * allMs
    for (const [at, { startMs }] of stretches.entries()) {
      const room = rooms[at] ?? -1
      if (room < 0) continue
      if (leftMs <= room) return Math.floor(startMs + leftMs)
      leftMs -= room
    }
    return null
  })
  return [...new Set(places)].filter((place) => place !== null)
}
