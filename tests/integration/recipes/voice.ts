import { printedBy } from '#tests/setup/run-tool.ts'

const RATE = 16_000

/**
 * The sound of a file as mono samples at 16 kHz, after ffmpeg's sound filters, if there are any.
 */
export async function samplesOf(
  path: string,
  filters: string | null = null,
): Promise<Float32Array> {
  const { stdout } = await printedBy('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-i',
    path,
    ...(filters === null ? [] : ['-af', filters]),
    '-vn',
    '-ac',
    '1',
    '-ar',
    String(RATE),
    '-f',
    'f32le',
    '-',
  ])
  return new Float32Array(
    stdout.buffer.slice(
      stdout.byteOffset,
      stdout.byteOffset + stdout.byteLength - (stdout.byteLength % 4),
    ),
  )
}

/** Median pitch of the voiced stretches in Hz, by autocorrelation. */
export function pitchOf(samples: Float32Array): number {
  const pitches = framesOf(samples, 1024, 512)
    .filter(isHeard)
    .flatMap((frame) => {
      const whole = correlation(frame, 0)
      let best = { lag: 0, value: 0 }
      for (let lag = RATE / 400; lag <= RATE / 60; lag += 1) {
        const value = correlation(frame, lag) / whole
        if (value > best.value) best = { lag, value }
      }
      return best.value > 0.5 ? [RATE / best.lag] : []
    })
  return pitches.toSorted((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? Number.NaN
}

/**
 * The colour of a voice: its mean spectrum from 300 to 5,000 Hz in dB at every semitone, level
 * taken out. Frames of 8 ms see formants and no single overtones.
 */
export function colourOf(samples: Float32Array): readonly number[] {
  const frames = framesOf(samples, 128, 128)
  const levels = Array.from({ length: Math.floor(Math.log2(5000 / 300) * 12) }, (_, index) => {
    const step = (2 * Math.PI * 300 * 2 ** (index / 12)) / RATE
    const wave = waveOf(step, 128)
    const power = frames.reduce((sum, frame) => sum + powerAt(frame, wave), 0)
    return 10 * Math.log10(power + 1e-12)
  })
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length
  return levels.map((level) => level - mean)
}

/**
 * Root of the mean squared difference of two colours in dB, `b` read so many semitones further up.
 */
export function distance(a: readonly number[], b: readonly number[], steps = 0): number {
  const pairs = a.flatMap((level, index) =>
    b[index + steps] === undefined ? [] : [level - (b[index + steps] ?? 0)],
  )
  const mean = pairs.reduce((sum, each) => sum + each, 0) / pairs.length
  return Math.sqrt(pairs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / pairs.length)
}

/** Loudness as RMS in dB. */
export function levelOf(samples: Float32Array): number {
  return 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
}

/** When sounds begin after silence, in seconds. */
export function beginningsOf(samples: Float32Array): readonly number[] {
  const found: number[] = []
  for (const [index, sample] of samples.entries()) {
    if (Math.abs(sample) > 0.1 && index / RATE - (found.at(-1) ?? -1) > 0.5)
      found.push(index / RATE)
  }
  return found
}

function framesOf(samples: Float32Array, length: number, hop: number): readonly Float32Array[] {
  return Array.from(
    { length: Math.max(0, Math.floor((samples.length - length) / hop)) },
    (_, index) => samples.subarray(index * hop, index * hop + length),
  )
}

function isHeard(frame: Float32Array): boolean {
  return levelOf(frame) > -34
}

function correlation(frame: Float32Array, lag: number): number {
  let sum = 0
  for (let index = lag; index < frame.length; index += 1)
    sum += (frame[index] ?? 0) * (frame[index - lag] ?? 0)
  return sum
}

/** A wave with a smooth beginning and end, which all frames share: its cosines and its sines. */
function waveOf(step: number, length: number): readonly [Float64Array, Float64Array] {
  const weights = Float64Array.from(
    { length },
    (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / length),
  )
  return [
    weights.map((weight, index) => weight * Math.cos(step * index)),
    weights.map((weight, index) => weight * Math.sin(step * index)),
  ]
}

function powerAt(
  frame: Float32Array,
  [cosines, sines]: readonly [Float64Array, Float64Array],
): number {
  let real = 0
  let imaginary = 0
  for (let index = 0; index < frame.length; index += 1) {
    const sample = frame[index] ?? 0
    real += sample * (cosines[index] ?? 0)
    imaginary += sample * (sines[index] ?? 0)
  }
  return real * real + imaginary * imaginary
}
