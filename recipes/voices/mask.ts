import { characterOf, type Character } from './character.ts'
import { canonicalMean, SHAPES } from './canonical-voice.ts'
import { GRAIN_HOP, grainsOf } from './grains.ts'
import { PITCH_REACH, pitchesIn, speeds } from './pitch.ts'
import { ring } from './ring.ts'
import {
  back,
  bandAt,
  bandHz,
  bandsFrom,
  bandsOf,
  between,
  BINS,
  cepstraOf,
  emptySpectrum,
  FRAME,
  HOP,
  look,
  loudnessOf,
  RATE,
  strengthAt,
  window,
} from './spectrum.ts'
import {
  BLOCK_HOPS,
  changeAt,
  levelAt,
  speechIn,
  sumsOf,
  type Change,
  type Sums,
} from './statistics.ts'

const BLOCK = BLOCK_HOPS * HOP
/** In natural logarithms of the magnitude: no band changes by more than 43 dB. */
const MOST_GAIN = 5
/** Fine points stand out by no more than this counts, in the same measure. */
const MOST_DETAIL = 3
/** How far formants drift, and how fast in radians a second. */
const [DRIFT, DRIFT_SPEED] = [0.01, 0.43]
/** What the windows of overlapping looks add up to, each used twice. */
const OVERLAP = (0.375 * FRAME) / HOP

/** A sound of one channel at 16 kHz that is read in parts, in any order. */
export interface Sound {
  readonly length: number
  /** Samples from a place on; beyond both ends they are silent. */
  readonly read: (at: number, length: number) => Float32Array
}

/**
 * Gives every voice of a sound the same character, in three readings: what the voice around each
 * second is like, and then that it becomes another one ([Note: one voice for all]).
 * @param write takes the next samples; together they are as many as those of the sound
 *
 * [Note: one voice for all]
 * What is only moved by a secret stays as different as it was: the voice of one person put through
 * the same edit is a little nearer than that of another. So first what a voice is known by is taken
 * away. Its pitch becomes that of the character. The shapes of its spectrum get the mean and the
 * covariance that the shapes of the character have, by the map that moves them least: what was
 * said when stays. Only what is left, how they differ from one moment to the next, is its own.
 * The character differs between uploads, so that two of them do not sound alike.
 */
export async function maskVoice(
  sound: Sound,
  secret: string,
  write: (samples: Float32Array, share: number) => void,
): Promise<void> {
  const character = await characterOf(secret)
  const blocks = Math.ceil(sound.length / BLOCK)
  const { sums, pitches } = survey(sound, blocks)
  const speed = speeds(pitches, character.pitch)
  const speedAt = (at: number): number =>
    speed[Math.max(0, Math.min(speed.length - 1, Math.floor(at / HOP)))] ?? 1
  const [own, played, made] = [ring(), ring(), ring()]
  const grain = grainsOf(own.at, speedAt)
  const changes = new Map<number, Change>()
  const change = (block: number): Change => {
    const at = Math.max(0, Math.min(blocks - 1, block))
    const known = changes.get(at) ?? changeAt(sums, at, character)
    changes.set(at, known)
    changes.delete(at - 2)
    return known
  }
  const frame = framesOf(own.at, played.at, character, change)
  let [read, grains, written] = [0, 0, 0]
  for (let block = 0; block < blocks; block += 1) {
    for (; read < (block + 2) * BLOCK; read += BLOCK) own.put(read, sound.read(read, BLOCK))
    for (; grains < (block + 1) * BLOCK + FRAME; grains += GRAIN_HOP)
      played.put(grains - GRAIN_HOP, grain())
    for (let hop = block * BLOCK_HOPS; hop < (block + 1) * BLOCK_HOPS; hop += 1)
      made.add(hop * HOP - FRAME / 2, frame(hop))
    const isLast = block === blocks - 1
    const end = isLast ? sound.length : (block + 1) * BLOCK - FRAME / 2
    write(
      made.take(written, end - written, () => noiseOf(character)),
      end / sound.length,
    )
    written = end
  }
}

function noiseOf({ noise, random }: Character): number {
  return noise * (random() - 0.5)
}

/** What two readings tell of a sound. */
function survey(
  sound: Sound,
  blocks: number,
): { readonly sums: readonly Sums[]; readonly pitches: Float32Array } {
  const levels = new Float32Array(blocks * BLOCK_HOPS)
  const pitches = new Float32Array(blocks * BLOCK_HOPS)
  const around = (block: number): ((at: number) => number) => {
    const from = block * BLOCK - PITCH_REACH
    const samples = sound.read(from, BLOCK + 2 * PITCH_REACH)
    return (at) => samples[at - from] ?? 0
  }
  for (let block = 0; block < blocks; block += 1) {
    const sampleAt = around(block)
    for (let hop = block * BLOCK_HOPS; hop < (block + 1) * BLOCK_HOPS; hop += 1)
      levels[hop] = levelAt(sampleAt, hop)
    const samples = sound.read(block * BLOCK - PITCH_REACH, BLOCK + 2 * PITCH_REACH)
    pitches.set(pitchesIn(samples), block * BLOCK_HOPS)
  }
  const speech = speechIn(levels)
  const sums = Array.from({ length: blocks }, (_, block) => sumsOf(around(block), speech, block))
  return { sums, pitches }
}

/** Makes the samples around a hop, as its windows overlap with those of the hops around it. */
function framesOf(
  ownAt: (at: number) => number,
  playedAt: (at: number) => number,
  character: Character,
  change: (block: number) => Change,
): (hop: number) => Float64Array {
  const [own, played] = [emptySpectrum(), emptySpectrum()]
  return (hop) => {
    look(own, ownAt, hop * HOP)
    const bands = bandsOf(own)
    const shape = shapeOf(bands, hop, change)
    look(played, playedAt, hop * HOP)
    const had = bandsOf(played)
    const formants = character.formants + DRIFT * Math.sin((DRIFT_SPEED * hop * HOP) / RATE)
    const wanted = shape.map((_, band) => {
      const from = bandAt(bandHz[band]! * Math.exp(-formants))
      return between(shape, from) + character.balance[band]!
    })
    const louder = loudnessOf(bands) - loudnessOf(wanted)
    const gains = had.map((strength, band) => {
      const gain = (wanted[band]! + louder - strength) / 2
      return Math.max(-MOST_GAIN, Math.min(MOST_GAIN, gain))
    })
    for (let bin = 0; bin < BINS; bin += 1) {
      const place = binPlaces[bin]!
      const apart = (strengthAt(played, bin) - between(had, place)) / 2
      const detail = Math.max(-MOST_DETAIL, Math.min(MOST_DETAIL, apart)) * character.detail[bin]!
      const hoarse = 1 + character.hoarseness * (4 * character.random() - 2)
      scale(played, bin, Math.exp(between(gains, place) + detail) * hoarse)
    }
    back(played)
    return played.real.map((sample, at) => (sample * window[at]!) / OVERLAP)
  }
}

const binPlaces = Float64Array.from({ length: BINS }, (_, bin) => bandAt((bin * RATE) / FRAME))

/** Both halves of the spectrum of a real sound. */
function scale(
  { real, imaginary }: ReturnType<typeof emptySpectrum>,
  bin: number,
  by: number,
): void {
  for (const at of bin === 0 || bin === FRAME / 2 ? [bin] : [bin, FRAME - bin]) {
    real[at]! *= by
    imaginary[at]! *= by
  }
}

/** The bands of a moment as all voices have them, by the changes of the two nearest blocks. */
function shapeOf(
  bands: Float64Array,
  hop: number,
  change: (block: number) => Change,
): Float64Array {
  const cepstra = cepstraOf(bands)
  const shape = Float64Array.of(cepstra[0]!, ...canonicalMean)
  const place = hop / BLOCK_HOPS - 0.5
  const before = Math.floor(place)
  for (const [block, share] of [
    [before, 1 - (place - before)],
    [before + 1, place - before],
  ] as const) {
    const { mean, map } = change(block)
    for (let i = 0; i < SHAPES; i += 1) {
      let sum = 0
      for (let j = 0; j < SHAPES; j += 1) sum += map[i * SHAPES + j]! * (cepstra[j + 1]! - mean[j]!)
      shape[i + 1]! += share * sum
    }
  }
  return bandsFrom(shape)
}
