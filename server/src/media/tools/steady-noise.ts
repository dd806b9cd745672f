/**
 * Takes steady noise (hiss, fans, rooms) off the sound of one channel. Imports nothing, because the
 * runner lays it beside the noise filter.
 *
 * [Note: steady noise] A Wiener filter in each bin of a short-time spectrum: of a bin that is so
 * many times as strong as its noise, it keeps so much that the error is least. What it has to know
 * is found as others did:
 * - The noise of a bin is what it falls back to, again and again: a low quantile of some seconds
 *   (Stahl, Fischer, Bippus 2000: Quantile based noise estimation). Voices leave each bin often,
 *   also where two people never pause together, so that a floor of each bin spares them where one
 *   of the whole sound does not.
 * - The voice in a bin is what was kept of it just before, and a little of what is there now
 *   (Ephraim and Malah 1984: decision directed), in equal parts with what RNNoise leaves. Each is
 *   wrong where the other is not: RNNoise loses some voices, the rule of Ephraim and Malah loses
 *   beginnings.
 */
import type { Fourier } from '#recipes/voices/fourier.ts'

/** Samples of a spectrum at 48 kHz: 43 ms tell the overtones of a low voice apart. */
export const FRAME = 2048
const HOP = FRAME / 4
const HOPS = 4
/** Samples that are taken at once. The noise is measured in steps of this length. */
export const BLOCK = HOPS * HOP
const BINS = FRAME / 2 + 1
/** Blocks of which the noise is what a bin falls back to: 4.5 seconds before, as many after. */
const REACH = 105
/** Less than a second of sound does not tell a noise from a word. */
const LEAST_BLOCKS = 24
/** The floor is measured again after so many blocks: a third of a second. */
const STEP = 8
/** Samples that what comes out is later than what goes in. */
export const DELAY = REACH * BLOCK + FRAME - HOP

/** A low and a high quantile of a bin, and what its mean is of each where it is noise. */
const LOW = { quantile: 0.15, toMean: 1.88 }
const HIGH = { quantile: 0.8, toMean: 0.74 }
/**
 * A tone is steadier than noise: its quantiles lie together. Means that are told by them differ by
 * the first factor at most in a tone, by the second at least in noise. Music is left alone so.
 */
const [TONE, NOISE] = [0.6, 0.85]
/** Power of a bin that is less than the rounding of samples. */
const NOTHING = 1e-3
/** How much of the last frame the voice in a frame is taken to be. */
const MEMORY = 0.95
/** How much RNNoise has to say. */
const TRUST = 0.5

/**
 * Takes a block of a channel, and the same as RNNoise leaves it, and gives a block of what went in
 * `DELAY` samples ago. What is beyond the end of the sound tells nothing of its noise.
 */
export type SteadyNoiseFilter = (
  heard: Float32Array,
  voice: Float32Array,
  isWithin: boolean,
) => Float32Array

/** The spectrum of a frame, and the power of its bins in what RNNoise leaves. */
interface Spectrum {
  readonly real: Float32Array
  readonly imaginary: Float32Array
  readonly voice: Float32Array
}

/**
 * @param transform of `FRAME` points
 * @param share of the noise that is taken, from 0 to 1
 */
export function steadyNoiseFilter(transform: Fourier, share: number): SteadyNoiseFilter {
  const [analyse, lessen, synthesise] = [
    analyser(transform),
    wienerFilter(share),
    synthesiser(transform),
  ]
  const waiting: (readonly Spectrum[])[] = []
  /** Of the blocks within reach. */
  const powers: Float32Array[] = []
  const floor = new Float32Array(BINS)
  let next = -REACH
  return (heard, voice, isWithin) => {
    const spectra = analyse(heard, voice)
    waiting.push(spectra)
    if (isWithin) powers.push(powerOf(spectra))
    const block = next++
    if (block < 0) return new Float32Array(BLOCK)
    if (block > REACH) powers.shift()
    if (block % STEP === 0) measureFloor(powers, Math.min(block, REACH), floor)
    const due = waiting.shift() ?? []
    for (const spectrum of due) lessen(spectrum, floor)
    return synthesise(due)
  }
}

/** Half a turn of a sine, at the analysis and again at the synthesis. */
const WINDOW = Float64Array.from({ length: FRAME }, (_, at) => Math.sin((Math.PI * at) / FRAME))

/** The spectra of both sounds at once: one is the real part of what is transformed. */
function analyser(
  transform: Fourier,
): (heard: Float32Array, voice: Float32Array) => readonly Spectrum[] {
  const sounds = [new Float64Array(FRAME - HOP + BLOCK), new Float64Array(FRAME - HOP + BLOCK)]
  const [real, imaginary] = [new Float64Array(FRAME), new Float64Array(FRAME)]
  return (...blocks) => {
    for (const [index, sound] of sounds.entries()) {
      sound.copyWithin(0, BLOCK)
      sound.set(blocks[index]!, FRAME - HOP)
    }
    return Array.from({ length: HOPS }, (_, hop) => {
      for (let at = 0; at < FRAME; at += 1) {
        real[at] = sounds[0]![hop * HOP + at]! * WINDOW[at]!
        imaginary[at] = sounds[1]![hop * HOP + at]! * WINDOW[at]!
      }
      transform(real, imaginary)
      return apart(real, imaginary)
    })
  }
}

/** Two spectra of real signals, of which the second was the imaginary part. */
function apart(real: Float64Array, imaginary: Float64Array): Spectrum {
  const [re, im, voice] = [new Float32Array(BINS), new Float32Array(BINS), new Float32Array(BINS)]
  for (let bin = 0; bin < BINS; bin += 1) {
    const other = (FRAME - bin) % FRAME
    re[bin] = (real[bin]! + real[other]!) / 2
    im[bin] = (imaginary[bin]! - imaginary[other]!) / 2
    const [voiceRe, voiceIm] = [imaginary[bin]! + imaginary[other]!, real[other]! - real[bin]!]
    voice[bin] = (voiceRe ** 2 + voiceIm ** 2) / 4
  }
  return { real: re, imaginary: im, voice }
}

/** Adds the frames up again. */
function synthesiser(transform: Fourier): (spectra: readonly Spectrum[]) => Float32Array {
  const sum = new Float64Array(FRAME - HOP + BLOCK)
  const [real, imaginary] = [new Float64Array(FRAME), new Float64Array(FRAME)]
  /** The transform goes back times the number of points, and the windows add up to two. */
  const scale = 1 / FRAME / 2
  return (spectra) => {
    for (const [hop, spectrum] of spectra.entries()) {
      for (let bin = 0; bin < BINS; bin += 1) {
        const other = (FRAME - bin) % FRAME
        real[bin] = real[other] = spectrum.real[bin]!
        imaginary[other] = -spectrum.imaginary[bin]!
        imaginary[bin] = spectrum.imaginary[bin]!
      }
      transform(imaginary, real)
      for (let at = 0; at < FRAME; at += 1) sum[hop * HOP + at]! += real[at]! * WINDOW[at]! * scale
    }
    const block = Float32Array.from(sum.subarray(0, BLOCK))
    sum.copyWithin(0, BLOCK)
    sum.fill(0, FRAME - HOP)
    return block
  }
}

/** Mean power of each bin and its neighbours in a block. */
function powerOf(spectra: readonly Spectrum[]): Float32Array {
  const own = new Float32Array(BINS)
  for (const { real, imaginary } of spectra)
    for (let bin = 0; bin < BINS; bin += 1)
      own[bin]! += (real[bin]! ** 2 + imaginary[bin]! ** 2) / spectra.length
  return spread(own)
}

/** The mean of each value and the two beside it. */
function spread(values: Float32Array): Float32Array {
  return values.map(
    (value, at) => ((values[at - 1] ?? value) + value + (values[at + 1] ?? value)) / 3,
  )
}

/**
 * Writes the mean power of the noise in each bin: the greater of what it is before and after a
 * block, because a cut from a quiet room to a loud one lies in only one of the two.
 */
function measureFloor(powers: readonly Float32Array[], block: number, floor: Float32Array): void {
  floor.fill(0)
  if (powers.length < LEAST_BLOCKS) return
  const before = powers.slice(0, Math.max(block, REACH))
  const after = powers.slice(Math.min(block, Math.max(0, powers.length - REACH)))
  for (let bin = 0; bin < BINS; bin += 1)
    floor[bin] = Math.max(noiseIn(before, bin), noiseIn(after, bin))
}

function noiseIn(powers: readonly Float32Array[], bin: number): number {
  const sorted = new Float32Array(powers.length)
  for (let at = 0; at < powers.length; at += 1) sorted[at] = powers[at]![bin]!
  sorted.sort()
  const mean = ({ quantile, toMean }: typeof LOW): number =>
    sorted[Math.floor(quantile * sorted.length)]! * toMean
  const low = mean(LOW)
  const unsteady = (mean(HIGH) / Math.max(low, NOTHING) - TONE) / (NOISE - TONE)
  return low * Math.max(0, Math.min(1, unsteady))
}

/** Lessens each bin of frames that follow each other by its noise. */
function wienerFilter(share: number): (spectrum: Spectrum, floor: Float32Array) => void {
  /** Power of what was kept of the last frame. */
  const kept = new Float32Array(BINS)
  return ({ real, imaginary, voice }, floor) => {
    const left = spread(voice)
    for (let bin = 0; bin < BINS; bin += 1) {
      const noise = floor[bin]! + NOTHING
      const heard = real[bin]! ** 2 + imaginary[bin]! ** 2
      const directed = MEMORY * kept[bin]! + (1 - MEMORY) * Math.max(0, heard - noise)
      const wanted = TRUST * left[bin]! + (1 - TRUST) * directed
      const part = wanted / (wanted + noise)
      kept[bin] = part * part * heard
      const gain = 1 - share + share * part
      real[bin]! *= gain
      imaginary[bin]! *= gain
    }
  }
}
