import { describe, expect, it } from 'vitest'
import { canonicalCovariance, SHAPES } from '#recipes/voices/canonical-voice.ts'
import { characterOf } from '#recipes/voices/character.ts'
import { maskVoice } from '#recipes/voices/mask.ts'
import { transport } from '#recipes/voices/matrices.ts'
import { PITCH_REACH, pitchesIn, speeds } from '#recipes/voices/pitch.ts'
import { SECRET } from '#tests/fixtures/probes.ts'

const OTHER = 'c0de'.repeat(16)

async function masked(samples: Float32Array, secret = SECRET): Promise<Float32Array> {
  const parts: number[] = []
  const read = (at: number, length: number): Float32Array =>
    Float32Array.from({ length }, (_, index) => samples[at + index] ?? 0)
  await maskVoice({ length: samples.length, read }, secret, (part) => parts.push(...part))
  return Float32Array.from(parts)
}

/** A sound with overtones at 16 kHz. */
const hum = (seconds: number, hz: number): Float32Array =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) =>
    [1, 2, 3, 4].reduce(
      (sum, each) => sum + (0.2 / each) * Math.sin((2 * Math.PI * hz * each * at) / 16_000),
      0,
    ),
  )

describe('the program that masks voices', () => {
  it('REC-08 gives shapes that vary in one way the covariance of another', () => {
    const own = Float64Array.of(4, 1, 0, 1, 3, 0.5, 0, 0.5, 2)
    const wanted = Float64Array.of(1, 0.2, 0.1, 0.2, 2, 0, 0.1, 0, 5)
    const map = transport(own, wanted, 3)
    const at = (matrix: Float64Array, i: number, j: number): number => matrix[i * 3 + j] ?? 0
    for (const i of [0, 1, 2])
      for (const j of [0, 1, 2]) {
        let sum = 0
        for (const k of [0, 1, 2])
          for (const l of [0, 1, 2]) sum += at(map, i, k) * at(own, k, l) * at(map, j, l)
        expect(sum).toBeCloseTo(at(wanted, i, j), 8)
        expect(at(map, i, j)).toBeCloseTo(at(map, j, i), 8)
      }
  })

  it('REC-08 leaves shapes as they are that vary as those of all voices', () => {
    const map = transport(canonicalCovariance, canonicalCovariance, SHAPES)
    for (const [at, each] of map.entries())
      expect(each).toBeCloseTo(at % (SHAPES + 1) === 0 ? 1 : 0, 6)
  })

  it('REC-08 draws a whole character of its own for each secret', async () => {
    const [one, other, again] = await Promise.all([SECRET, OTHER, SECRET].map(characterOf))
    if (one === undefined || other === undefined) throw new Error('no character')
    expect({ ...again, random: null }).toEqual({ ...one, random: null })
    for (const part of ['pitch', 'formants', 'hoarseness', 'noise'] as const)
      expect(other[part]).not.toBeCloseTo(one[part], 5)
    for (const part of ['balance', 'detail', 'covariance'] as const)
      expect(other[part]).not.toEqual(one[part])
  })

  it('REC-08 draws none from a secret that could be guessed', async () => {
    await expect(characterOf('')).rejects.toThrow('32 bytes')
  })

  it.each([90, 140, 230])('REC-08 brings a voice of %i Hz to the pitch of the character', (hz) => {
    const pitches = pitchesIn(hum(2, hz).subarray(0, 16_000 + 2 * PITCH_REACH))
    expect(pitches).toHaveLength(125)
    for (const each of speeds(pitches, Math.log2(150))) expect(each * hz).toBeCloseTo(150, -0.5)
  })

  it.each([0, 1, 5000, 16_000, 40_001])(
    'makes %i samples of as many, and no other ones',
    async (length) => {
      const samples = hum(3, 120).subarray(0, length)
      const made = await masked(samples)
      expect(made).toHaveLength(length)
      expect(made.every((sample) => Number.isFinite(sample))).toBe(true)
      expect(await masked(samples)).toEqual(made)
    },
  )

  it('makes of silence nothing that is heard', async () => {
    const made = await masked(new Float32Array(32_000))
    const loudest = made.reduce((a, b) => Math.max(a, Math.abs(b)), 0)
    expect(loudest).toBeLessThan(0.01)
  })
})
