import { canonicalCovariance, canonicalMean, SHAPES } from './canonical-voice.ts'
import type { Character } from './character.ts'
import { transport, type SquareMatrix } from './matrices.ts'
import { bandsOf, cepstraOf, emptySpectrum, FRAME, HOP, look } from './spectrum.ts'

/** Hops of a block: about a second, of which only sums are kept. */
export const BLOCK_HOPS = 125

/** What the speech of a block adds up to. */
export interface Sums {
  readonly weight: number
  readonly shapes: Float64Array
  readonly products: Float32Array
}

/** How the shapes of a stretch become those that all voices get. */
export interface Change {
  readonly mean: Float64Array
  readonly map: SquareMatrix
}

/** Loudness in dB of the samples around a hop. */
export function levelAt(sampleAt: (at: number) => number, hop: number): number {
  let power = 0
  for (let at = 0; at < FRAME; at += 1) power += sampleAt(hop * HOP - FRAME / 2 + at) ** 2
  return 10 * Math.log10(power / FRAME + 1e-10)
}

/**
 * A moment that is this many dB below the loudest twentieth of its surroundings is rather no
 * speech.
 */
const SPEECH_DB = 27
const SOFT_DB = 1.5
/** Below this nothing is speech. */
const SILENT_DB = -65
/** Blocks before and after by which a moment is loud or not. */
const LOUD_REACH = 10

/** How surely each hop is speech, 0 to 1. */
export function speechIn(levels: Float32Array): Float32Array {
  const loudOf = Float32Array.from(
    { length: Math.ceil(levels.length / BLOCK_HOPS) },
    (_, block) => {
      const own = levels.slice(block * BLOCK_HOPS, (block + 1) * BLOCK_HOPS).sort()
      return own[Math.floor(0.95 * (own.length - 1))] ?? SILENT_DB
    },
  )
  return levels.map((level, hop) => {
    if (level < SILENT_DB) return 0
    const block = Math.floor(hop / BLOCK_HOPS)
    const around = loudOf.subarray(Math.max(0, block - LOUD_REACH), block + LOUD_REACH + 1)
    return (
      1 / (1 + Math.exp((around.reduce((a, b) => Math.max(a, b)) - SPEECH_DB - level) / SOFT_DB))
    )
  })
}

const spectrum = emptySpectrum()

/** The sums of one block. */
export function sumsOf(
  sampleAt: (at: number) => number,
  speech: Float32Array,
  block: number,
): Sums {
  const [shapes, products] = [new Float64Array(SHAPES), new Float32Array(SHAPES * SHAPES)]
  let weight = 0
  const end = Math.min(speech.length, (block + 1) * BLOCK_HOPS)
  for (let hop = block * BLOCK_HOPS; hop < end; hop += 1) {
    const share = speech[hop]!
    if (share < 0.02) continue
    look(spectrum, sampleAt, hop * HOP)
    const own = cepstraOf(bandsOf(spectrum)).subarray(1)
    weight += share
    for (let i = 0; i < SHAPES; i += 1) {
      shapes[i]! += share * own[i]!
      for (let j = 0; j < SHAPES; j += 1) products[i * SHAPES + j]! += share * own[i]! * own[j]!
    }
  }
  return { weight, shapes, products }
}

/** Blocks of a standard deviation over which a voice is known: people take turns. */
const REACH = 8
/** What is known of all voices counts as much as this many hops of speech. */
const DOUBT = 20

/** How the voice around a block becomes the one that all voices become. */
export function changeAt(sums: readonly Sums[], block: number, { covariance }: Character): Change {
  const mean = Float64Array.from(canonicalMean, (each) => DOUBT * each)
  const known = new Float64Array(SHAPES * SHAPES)
  let weight = DOUBT
  for (let i = 0; i < SHAPES; i += 1)
    for (let j = 0; j < SHAPES; j += 1)
      known[i * SHAPES + j] =
        DOUBT * (canonicalCovariance[i * SHAPES + j]! + canonicalMean[i]! * canonicalMean[j]!)
  for (let at = Math.max(0, block - 3 * REACH); at <= block + 3 * REACH; at += 1) {
    const each = sums[at]
    if (each === undefined || each.weight === 0) continue
    const near = Math.exp(-(((at - block) / REACH) ** 2) / 2)
    weight += near * each.weight
    for (let i = 0; i < SHAPES; i += 1) mean[i]! += near * each.shapes[i]!
    for (let i = 0; i < known.length; i += 1) known[i]! += near * each.products[i]!
  }
  for (let i = 0; i < SHAPES; i += 1) mean[i]! /= weight
  for (let i = 0; i < SHAPES; i += 1)
    for (let j = 0; j < SHAPES; j += 1)
      known[i * SHAPES + j] = known[i * SHAPES + j]! / weight - mean[i]! * mean[j]!
  for (let i = 0; i < SHAPES; i += 1) known[i * SHAPES + i]! += 1e-3
  return { mean, map: transport(known, covariance, SHAPES) }
}
