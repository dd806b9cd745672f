import { canonicalCovariance, SHAPES } from './canonical-voice.ts'
import type { SquareMatrix } from './matrices.ts'
import { BANDS, bandHz, BINS, RATE, FRAME } from './spectrum.ts'

/** The voice that all people of one upload get; it follows from the secret of the upload. */
export interface Character {
  /** In octaves above 1 Hz. */
  readonly pitch: number
  /** By how much formants lie higher, in natural logarithms; they drift around it. */
  readonly formants: number
  /** How much its shapes vary. */
  readonly covariance: SquareMatrix
  /** How much stronger each band is, in natural logarithms of its power. */
  readonly balance: Float64Array
  /** By how much the fine points of a spectrum stand out more (or less) than they did. */
  readonly detail: Float64Array
  /** 0 to 1: how far each point of the spectrum is up or down at random. */
  readonly hoarseness: number
  /** Of the noise in its pauses. */
  readonly noise: number
  /** For noise and hoarseness: from 0 up to 1, another one each time. */
  readonly random: () => number
}

/** Hz between which all pitches lie: what women and men both speak at. */
const [LOWEST, HIGHEST] = [110, 220]

/**
 * Draws a character. Each number comes from a hash of the secret, so that no part of a character
 * tells another. Rejects where the secret is not 64 digits, as nothing could be hidden by it.
 */
export async function characterOf(secret: string): Promise<Character> {
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new Error('The secret of a voice is not 32 bytes')
  const draw = await drawnFrom(secret)
  const turned = (most: number): number => (2 * draw() - 1) * most
  const phase = (): number => 2 * Math.PI * draw()
  const pitch = Math.log2(LOWEST) + draw() * Math.log2(HIGHEST / LOWEST)
  const formants = turned(0.35)
  const livelier = turned(0.3)
  const spreads = Float64Array.from({ length: SHAPES }, () => Math.exp(livelier + turned(0.45)))
  const waves = [1.7, 3.1, 5.3].map((each) => [each, phase()] as const)
  const [detail, detailPhase] = [turned(0.4), phase()]
  return {
    pitch,
    formants,
    covariance: Float64Array.from(
      canonicalCovariance,
      (each, at) => each * spreads[Math.floor(at / SHAPES)]! * spreads[at % SHAPES]!,
    ),
    balance: Float64Array.from({ length: BANDS }, (_, band) =>
      waves.reduce(
        (sum, [each, begins]) => sum + 0.6 * Math.sin(each * heightOf(bandHz[band]!) + begins),
        0,
      ),
    ),
    detail: Float64Array.from(
      { length: BINS },
      (_, bin) => detail + 0.2 * Math.sin(2 * heightOf(((bin + 1) * RATE) / FRAME) + detailPhase),
    ),
    hoarseness: 0.35 + 0.35 * draw(),
    noise: 0.001 + 0.002 * draw(),
    random: randomFrom(Math.floor(draw() * 2 ** 32)),
  }
}

/** Octaves of hearing are even on a logarithm; the first overtones of a voice begin at 300 Hz. */
function heightOf(hz: number): number {
  return Math.log(hz / 300)
}

/** As many as a character has numbers. */
const DRAWS = SHAPES + 11

/** Numbers from 0 up to 1, of which none tells another. Pages have hashes as promises only. */
async function drawnFrom(secret: string): Promise<() => number> {
  const words = new TextEncoder()
  const hashes = await Promise.all(
    Array.from({ length: DRAWS }, (_, index) =>
      crypto.subtle.digest('SHA-256', words.encode(`voice ${secret} ${index + 1}`)),
    ),
  )
  const numbers = hashes.map((hash) => new DataView(hash).getUint32(0) / 2 ** 32).values()
  return () => {
    const { value } = numbers.next()
    if (value === undefined) throw new Error('A character has more numbers than were drawn')
    return value
  }
}

/** Fast, and good enough for noise: a linear congruential generator. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
