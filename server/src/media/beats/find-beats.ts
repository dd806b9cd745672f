import type { Beats } from '#recipes/types.ts'
import { fourierOf } from '#recipes/voices/fourier.ts'

/** Of the samples that `findBeats` takes. */
export const BEATS_RATE = 11_025

const FRAME = 256
/** Ten milliseconds. */
const HOP = 110
const HOPS_PER_S = BEATS_RATE / HOP
/** Edges of the bands in bins of 43 Hz: narrow where drums and basses are. */
const BANDS = [1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 86, 128] as const
/** Beats a minute that people tap; twice or half of a tempo outside is taken instead. */
const [SLOWEST, FASTEST] = [60, 180] as const
/** Between two tempos that fit alike, the one nearer to this is what people tap. */
const USUAL = 112
/** Two tempos are told apart when their beats part by this much at the end. */
const APART_S = 0.01
/** Least music to hear a tempo in. */
const LEAST_S = 15
const STRETCH_S = 5
/** How far the beats of a stretch may lie beside the others: a cut within 40 ms is on the beat. */
const AGREES_S = 0.03
/**
 * Of 240 generated pieces with a beat, at 66 to 166 beats a minute, at least 0.91 of the stretches
 * agree; of 60 without one (beats at random, chords that swell, a tempo that changes) 0.83 at most.
 */
const LEAST_AGREEING = 0.87

/**
 * Where the beats of music lie that keeps its tempo, by when sounds begin in its bands; null where
 * none is heard, or where the tempo drifts.
 * @param samples one channel at `BEATS_RATE`
 */
export function findBeats(samples: Float32Array): Beats | null {
  const onsets = onsetsOf(samples)
  const seconds = onsets.length / HOPS_PER_S
  if (seconds < LEAST_S) return null
  const best = candidatesOf(onsets)
    .map((hops) => refine(onsets, hops))
    .toSorted((a, b) => b.worth - a.worth)[0]
  if (best === undefined || best.worth === 0 || !isSteady(onsets, best)) return null
  return {
    perMinute: (60 * HOPS_PER_S) / best.hops,
    firstMs: ((best.first * HOP + HEARD_AFTER) / BEATS_RATE) * 1000,
  }
}

/** Samples of a frame after which a sound that begins counts most: measured, to 2 ms. */
const HEARD_AFTER = FRAME / 4

/** A grid of beats, in hops. */
interface Grid {
  readonly hops: number
  readonly first: number
  readonly worth: number
}

/** How much begins to sound at each hop, over what is usual around it; never negative. */
function onsetsOf(samples: Float32Array): Float32Array {
  const transform = fourierOf(FRAME)
  const [real, imaginary] = [new Float64Array(FRAME), new Float64Array(FRAME)]
  const count = Math.max(0, Math.floor((samples.length - FRAME) / HOP) + 1)
  const rise = new Float32Array(count)
  let before: readonly number[] = []
  for (let hop = 0; hop < count; hop += 1) {
    for (let at = 0; at < FRAME; at += 1) {
      real[at] = (samples[hop * HOP + at] ?? 0) * (WINDOW[at] ?? 0)
      imaginary[at] = 0
    }
    transform(real, imaginary)
    const now = bandsOf(real, imaginary)
    rise[hop] = now.reduce(
      (sum, level, band) => sum + Math.max(0, level - (before[band] ?? level)),
      0,
    )
    before = now
  }
  return aboveUsual(smooth(rise))
}

const WINDOW = Float64Array.from(
  { length: FRAME },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / FRAME),
)

/** Loudness of each band as ears have it: steps of what is loud count, and no noise below it. */
function bandsOf(real: Float64Array, imaginary: Float64Array): readonly number[] {
  return BANDS.slice(0, -1).map((from, index) => {
    let power = 0
    for (let bin = from; bin < (BANDS[index + 1] ?? 0); bin += 1)
      power += (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2
    return Math.log1p((100 * Math.sqrt(power)) / FRAME)
  })
}

/** Two hops to each side: a beat that is played does not lie on the hop. */
function smooth(values: Float32Array): Float32Array {
  return values.map((_, at) =>
    KERNEL.reduce((sum, share, index) => sum + share * (values[at + index - 2] ?? 0), 0),
  )
}

const KERNEL = [0.06, 0.24, 0.4, 0.24, 0.06] as const

/** What is over the mean of the second around it. */
function aboveUsual(values: Float32Array): Float32Array {
  const half = Math.round(HOPS_PER_S / 2)
  const sums = new Float64Array(values.length + 1)
  values.forEach((value, at) => (sums[at + 1] = (sums[at] ?? 0) + value))
  return values.map((value, at) => {
    const [from, to] = [Math.max(0, at - half), Math.min(values.length, at + half)]
    return Math.max(0, value - ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from))
  })
}

/** Lengths of a beat in hops after which the onsets are most like themselves. */
function candidatesOf(onsets: Float32Array): readonly number[] {
  const [shortest, longest] = [FASTEST, SLOWEST].map((beats) => (60 * HOPS_PER_S) / beats)
  const likeness = (lag: number): number => {
    let sum = 0
    for (let at = lag; at < onsets.length; at += 1)
      sum += (onsets[at] ?? 0) * (onsets[at - lag] ?? 0)
    return sum / (onsets.length - lag)
  }
  const lags = Array.from(
    { length: Math.ceil(longest ?? 0) - Math.floor(shortest ?? 0) + 1 },
    (_, index) => Math.floor(shortest ?? 0) + index,
  )
  return lags
    .map((lag) => ({
      lag,
      worth:
        (likeness(lag) + likeness(2 * lag) / 2 + likeness(4 * lag) / 2) *
        usualness((60 * HOPS_PER_S) / lag),
    }))
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, 12)
    .map(({ lag }) => lag)
}

/** How usual a tempo is, 1 at the most. */
function usualness(perMinute: number): number {
  return Math.exp(-0.5 * (Math.log2(perMinute / USUAL) / 0.9) ** 2)
}

/** The grid around a length of a beat with the strongest onsets, times how usual it is. */
function refine(onsets: Float32Array, about: number): Grid {
  const beats = onsets.length / about
  const step = Math.max(0.001, (APART_S * HOPS_PER_S) / beats)
  let best: Grid = { hops: about, first: 0, worth: 0 }
  for (let hops = about - 0.75; hops <= about + 0.75; hops += step)
    for (let first = 0; first < hops; first += 1) {
      const worth = strengthOf(onsets, { hops, first }) * usualness((60 * HOPS_PER_S) / hops)
      if (worth > best.worth) best = { hops, first, worth }
    }
  return best
}

/** Mean of the onsets on the beats of a grid, in a part of the music. */
function strengthOf(
  onsets: Float32Array,
  { hops, first }: Pick<Grid, 'hops' | 'first'>,
  from = 0,
  to = onsets.length,
): number {
  let [sum, count] = [0, 0]
  for (let at = first + Math.ceil((from - first) / hops) * hops; at < to; at += hops) {
    sum += onsets[Math.round(at)] ?? 0
    count += 1
  }
  return count === 0 ? 0 : sum / count
}

/** Whether the stretches of the music, each by itself, have their beats where the grid has them. */
function isSteady(onsets: Float32Array, { hops, first }: Grid): boolean {
  const length = Math.round(STRETCH_S * HOPS_PER_S)
  const stretches = Math.floor(onsets.length / length)
  const half = hops / 2
  const agreeing = Array.from({ length: stretches }, (_, index) => {
    const [from, to] = [index * length, (index + 1) * length]
    const own = bestFirst(onsets, hops, from, to)
    const apart = (((own - first) % half) + half) % half
    return Math.min(apart, half - apart) <= AGREES_S * HOPS_PER_S
  }).filter(Boolean).length
  return agreeing / stretches >= LEAST_AGREEING
}

/** Where the first beat of a given length is by the onsets of one stretch. */
function bestFirst(onsets: Float32Array, hops: number, from: number, to: number): number {
  let best = { first: 0, worth: -1 }
  for (let first = 0; first < hops; first += 1) {
    const worth = strengthOf(onsets, { hops, first }, from, to)
    if (worth > best.worth) best = { first, worth }
  }
  return best.first
}
