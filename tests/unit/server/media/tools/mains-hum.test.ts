import { describe, expect, it } from 'vitest'
import { humFilter, humIn, type ReadChannel } from '#server/media/tools/mains-hum.ts'
import { signalToDistortion } from '#tests/integration/recipes/signal.ts'

const RATE = 48_000

const sound = (seconds: number, sampleAt: (timeS: number) => number): Float32Array =>
  Float32Array.from({ length: seconds * RATE }, (_, at) => sampleAt(at / RATE))

const tones = (hz: number, strengths: readonly number[]): ((timeS: number) => number) => {
  const turn = 2 * Math.PI * hz
  return (timeS) =>
    strengths.reduce((sum, each, index) => sum + each * Math.sin(turn * (index + 1) * timeS), 0)
}

/** Overtones whose pitch rises and falls as that of a voice, in syllables. */
const voice = sound(8, (timeS) => {
  const phase = 2 * Math.PI * (130 * timeS + 8 * Math.sin(2.2 * timeS) + 1.5 * Math.sin(11 * timeS))
  const syllable = Math.max(0, Math.sin(2 * Math.PI * 2.3 * timeS))
  return syllable * [1, 2, 3, 4, 5, 6].reduce((sum, each) => sum + Math.sin(each * phase) / each, 0)
})

const reads =
  (samples: Float32Array): ReadChannel =>
  (at, length) =>
    Float32Array.from({ length }, (_, index) => samples[at + index] ?? 0)

const withHum = (hz: number, samples = voice): Float32Array => {
  const hum = tones(hz, [0.5, 0.3, 0.2, 0.15, 0, 0.1])
  return samples.map((sample, at) => sample + hum(at / RATE))
}

describe('the hum of mains', () => {
  it.each([50.04, 49.93, 60.02])('REC-16 is found at %f Hz and taken out of a voice', (mains) => {
    const heard = withHum(mains)
    const hum = humIn(reads(heard), heard.length, RATE)
    expect(hum?.mains).toBeCloseTo(mains, 1)
    const overtones = hum?.frequencies.map((each) => Math.round(each / mains))
    expect(overtones).toEqual([1, 2, 3, 4, 6])
    const left = heard.slice()
    if (hum !== null) humFilter(hum, reads(heard), RATE)(left, 0, 1)
    const [before, after] = [heard, left].map((each) => signalToDistortion(voice, each, RATE, 0))
    expect((after?.decibels ?? 0) - (before?.decibels ?? 0)).toBeGreaterThan(10)
    const start = (samples: Float32Array): number[] => [...samples.subarray(0, RATE / 4)]
    // Nothing of it is left at the beginning either.
    expect(signalToDistortion(start(voice), start(left), RATE, 0).decibels).toBeGreaterThan(10)
  })

  it('is not found in a voice, in silence, in one steady tone and in notes beside it', () => {
    const chord = sound(8, (timeS) =>
      [98, 146.8, 196, 246.9].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * timeS), 0),
    )
    for (const samples of [voice, new Float32Array(8 * RATE), sound(8, tones(100, [1])), chord])
      expect(humIn(reads(samples), samples.length, RATE)).toBeNull()
  })

  it('is not looked for in less than two seconds', () => {
    const heard = withHum(50).subarray(0, 1.8 * RATE)
    expect(humIn(reads(heard), heard.length, RATE)).toBeNull()
  })

  it('is found where only some scenes have it', () => {
    const heard = withHum(50)
    heard.set(voice.subarray(0, voice.length / 2))
    expect(humIn(reads(heard), heard.length, RATE)?.frequencies).toHaveLength(5)
  })
})
