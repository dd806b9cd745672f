import type { SourceProbe } from '#recipes/types.ts'

/** Pictures of this many points, of all places of a run together, are decoded side by side. */
const POINTS_AT_ONCE = 3840 * 2160
/** More save little: ffmpeg starts in 0.1 processor seconds, also for eight places. */
const PLACES_AT_ONCE = 8

/**
 * Takes something at each place of a source, several places by one run, as many as need no more
 * memory than one picture of 4K. `take` makes one run for the places that it gets, and answers
 * what it took, in their order, or null where the run failed: its places are then tried one by one,
 * and what cannot be taken alone is left out.
 */
export async function atEachPlace<P, T>(
  { width, height }: Pick<SourceProbe, 'width' | 'height'>,
  places: readonly P[],
  take: (places: readonly P[]) => Promise<readonly T[] | null>,
): Promise<readonly T[]> {
  const fitting = Math.floor(POINTS_AT_ONCE / Math.max(1, width * height))
  const atOnce = Math.max(1, Math.min(PLACES_AT_ONCE, fitting))
  const taken: T[] = []
  for (let first = 0; first < places.length; first += atOnce) {
    const some = places.slice(first, first + atOnce)
    taken.push(...((await take(some)) ?? (await oneByOne(some, take))))
  }
  return taken
}

async function oneByOne<P, T>(
  places: readonly P[],
  take: (places: readonly P[]) => Promise<readonly T[] | null>,
): Promise<readonly T[]> {
  if (places.length < 2) return []
  const taken: T[] = []
  for (const place of places) taken.push(...((await take([place])) ?? []))
  return taken
}
