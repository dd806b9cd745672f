import { HOP, RATE } from './spectrum.ts'

/** Pitch is looked for in every fourth sample: 61 to 444 Hz. */
const SLOWER = 4
const [SHORTEST, LONGEST] = [9, 66]
const COMPARED = 160
/** How many samples around a place its pitch depends on. */
export const PITCH_REACH = ((COMPARED + LONGEST) * SLOWER) / 2
/** Of a sound that repeats itself, how alike both are. */
const VOICED = 0.5
/** Power below which no one speaks. */
const SILENT = 1e-5

/**
 * The pitch in octaves above 1 Hz at each hop of a stretch, NaN where nothing is sung or said.
 * @param samples of the stretch, with `PITCH_REACH` more on both sides
 */
export function pitchesIn(samples: Float32Array): Float32Array {
  const slow = Float32Array.from({ length: Math.floor(samples.length / SLOWER) }, (_, at) => {
    const from = at * SLOWER
    return (samples[from]! + samples[from + 1]! + samples[from + 2]! + samples[from + 3]!) / SLOWER
  })
  const count = Math.floor((samples.length - 2 * PITCH_REACH) / HOP)
  return Float32Array.from({ length: count }, (_, index) => pitchAt(slow, (index * HOP) / SLOWER))
}

/** By how much a sound is like itself some samples later: the first place that is like no other. */
function pitchAt(slow: Float32Array, from: number): number {
  const own = energy(slow, from)
  if (own / COMPARED < SILENT) return Number.NaN
  const likeness = new Float64Array(LONGEST + 1)
  let later = energy(slow, from + SHORTEST - 1)
  let most = 0
  for (let lag = SHORTEST - 1; lag < LONGEST; lag += 1) {
    let product = 0
    for (let at = from; at < from + COMPARED; at += 1) product += slow[at]! * slow[at + lag]!
    likeness[lag] = product / Math.sqrt(own * later + 1e-12)
    later += slow[from + lag + COMPARED]! ** 2 - slow[from + lag]! ** 2
  }
  const isPeak = (lag: number): boolean =>
    likeness[lag]! >= likeness[lag - 1]! && likeness[lag]! >= likeness[lag + 1]!
  for (let lag = SHORTEST; lag < LONGEST - 1; lag += 1)
    if (isPeak(lag)) most = Math.max(most, likeness[lag]!)
  if (most < VOICED) return Number.NaN
  for (let lag = SHORTEST; lag < LONGEST - 1; lag += 1) {
    // Two periods are as alike as one: the first that is about as good is the period.
    if (!isPeak(lag) || likeness[lag]! < 0.9 * most) continue
    const [before, peak, after] = [likeness[lag - 1]!, likeness[lag]!, likeness[lag + 1]!]
    const curve = 2 * (before - 2 * peak + after)
    const shift = curve === 0 ? 0 : (before - after) / curve
    return Math.log2(RATE / SLOWER / (lag + shift))
  }
  return Number.NaN
}

function energy(slow: Float32Array, from: number): number {
  let sum = 0
  for (let at = from; at < from + COMPARED; at += 1) sum += slow[at]! ** 2
  return sum
}

/** Hops of a standard deviation over which a pitch is local: less than a sentence. */
const LOCAL = 100
const kernel = Float64Array.from({ length: 3 * LOCAL }, (_, at) =>
  Math.exp(-((at / LOCAL) ** 2) / 2),
)
/** How much of the melody within a sentence stays. */
const MELODY = 0.8
/** Octaves: what is further from the pitch around it was misheard. */
const WIDEST = 0.4
/** Hops before and after over which a change is smooth. */
const SMOOTH = 3

/**
 * How much faster each hop has to be played so that its pitch becomes the target. The pitch around
 * it counts, not that of the whole sound: several people take turns.
 * @param target in octaves above 1 Hz
 */
export function speeds(pitches: Float32Array, target: number): Float32Array {
  const known = pitches.filter((pitch) => !Number.isNaN(pitch))
  const mean =
    known.length === 0 ? target : known.reduce((sum, each) => sum + each, 0) / known.length
  const octaves = pitches.map((own, hop) => {
    const local = localPitch(pitches, hop, mean)
    const melody = Number.isNaN(own) ? 0 : Math.max(-WIDEST, Math.min(WIDEST, own - local))
    return target - local - (1 - MELODY) * melody
  })
  return octaves.map((_, hop) => {
    const around = octaves.subarray(Math.max(0, hop - SMOOTH), hop + SMOOTH + 1)
    return 2 ** (around.reduce((sum, each) => sum + each, 0) / around.length)
  })
}

/** The mean pitch around a hop; where little is said, about that of the whole sound. */
function localPitch(pitches: Float32Array, hop: number, mean: number): number {
  let [sum, weight] = [2 * mean, 2]
  const end = Math.min(pitches.length, hop + kernel.length)
  for (let at = Math.max(0, hop - kernel.length + 1); at < end; at += 2) {
    const pitch = pitches[at]!
    if (Number.isNaN(pitch)) continue
    const near = kernel[Math.abs(at - hop)]!
    sum += near * pitch
    weight += near
  }
  return sum / weight
}
