import { beforeAll, expect, it } from 'vitest'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import {
  colourError,
  combedPictures,
  combedShare,
  rhythmOf,
  whiteOf,
} from '#tests/setup/picture-figures.ts'
import { hdr, interlaced, oddMatrix, undeclared, uneven } from '#tests/setup/picture-sources.ts'
import { renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'

let ffmpeg: Ffmpeg
beforeAll(async () => {
  ffmpeg = await serverFfmpeg()
})

// Like edits whose pictures `npm test` looks at.
it('REC-22 the pictures of a tube cut skip and repeat none where the camera left some out', async () => {
  const payload = { targetDuration: 6_000, introMediaAssetIds: [], outroMediaAssetIds: [] }
  const edit = await renderEdit(ffmpeg, 'tube-cut', payload, await uneven(12))
  const { skipped, repeated } = await rhythmOf(edit.file('tube-cut.mp4'))
  expect(skipped).toBeLessThanOrEqual(0.01)
  expect(repeated).toBeLessThanOrEqual(0.01)
})

it('REC-22 stills have the colours of BT.709 in a size of BT.601', async () => {
  const edit = await renderEdit(ffmpeg, 'still-pack', undefined, await oddMatrix('640x360', 2))
  expect(await colourError(edit.file('still-01.jpg'))).toBeLessThanOrEqual(6)
})

it('REC-22 a teaser has the colours of BT.709 in a size of BT.601', async () => {
  const edit = await renderEdit(ffmpeg, 'teaser-15s', undefined, await oddMatrix('640x360', 2))
  expect(await colourError(edit.file('teaser-15s.mp4'))).toBeLessThanOrEqual(6)
})

it('REC-22 a teaser of HLG shows white as white, and skin', async () => {
  const edit = await renderEdit(ffmpeg, 'teaser-15s', undefined, await hdr('hlg'))
  const { white, skinError } = await whiteOf(edit.file('teaser-15s.mp4'))
  expect(white).toBeGreaterThanOrEqual(235)
  expect(skinError).toBeLessThanOrEqual(0.1)
})

it('REC-22 the pictures of a teaser are whole where the source has fields', async () => {
  const edit = await renderEdit(ffmpeg, 'teaser-15s', undefined, await interlaced(3))
  expect(await combedShare(edit.file('teaser-15s.mp4'))).toBeLessThanOrEqual(0.01)
})

it('SRC-05 the pictures of a GIF are whole, whatever the header says', async () => {
  const { path, size } = await undeclared('unsaid', 3)
  const edit = await renderEdit(ffmpeg, 'social-media-gif-pack', undefined, path)
  const delivered = await combedPictures(edit.file('gif-wide.gif'), size)
  expect(delivered.pictures).toBeGreaterThan(0)
  expect(delivered.combed).toBe(0)
})
