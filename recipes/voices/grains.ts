/** Samples of the output that a grain begins after the one before; it is twice as long. */
export const GRAIN_HOP = 160
/** How far a grain may be taken from beside its place, in samples: 7.5 ms. */
const BESIDE = 120
/** Places are compared roughly first. */
const ROUGHLY = 4

/**
 * A sound at another pitch and in the same time, as short grains that are played faster or slower.
 * Each is taken from where it goes on best from the one before. Every call gives the next
 * `GRAIN_HOP` samples.
 * @param sampleAt the sound, at whole places
 * @param speedAt how much faster it is to be played around a place
 */
export function grainsOf(
  sampleAt: (at: number) => number,
  speedAt: (at: number) => number,
): () => Float32Array {
  const between = (place: number): number => {
    const at = Math.floor(place)
    const sample = sampleAt(at)
    return sample + (place - at) * (sampleAt(at + 1) - sample)
  }
  const tail = new Float32Array(GRAIN_HOP)
  let start = -GRAIN_HOP
  return () => {
    const middle = start + GRAIN_HOP
    const speed = speedAt(middle)
    const place = middle + bestBeside(tail, between, middle, speed)
    const samples = new Float32Array(GRAIN_HOP)
    for (let at = 0; at < GRAIN_HOP; at += 1) {
      const rising = 0.5 - 0.5 * Math.cos((Math.PI * (at + 0.5)) / GRAIN_HOP)
      const own = between(place + (at - GRAIN_HOP) * speed)
      samples[at] = (1 - rising) * tail[at]! + rising * own
    }
    for (let at = 0; at < GRAIN_HOP; at += 1) tail[at] = between(place + at * speed)
    start += GRAIN_HOP
    return samples
  }
}

/** How far beside its place a grain is most like what would have come next. */
function bestBeside(
  tail: Float32Array,
  between: (place: number) => number,
  middle: number,
  speed: number,
): number {
  const likeness = (beside: number): number => {
    let [product, energy] = [0, 1e-6]
    for (let at = 0; at < GRAIN_HOP; at += ROUGHLY) {
      const sample = between(middle + beside + (at - GRAIN_HOP) * speed)
      product += sample * tail[at]!
      energy += sample * sample
    }
    return product / Math.sqrt(energy)
  }
  const best = (from: number, to: number, step: number): number => {
    let [found, most] = [0, likeness(0)]
    for (let beside = from; beside <= to; beside += step) {
      const value = likeness(beside)
      if (value > most) [found, most] = [beside, value]
    }
    return found
  }
  const rough = best(-BESIDE, BESIDE, ROUGHLY)
  return rough === 0 ? 0 : best(rough - ROUGHLY + 1, rough + ROUGHLY - 1, 1)
}
