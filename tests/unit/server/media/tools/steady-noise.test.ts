import { describe, expect, it } from 'vitest'
import { fourierOf } from '#recipes/voices/fourier.ts'
import { BLOCK, DELAY, FRAME, steadyNoiseFilter } from '#server/media/tools/steady-noise.ts'
import { signalToDistortion } from '#tests/integration/recipes/signal.ts'

const RATE = 48_000
const SECONDS = 4

const sound = (sampleAt: (timeS: number, at: number) => number, seconds = SECONDS): Float32Array =>
  Float32Array.from({ length: seconds * RATE }, (_, at) => sampleAt(at / RATE, at))

/** Overtones whose pitch rises and falls as that of a voice, in syllables with pauses. */
const voice = (hz: number): Float32Array =>
  sound((timeS) => {
    const turns = hz * timeS + hz * 0.06 * Math.sin(2.2 * timeS) + hz * 0.01 * Math.sin(11 * timeS)
    const syllable = Math.max(0, Math.sin(2 * Math.PI * (2 + hz / 400) * timeS))
    const overtones = [1, 2, 3, 4, 5, 6].map((each) => Math.sin(2 * Math.PI * each * turns) / each)
    return 3000 * syllable * overtones.reduce((sum, each) => sum + each, 0)
  })

/** Noise that falls with its frequency as that of fans; the same each time. */
const fan = (level: number, seconds = SECONDS): Float32Array => {
  let [random, low] = [7, 0]
  return sound(() => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    low += (random / 2 ** 31 - 1 - low) * 0.05
    return 10 * level * low
  }, seconds)
}

const added = (one: Float32Array, other: Float32Array): Float32Array =>
  one.map((sample, at) => sample + (other[at] ?? 0))

const decibels = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, each) => sum + each * each, 0) / samples.length + 1e-9)

const likeness = (wanted: Float32Array, heard: Float32Array): number =>
  signalToDistortion(wanted, heard, RATE, 0).decibels

/** What the filter leaves, for as long as the sound is, where RNNoise hears no voice in it. */
function filtered(heard: Float32Array): Float32Array {
  const filter = steadyNoiseFilter(fourierOf(FRAME), 0.95)
  const made = new Float32Array(Math.ceil((heard.length + DELAY) / BLOCK) * BLOCK)
  for (let at = 0; at < made.length; at += BLOCK) {
    const block = new Float32Array(BLOCK)
    block.set(heard.subarray(at, at + BLOCK))
    made.set(filter(block, new Float32Array(BLOCK), at < heard.length), at)
  }
  return made.slice(DELAY, DELAY + heard.length)
}

describe('steady noise', () => {
  it('REC-16 is taken off a voice, from the beginning to the end', () => {
    const clean = voice(130)
    const noisy = added(clean, fan(1200))
    const left = filtered(noisy)
    for (const part of [
      [0, RATE],
      [0, left.length],
      [left.length - RATE, left.length],
    ]) {
      const [wanted, before, after] = [clean, noisy, left].map((each) => each.subarray(...part))
      expect(likeness(wanted!, after!) - likeness(wanted!, before!)).toBeGreaterThan(4)
    }
  })

  it.each([
    ['a voice', voice(130)],
    ['two voices that never pause together', added(voice(110), voice(210))],
    [
      'a chord that never changes',
      sound(
        (timeS) =>
          900 * [220, 277, 330].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * timeS), 0),
      ),
    ],
  ])('REC-16 is not what %s has of itself', (_, clean) => {
    expect(likeness(clean, filtered(clean))).toBeGreaterThan(20)
  })

  it('gets quieter where nothing is beside it, also at full scale', () => {
    for (const level of [100, 8000]) {
      const noise = fan(level).map((each) => Math.max(-32_768, Math.min(32_767, each)))
      expect(decibels(filtered(noise)) - decibels(noise)).toBeLessThan(-12)
    }
  })

  it('is not made of silence, and not looked for in less than a second', () => {
    expect(decibels(filtered(sound(() => 0)))).toBeLessThan(-80)
    const short = fan(1000, 0.9)
    expect(likeness(short, filtered(short))).toBeGreaterThan(40)
  })
})
