/**
 * Compares voices as an attacker would: cepstra of what a person says and the pitch of it, against
 * those of voices that are known.
 */
const RATE = 16_000
const WINDOW = 512
const HOP = 160
const BANDS = 26
const CEPSTRA = 16
/** Frames this far below the loudest ones are pauses. */
const PAUSE_DB = 30

/** What a matcher keeps of a voice. */
export interface Voice {
  readonly mean: readonly number[]
  readonly covariance: readonly (readonly number[])[]
  readonly inverse: readonly (readonly number[])[]
  /** Median pitch in octaves above 1 Hz. */
  readonly pitch: number
}

/** Ways to compare two voices: the smaller, the more alike. */
export const matchers: Readonly<Record<string, (a: Voice, b: Voice) => number>> = {
  'mean spectrum': (a, b) => meanDistance(a, b),
  'spectrum without its mean': (a, b) => shapeDistance(a, b),
  pitch: (a, b) => Math.abs(a.pitch - b.pitch),
  all: (a, b) => meanDistance(a, b) + 0.5 * shapeDistance(a, b) + 6 * Math.abs(a.pitch - b.pitch),
}

/** What a matcher keeps of mono samples at 16 kHz. */
export function voiceOf(samples: Float32Array): Voice {
  const { cepstra, isSpeech } = looksAt(samples)
  const heard = cepstra.filter((_, index) => isSpeech[index])
  const mean = columns.map((c) => average(heard.map((frame) => frame[c] ?? 0)))
  const covariance = columns.map((i) =>
    columns.map(
      (j) =>
        average(heard.map((frame) => at(frame, i, mean) * at(frame, j, mean))) +
        (i === j ? 1e-3 : 0),
    ),
  )
  return { mean, covariance, inverse: invert(covariance), pitch: quantile(pitchesOf(samples), 0.5) }
}

/** Looks at mono samples at 16 kHz, every 10 ms. */
export interface Looks {
  readonly cepstra: readonly (readonly number[])[]
  /** Whether people speak: no pause. */
  readonly isSpeech: readonly boolean[]
}

/** The cepstra of a recording, and when people speak in it. */
export function looksAt(samples: Float32Array): Looks {
  const cepstra: (readonly number[])[] = []
  const levels: number[] = []
  for (let at = 0; at + WINDOW <= samples.length; at += HOP) {
    const bands = bandsOf(samples.subarray(at, at + WINDOW))
    levels.push(10 * Math.log10(bands.reduce((sum, each) => sum + each, 0) + 1e-12))
    cepstra.push(cepstraOf(bands))
  }
  const loud = quantile(levels, 0.95) - PAUSE_DB
  return { cepstra, isSpeech: levels.map((level) => level > loud) }
}

/** What one knows of a person of whom there are several recordings. */
export function together(voices: readonly Voice[]): Voice {
  const mean = columns.map((c) => average(voices.map((voice) => voice.mean[c] ?? 0)))
  const covariance = columns.map((i) =>
    columns.map((j) => average(voices.map((voice) => voice.covariance[i]?.[j] ?? 0))),
  )
  return {
    mean,
    covariance,
    inverse: invert(covariance),
    pitch: average(voices.map(({ pitch }) => pitch)),
  }
}

/**
 * How alike the envelopes of two recordings are, 1 = the same; speech lives in them. Each band of
 * `a` is compared with those of `b` up to three bands away: people understand children and men
 * alike, though their formants lie a third apart.
 */
export function envelopeLikeness(a: Float32Array, b: Float32Array): number {
  const [first, second] = [envelopesOf(a), envelopesOf(b)]
  return average(
    first.map((band, index) =>
      Math.max(
        ...second
          .slice(Math.max(0, index - 3), index + 4)
          .flatMap((other) => [-2, -1, 0, 1, 2].map((lag) => correlation(band, other, lag))),
      ),
    ),
  )
}

/** Share of `trials` in which the right one of the known is nearest, and the equal error rate. */
export function linking<T>(
  trials: readonly { readonly who: number; readonly voice: T }[],
  known: readonly T[],
  distance: (a: T, b: T) => number,
): { readonly linked: number; readonly equalError: number } {
  const scored = trials.map(({ who, voice }) => ({
    who,
    scores: known.map((each) => distance(voice, each)),
  }))
  const linked = scored.filter(({ who, scores }) => scores.indexOf(Math.min(...scores)) === who)
  const same = scored.map(({ who, scores }) => scores[who] ?? Infinity)
  const other = scored.flatMap(({ who, scores }) => scores.filter((_, index) => index !== who))
  const errors = same.map((bar) => {
    const missed = same.filter((score) => score > bar).length / same.length
    const wrong = other.filter((score) => score <= bar).length / other.length
    return { gap: Math.abs(missed - wrong), rate: (missed + wrong) / 2 }
  })
  const nearest = errors.toSorted((a, b) => a.gap - b.gap)[0]
  return { linked: linked.length / trials.length, equalError: nearest?.rate ?? Number.NaN }
}

const columns = Array.from({ length: CEPSTRA }, (_, index) => index)
const at = (frame: readonly number[], index: number, mean: readonly number[]): number =>
  (frame[index] ?? 0) - (mean[index] ?? 0)
const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The value below which this share of some values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN
}

/** Difference of the mean cepstra, each divided by how much it varies within speech. */
function meanDistance(a: Voice, b: Voice): number {
  return Math.sqrt(
    columns.reduce((sum, c) => {
      const spread = ((a.covariance[c]?.[c] ?? 0) + (b.covariance[c]?.[c] ?? 0)) / 2
      return sum + ((a.mean[c] ?? 0) - (b.mean[c] ?? 0)) ** 2 / spread
    }, 0),
  )
}

/** Symmetric divergence of two normal distributions whose means are taken out. */
function shapeDistance(a: Voice, b: Voice): number {
  const trace = (x: Voice['inverse'], y: Voice['covariance']): number =>
    columns.reduce(
      (sum, i) => sum + columns.reduce((row, j) => row + (x[i]?.[j] ?? 0) * (y[j]?.[i] ?? 0), 0),
      0,
    )
  return trace(a.inverse, b.covariance) / 2 + trace(b.inverse, a.covariance) / 2 - CEPSTRA
}

function invert(matrix: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...columns.map((j) => (i === j ? 1 : 0))])
  for (let i = 0; i < size; i += 1) {
    const pivot = rows[i]?.[i] ?? 1
    rows[i] = (rows[i] ?? []).map((value) => value / pivot)
    for (let j = 0; j < size; j += 1) {
      if (i === j) continue
      const factor = rows[j]?.[i] ?? 0
      rows[j] = (rows[j] ?? []).map((value, c) => value - factor * (rows[i]?.[c] ?? 0))
    }
  }
  return rows.map((row) => row.slice(size))
}

const mel = (hz: number): number => 1127 * Math.log(1 + hz / 700)
const hzOf = (value: number): number => 700 * (Math.exp(value / 1127) - 1)
const edges = Array.from({ length: BANDS + 2 }, (_, index) =>
  hzOf(mel(100) + ((mel(7600) - mel(100)) * index) / (BANDS + 1)),
)
const weights = Array.from({ length: BANDS }, (_, band) =>
  Array.from({ length: WINDOW / 2 }, (_, bin) => {
    const hz = (bin * RATE) / WINDOW
    const [low = 0, middle = 0, high = 0] = edges.slice(band, band + 3)
    return Math.max(0, Math.min((hz - low) / (middle - low), (high - hz) / (high - middle)))
  }),
)
const hann = Float64Array.from(
  { length: WINDOW },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / WINDOW),
)

function bandsOf(frame: Float32Array): readonly number[] {
  const power = powerOf(frame.map((sample, index) => sample * (hann[index] ?? 0)))
  return weights.map((band) =>
    band.reduce((sum, weight, bin) => (weight === 0 ? sum : sum + weight * (power[bin] ?? 0)), 0),
  )
}

function cepstraOf(bands: readonly number[]): readonly number[] {
  const logs = bands.map((band) => Math.log(band + 1e-10))
  return columns.map((c) =>
    logs.reduce(
      (sum, level, index) => sum + level * Math.cos((Math.PI * (c + 1) * (index + 0.5)) / BANDS),
      0,
    ),
  )
}

/** Power of each bin below the half of the rate, by a fast Fourier transform. */
function powerOf(frame: Float32Array): Float64Array {
  const size = frame.length
  const real = Float64Array.from(frame)
  const imaginary = new Float64Array(size)
  for (let i = 1, j = 0; i < size; i += 1) {
    let bit = size >> 1
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) [real[i], real[j]] = [real[j]!, real[i]!]
  }
  for (let length = 2; length <= size; length *= 2) {
    const angle = (-2 * Math.PI) / length
    for (let start = 0; start < size; start += length)
      for (let k = 0; k < length / 2; k += 1) {
        const [cos, sin] = [Math.cos(angle * k), Math.sin(angle * k)]
        const [even, odd] = [start + k, start + k + length / 2]
        const re = real[odd]! * cos - imaginary[odd]! * sin
        const im = real[odd]! * sin + imaginary[odd]! * cos
        real[odd] = real[even]! - re
        imaginary[odd] = imaginary[even]! - im
        real[even]! += re
        imaginary[even]! += im
      }
  }
  return real.map((value, bin) => value ** 2 + imaginary[bin]! ** 2).subarray(0, size / 2)
}

/** Pitches of voiced stretches in octaves above 1 Hz, by autocorrelation at a quarter rate. */
export function pitchesOf(samples: Float32Array): readonly number[] {
  const slow = Float32Array.from({ length: Math.floor(samples.length / 4) }, (_, index) =>
    average([...samples.subarray(index * 4, index * 4 + 4)]),
  )
  const rate = RATE / 4
  const loud = Math.sqrt(average(Array.from(slow, (sample) => sample ** 2))) / 2
  const pitches: number[] = []
  for (let at = 0; at + 256 <= slow.length; at += 160) {
    const frame = slow.subarray(at, at + 256)
    const whole = product(frame, 0)
    if (Math.sqrt(whole / 256) < loud) continue
    const lags = Array.from({ length: 58 }, (_, index) => index + 9)
    const values = lags.map((lag) => product(frame, lag) / whole)
    const best = values.indexOf(Math.max(...values))
    const [before = 0, value = 0, after = 0] = values.slice(Math.max(0, best - 1))
    if (value < 0.35 || best === 0) continue
    // The peak lies between two samples: on the parabola through three of them.
    const shift = (before - after) / (2 * (before - 2 * value + after))
    pitches.push(Math.log2(rate / (best + 9 + shift)))
  }
  return pitches
}

function product(frame: Float32Array, lag: number): number {
  let sum = 0
  for (let index = lag; index < frame.length; index += 1)
    sum += (frame[index] ?? 0) * (frame[index - lag] ?? 0)
  return sum
}

/** Level of each band over time in steps of 10 ms, smoothed to what syllables change. */
function envelopesOf(samples: Float32Array): readonly Float64Array[] {
  const frames: (readonly number[])[] = []
  for (let at = 0; at + WINDOW <= samples.length; at += HOP)
    frames.push(bandsOf(samples.subarray(at, at + WINDOW)))
  return Array.from({ length: BANDS }, (_, band) => {
    const levels = frames.map((frame) => frame[band] ?? 0)
    return Float64Array.from(levels, (_, index) =>
      Math.sqrt(average(levels.slice(Math.max(0, index - 2), index + 3))),
    )
  })
}

/** Pearson's, of `a` and `b` read `lag` steps later. */
function correlation(a: Float64Array, b: Float64Array, lag: number): number {
  const from = Math.max(0, -lag)
  const to = Math.min(a.length, b.length - lag)
  let [n, x, y, xx, yy, xy] = [0, 0, 0, 0, 0, 0]
  for (let index = from; index < to; index += 1) {
    const [one, two] = [a[index] ?? 0, b[index + lag] ?? 0]
    n += 1
    x += one
    y += two
    xx += one * one
    yy += two * two
    xy += one * two
  }
  return (n * xy - x * y) / Math.sqrt((n * xx - x * x) * (n * yy - y * y))
}
