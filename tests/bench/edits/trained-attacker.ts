import { eigen, type SquareMatrix } from '#recipes/voices/matrices.ts'
import { looksAt, pitchesOf, quantile } from './voice-matcher.ts'

/** What an attacker counts of one recording: the same number of values each time. */
export type Traits = readonly number[]

/** Has learned from masked voices what tells people apart in spite of the mask. */
export interface Attacker {
  /** The traits as this attacker sees them; those of several recordings may be averaged. */
  readonly see: (traits: Traits) => Float64Array
  /** How much likelier two are of one person than of two, in natural logarithms. */
  readonly likelihood: (one: Float64Array, other: Float64Array) => number
}

/** A masked recording of one person. */
export interface Lesson {
  readonly who: string
  readonly traits: Traits
}

/** Looks of 10 ms between two that are compared: within a sound, a syllable and a word. */
const LAGS = [2, 5, 10, 20]
const PITCH_SHARES = [0.1, 0.25, 0.5, 0.75, 0.9]

/**
 * How the cepstra of a recording lie, vary, lean, go together and go on, and its pitch: 349 such
 * numbers of people and words, of which training finds those that are of people.
 */
export function traitsOf(samples: Float32Array): Traits {
  const { cepstra, isSpeech } = looksAt(samples)
  const count = cepstra[0]?.length ?? 0
  const columns = Array.from({ length: count }, (_, column) => scaled(cepstra, isSpeech, column))
  const pairs = columns.flatMap(({ values }, index) =>
    columns.slice(index + 1).map((other) => meanProduct(values, other.values, isSpeech, 0)),
  )
  const lags = LAGS.flatMap((lag) =>
    columns.map(({ values }) => meanProduct(values, values, isSpeech, lag)),
  )
  const pitches = pitchesOf(samples)
  return [
    ...columns.flatMap(({ mean, spread, lean }) => [mean, Math.log(spread), lean]),
    ...pairs,
    ...lags,
    ...PITCH_SHARES.map((share) => (pitches.length === 0 ? 0 : quantile(pitches, share))),
    pitches.length / cepstra.length,
    isSpeech.filter(Boolean).length / isSpeech.length,
  ]
}

interface Column {
  /** Of each look, in spreads from the mean. */
  readonly values: Float64Array
  readonly mean: number
  readonly spread: number
  readonly lean: number
}

function scaled(
  cepstra: readonly (readonly number[])[],
  isSpeech: readonly boolean[],
  column: number,
): Column {
  const all = Float64Array.from(cepstra, (look) => look[column] ?? 0)
  const heard = all.filter((_, index) => isSpeech[index])
  const mean = average(heard)
  const spread = Math.sqrt(average(heard.map((value) => (value - mean) ** 2))) + 1e-6
  const values = all.map((value) => (value - mean) / spread)
  const lean = average(heard.map((value) => ((value - mean) / spread) ** 3))
  return { values, mean, spread, lean }
}

/** Mean product of one number of each look and another of the look `lag` later. */
function meanProduct(
  one: Float64Array,
  other: Float64Array,
  isSpeech: readonly boolean[],
  lag: number,
): number {
  const products = one
    .subarray(0, one.length - lag)
    .map((value, index) => value * (other[index + lag] ?? 0))
  return average(products.filter((_, index) => isSpeech[index] && isSpeech[index + lag]))
}

/** Directions of the traits that are kept: fewer than lessons, or chance is learned by heart. */
const KEPT = 80
/** Share of an even spread in what is taken for the spread within a person, for the same reason. */
const EVEN = 0.3

/**
 * Learns as recognisers of speakers do (LDA, then PLDA with two covariances): the traits' main
 * directions, scaled so that one person varies equally along all of them, turned so that people
 * differ along each by itself. Needs several recordings of each of some dozens of people.
 */
export function train(lessons: readonly Lesson[]): Attacker {
  const scale = scaleOf(lessons.map(({ traits }) => traits))
  const rows = lessons.map(({ traits }) => scale(traits))
  const main = directionsOf(rows, KEPT).map(({ vector }) => vector)
  const people = Map.groupBy(
    lessons.map(({ who }, index) => ({
      who,
      row: turned(main, rows[index] ?? new Float64Array()),
    })),
    ({ who }) => who,
  )
  const own = [...people.values()].map((of) => of.map(({ row }) => row))
  const means = own.map(meanOf)
  const within = directionsOf(
    own.flatMap((of, person) => of.map((row) => less(row, means[person] ?? row))),
    main.length,
  )
  const even = average(within.map(({ value }) => value))
  const white = within.map(({ value, vector }) => {
    const spread = Math.sqrt((1 - EVEN) * value + EVEN * even)
    return vector.map((each) => each / spread)
  })
  const whiteMeans = means.map((row) => turned(white, row))
  const middle = meanOf(whiteMeans)
  const between = directionsOf(
    whiteMeans.map((row) => less(row, middle)),
    Math.min(main.length, own.length - 1) >> 1,
  )
  // The mean of a few recordings differs from the person by a share of what these vary.
  const chance = own.length / lessons.length
  const spreads = between.map(({ value }) => Math.max(1e-3, value - chance))
  const axes = between.map(({ vector }) => vector)
  return {
    see: (traits) => turned(axes, less(turned(white, turned(main, scale(traits))), middle)),
    likelihood: (one, other) =>
      spreads.reduce(
        (sum, spread, axis) => sum + likelihoodAlong(spread, one[axis] ?? 0, other[axis] ?? 0),
        0,
      ),
  }
}

/** Of two values that vary by 1 within a person and by `spread` between people. */
function likelihoodAlong(spread: number, one: number, other: number): number {
  const all = spread + 1
  const determinant = all ** 2 - spread ** 2
  const together = (all * (one ** 2 + other ** 2) - 2 * spread * one * other) / determinant
  const apart = (one ** 2 + other ** 2) / all
  return (apart - together + Math.log(all ** 2 / determinant)) / 2
}

function scaleOf(rows: readonly Traits[]): (traits: Traits) => Float64Array {
  const mean = meanOf(rows.map((row) => Float64Array.from(row)))
  const spread = mean.map(
    (middle, index) =>
      Math.sqrt(average(rows.map((row) => ((row[index] ?? 0) - middle) ** 2))) + 1e-9,
  )
  // One odd recording would turn the main directions towards itself.
  return (traits) =>
    Float64Array.from(traits, (value, index) =>
      Math.max(-5, Math.min(5, (value - (mean[index] ?? 0)) / (spread[index] ?? 1))),
    )
}

interface Direction {
  readonly vector: Float64Array
  readonly value: number
}

/** The directions along which rows around zero vary most, with how much they do. */
function directionsOf(rows: readonly Float64Array[], count: number): readonly Direction[] {
  const size = rows[0]?.length ?? 0
  const covariance: SquareMatrix = new Float64Array(size * size)
  for (const row of rows)
    for (let i = 0; i < size; i += 1)
      for (let j = 0; j < size; j += 1)
        covariance[i * size + j]! += ((row[i] ?? 0) * (row[j] ?? 0)) / rows.length
  const { values, vectors } = eigen(covariance, size)
  return Array.from(values, (value, column) => ({
    value,
    vector: Float64Array.from({ length: size }, (_, row) => vectors[row * size + column] ?? 0),
  }))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, count)
}

function turned(axes: readonly Float64Array[], row: Float64Array): Float64Array {
  return Float64Array.from(axes, (axis) =>
    axis.reduce((sum, each, index) => sum + each * (row[index] ?? 0), 0),
  )
}

/** The mean of rows of equal length. */
export function meanOf(rows: readonly Float64Array[]): Float64Array {
  return Float64Array.from(rows[0] ?? [], (_, index) => average(rows.map((row) => row[index] ?? 0)))
}

function less(row: Float64Array, other: Float64Array): Float64Array {
  return row.map((value, index) => value - (other[index] ?? 0))
}

function average(values: ArrayLike<number>): number {
  if (values.length === 0) return 0
  let sum = 0
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? 0
  return sum / values.length
}
