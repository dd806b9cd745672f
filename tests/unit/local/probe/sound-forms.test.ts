import { expect, it } from 'vitest'
import { soundFormAt, soundFormsInBlocks } from '#src/local/probe/sound-forms.ts'

const bytes = (hex: string, length = 64): Uint8Array => {
  const result = new Uint8Array(length)
  result.set(Buffer.from(hex, 'hex'))
  return result
}
/** Beginnings of frames of AC-3 in 48 kHz, with two channels and with one. */
const [STEREO, MONO] = ['0b7700001440e1', '0b770000144021']

it('REC-27 tells the form of a frame of DTS and of TrueHD from another one', () => {
  // Stereo and mono of one film, and stereo of 44.1 kHz.
  const dts = ['7ffe8001fc3c07f0b660', '7ffe8001fc3c07f03660', '7ffe8001fc3c07f0a260'].map((hex) =>
    soundFormAt(bytes(hex)),
  )
  expect(new Set(dts).size).toBe(3)
  expect(dts).not.toContain(null)
  const [one, other] = ['f8726fba00048000', 'f8726fba00040000'].map((hex) =>
    soundFormAt(bytes(`a0001234${hex}`)),
  )
  expect([one !== null, one === other]).toEqual([true, false])
})

it('REC-27 finds the forms of blocks of a track from any place of a Matroska file', () => {
  // Each as its writers have them: alone, and several frames by three kinds of sizes.
  const blocks = [
    `a3c0820000${'80'}${STEREO}`,
    `a1408082000000${MONO}`,
    `a3c082000084${'03'}${STEREO}`,
    `a3c082000082${'02'}${'ff0105'}${STEREO}`,
    `a3c082000086${'02'}${'4102'}${'5fff'}${MONO}`,
  ].map((hex) => bytes(hex))
  const said = (track: number): readonly string[] => [
    ...soundFormsInBlocks(Buffer.concat([bytes('123456'), ...blocks]), track),
  ]
  expect(said(2)).toEqual(
    [STEREO, MONO, STEREO, STEREO, MONO].map((hex) => soundFormAt(bytes(hex))),
  )
  expect(said(3)).toEqual([])
})
