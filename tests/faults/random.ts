/** Numbers 0 <= n < 1 that are the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of the given things. */
export function pickOne<T>(random: () => number, things: readonly T[]): T {
  const thing = things[Math.floor(random() * things.length)]
  if (thing === undefined) throw new RangeError('nothing to pick from')
  return thing
}

/** A whole number from `least` to `most`. */
export function pickNumber(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}
