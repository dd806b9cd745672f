import { fourierOf } from './fourier.ts'

export const RATE = 16_000
/** Samples of a look at the spectrum, and from one look to the next. */
export const FRAME = 512
export const HOP = 128
/** Bands that are even to hearing, as few as still tell vowels apart. */
export const BANDS = 32
export const BINS = FRAME / 2 + 1
/** Power below which a band is silent: that of the last bit of 16. */
const SILENT = 1e-7

const melOf = (hz: number): number => 1127 * Math.log(1 + hz / 700)
const hzOf = (mel: number): number => 700 * (Math.exp(mel / 1127) - 1)
const LOWEST = melOf(80)
const STEP = (melOf(7800) - LOWEST) / (BANDS + 1)
const fourier = fourierOf(FRAME)

/** Middles of the bands in Hz. */
export const bandHz: readonly number[] = Array.from({ length: BANDS }, (_, band) =>
  hzOf(LOWEST + STEP * (band + 1)),
)

/** Which band a frequency lies in, with a fraction; what is outside belongs to the outermost. */
export function bandAt(hz: number): number {
  return Math.max(0, Math.min(BANDS - 1.001, (melOf(hz) - LOWEST) / STEP - 1))
}

export const window: Float64Array = Float64Array.from(
  { length: FRAME },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / FRAME),
)

/** The bins of each band, each with its weight; the weights of a band add up to 1. */
const weights = bandHz.map((middle, band) => {
  const [low, high] = [hzOf(LOWEST + STEP * band), hzOf(LOWEST + STEP * (band + 2))]
  const bins = Array.from({ length: BINS }, (_, bin) => {
    const hz = (bin * RATE) / FRAME
    return [bin, Math.min((hz - low) / (middle - low), (high - hz) / (high - middle))] as const
  }).filter(([, weight]) => weight > 0)
  const used = bins.length > 0 ? bins : [[Math.round((middle * FRAME) / RATE), 1] as const]
  const sum = used.reduce((total, [, weight]) => total + weight, 0)
  return used.map(([bin, weight]) => [bin, weight / sum] as const)
})

const widths = bandHz.map(
  (_, band) => hzOf(LOWEST + STEP * (band + 2)) - hzOf(LOWEST + STEP * band),
)

const cosines = Array.from({ length: BANDS }, (_, cepstrum) =>
  Float64Array.from(
    { length: BANDS },
    (__, band) =>
      Math.sqrt((cepstrum === 0 ? 1 : 2) / BANDS) *
      Math.cos((Math.PI * cepstrum * (band + 0.5)) / BANDS),
  ),
)

/** A spectrum as real and imaginary parts. */
export interface Spectrum {
  readonly real: Float64Array
  readonly imaginary: Float64Array
}

export function emptySpectrum(): Spectrum {
  return { real: new Float64Array(FRAME), imaginary: new Float64Array(FRAME) }
}

/** Looks at the samples around a place. */
export function look(spectrum: Spectrum, sampleAt: (at: number) => number, middle: number): void {
  for (let at = 0; at < FRAME; at += 1)
    spectrum.real[at] = sampleAt(middle - FRAME / 2 + at) * window[at]!
  spectrum.imaginary.fill(0)
  fourier(spectrum.real, spectrum.imaginary)
}

/** Makes samples of a spectrum: they are its real parts afterwards. */
export function back({ real, imaginary }: Spectrum): void {
  fourier(imaginary, real)
  for (let at = 0; at < FRAME; at += 1) real[at]! /= FRAME
}

/** How strong each band is, as the logarithm of its power. */
export function bandsOf({ real, imaginary }: Spectrum): Float64Array {
  return Float64Array.from(weights, (bins) => {
    let power = SILENT
    for (const [bin, weight] of bins) power += weight * (real[bin]! ** 2 + imaginary[bin]! ** 2)
    return Math.log(power)
  })
}

/** How strong all bands are together, in the same measure. */
export function loudnessOf(bands: Float64Array): number {
  let power = 0
  for (let band = 0; band < BANDS; band += 1) power += widths[band]! * Math.exp(bands[band]!)
  return Math.log(power)
}

/** How strong one point of a spectrum is, in the same measure. */
export function strengthAt({ real, imaginary }: Spectrum, bin: number): number {
  return Math.log(real[bin]! ** 2 + imaginary[bin]! ** 2 + SILENT)
}

/** The shape of a spectrum as waves over its bands, the first being its mean. */
export function cepstraOf(bands: Float64Array): Float64Array {
  return Float64Array.from(cosines, (wave) => {
    let sum = 0
    for (let band = 0; band < BANDS; band += 1) sum += wave[band]! * bands[band]!
    return sum
  })
}

/** The other way round. */
export function bandsFrom(cepstra: Float64Array): Float64Array {
  const bands = new Float64Array(BANDS)
  for (const [index, wave] of cosines.entries())
    for (let band = 0; band < BANDS; band += 1) bands[band]! += cepstra[index]! * wave[band]!
  return bands
}

/** The value of a band between two, by a place of `bandAt`. */
export function between(bands: Float64Array, place: number): number {
  const band = Math.floor(place)
  return bands[band]! + (place - band) * (bands[band + 1]! - bands[band]!)
}
