/**
 * Finds the hum of mains current in a sound and takes it out. Imports nothing, because the runner
 * lays it beside the noise filter.
 *
 * [Note: hum] RNNoise hears 22 bands, and takes no more of one than the voice in it allows: between
 * the overtones of a voice, hum stays. But hum is the one noise whose frequencies stand still. So
 * they are measured, and each gets a notch that takes less than a hertz of the voice.
 */

/** Hz of the mains of the world, and how far they are off at most. */
const MAINS = [50, 60] as const
const MOST_OFF = 0.15
/** Hum has few overtones above it that are heard. */
const HIGHEST_HZ = 1000
/** Samples become one for the search: from 48 kHz to 3 kHz. */
const SLOWER = 16
/** Samples of one look, a power of two: 5.5 s, which tells lines from voices. */
const LOOK = 16_384
const LOOKS = 24
/** A look needs so much of it in sound. */
const LEAST_SHARE = 0.35
/** A line has so many times the power of what is around it; less where others tell its place. */
const [LINE, EXPECTED_LINE] = [100, 16]
/** And this share of the power of the strongest bin: rounding makes lines too. */
const FAINT = 1e-6
/** In so many of the looks, because hum may be in some scenes only. */
const LOOK_SHARE = 0.25
/** Bins between which the surroundings of a line lie. */
const [NEAR, FAR] = [12, 60]
/** One line alone may be the tone of an instrument. */
const LEAST_LINES = 2
/** Hz that a notch takes. */
const NOTCH_HZ = 0.75
/** Periods of the mains after which a notch has settled. */
const SETTLED = 100

/** A channel of a sound: samples from a place on. */
export type ReadChannel = (at: number, length: number) => Float32Array

/** The hum of a channel, in Hz. */
export interface Hum {
  /** What its frequencies are multiples of. */
  readonly mains: number
  /** From the lowest up. */
  readonly frequencies: readonly number[]
}

/**
 * The hum of a channel; null where there is none.
 * @param length of the sound in samples
 */
export function humIn(read: ReadChannel, length: number, rate: number): Hum | null {
  const looks = looksAt(read, length)
  const binHz = rate / SLOWER / LOOK
  const found = MAINS.map((mains) => linesOf(looks, binHz, mains, MOST_OFF, LINE))
  const best = found.toSorted((a, b) => b.length - a.length)[0] ?? []
  if (best.length < LEAST_LINES) return null
  // A high overtone tells the frequency of the mains better than a low one does.
  const weight = best.reduce((sum, { overtone }) => sum + overtone ** 2, 0)
  const mains = best.reduce((sum, { hz, overtone }) => sum + hz * overtone, 0) / weight
  const all = linesOf(looks, binHz, mains, 0, EXPECTED_LINE)
  return { mains, frequencies: all.map(({ overtone }) => overtone * mains) }
}

/** The power of each bin, of places that lie evenly in the sound. */
function looksAt(read: ReadChannel, length: number): readonly Float64Array[] {
  const whole = LOOK * SLOWER
  if (length < LEAST_SHARE * whole) return []
  const count = Math.max(1, Math.min(LOOKS, Math.ceil((2 * length) / whole) - 1))
  const gap = count === 1 ? 0 : (length - whole) / (count - 1)
  return Array.from({ length: count }, (_, index) => {
    const heard = Math.min(whole, length)
    return powersOf(read(Math.round(index * gap), heard), Math.floor(heard / SLOWER))
  })
}

function powersOf(samples: Float32Array, count: number): Float64Array {
  const [real, imaginary] = [new Float64Array(LOOK), new Float64Array(LOOK)]
  for (let at = 0; at < count; at += 1) {
    let sum = 0
    for (let index = 0; index < SLOWER; index += 1) sum += samples[at * SLOWER + index] ?? 0
    real[at] = sum * (0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / count))
  }
  transform(real, imaginary)
  return real.subarray(0, LOOK / 2).map((value, bin) => value ** 2 + (imaginary[bin] ?? 0) ** 2)
}

interface Line {
  readonly overtone: number
  readonly hz: number
}

/** The overtones of a mains frequency that stand out as lines do. */
function linesOf(
  looks: readonly Float64Array[],
  binHz: number,
  mains: number,
  mostOff: number,
  least: number,
): readonly Line[] {
  const lines: Line[] = []
  for (let overtone = 1; overtone * mains <= HIGHEST_HZ; overtone += 1) {
    const reach = Math.max(2, Math.round((mostOff * overtone) / binHz))
    const middle = Math.round((overtone * mains) / binHz)
    const peaks = looks.flatMap((powers) => {
      const around = [...powers.subarray(middle - FAR, middle - NEAR)]
        .concat([...powers.subarray(middle + NEAR, middle + FAR)])
        .toSorted((a, b) => a - b)
      const faint = FAINT * powers.reduce((a, b) => Math.max(a, b), 0)
      const bar = Math.max(faint, least * (around[Math.floor(around.length / 2)] ?? Infinity))
      let peak = middle - reach
      for (let bin = peak; bin <= middle + reach; bin += 1)
        if ((powers[bin] ?? 0) > (powers[peak] ?? 0)) peak = bin
      return (powers[peak] ?? 0) > bar ? [peak + summitOf(powers, peak)] : []
    })
    if (peaks.length === 0 || peaks.length < LOOK_SHARE * looks.length) continue
    const bin = peaks.toSorted((a, b) => a - b)[Math.floor(peaks.length / 2)] ?? middle
    lines.push({ overtone, hz: bin * binHz })
  }
  return lines
}

/** How far beside its highest bin a line lies, in bins: on the parabola through three of them. */
function summitOf(powers: Float64Array, bin: number): number {
  const [before = 0, peak = 0, after = 0] = [-1, 0, 1].map((beside) =>
    Math.log((powers[bin + beside] ?? 0) + 1e-12),
  )
  const curve = 2 * (before - 2 * peak + after)
  return curve === 0 ? 0 : (before - after) / curve
}

/** The fast Fourier transform of `LOOK` points, in place. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  for (let at = 1, other = 0; at < LOOK; at += 1) {
    let bit = LOOK >> 1
    for (; other & bit; bit >>= 1) other ^= bit
    other ^= bit
    if (at < other)
      for (const part of [real, imaginary])
        [part[at], part[other]] = [part[other] ?? 0, part[at] ?? 0]
  }
  for (let size = 2; size <= LOOK; size *= 2)
    for (let index = 0; index < size / 2; index += 1) {
      const [cos, sin] = [
        Math.cos((2 * Math.PI * index) / size),
        -Math.sin((2 * Math.PI * index) / size),
      ]
      for (let even = index; even < LOOK; even += size) {
        const odd = even + size / 2
        const [re, im] = [real[odd] ?? 0, imaginary[odd] ?? 0]
        const [a, b] = [re * cos - im * sin, re * sin + im * cos]
        real[odd] = (real[even] ?? 0) - a
        imaginary[odd] = (imaginary[even] ?? 0) - b
        real[even] = (real[even] ?? 0) + a
        imaginary[even] = (imaginary[even] ?? 0) + b
      }
    }
}

/** Changes in place each `step`th of the samples, from `first` on: those of one channel. */
type ChannelFilter = (samples: Float32Array, first: number, step: number) => void

/**
 * Takes the hum out of the samples of a channel, which are given in their order. It has settled
 * before the first one: hum is the same so many periods later, and those are heard beforehand.
 */
export function humFilter(
  { mains, frequencies }: Hum,
  read: ReadChannel,
  rate: number,
): ChannelFilter {
  const filters = frequencies.map((hz) => notch(hz, rate))
  const filter: ChannelFilter = (samples, first, step) => {
    for (const each of filters) each(samples, first, step)
  }
  filter(read(0, Math.round((SETTLED * rate) / mains)), 0, 1)
  return filter
}

/** Takes one frequency out; what is further from it stays. */
function notch(hz: number, rate: number): ChannelFilter {
  const width = Math.tan((Math.PI * NOTCH_HZ) / rate)
  const decay = (1 - width) / (1 + width)
  const turn = -Math.cos((2 * Math.PI * hz) / rate) * (1 + decay)
  let [one, two] = [0, 0]
  return (samples, first, step) => {
    for (let at = first; at < samples.length; at += step) {
      const sample = samples[at] ?? 0
      const made = ((1 + decay) / 2) * sample + one
      one = turn * (sample - made) + two
      two = ((1 + decay) / 2) * sample - decay * made
      samples[at] = made
    }
  }
}
