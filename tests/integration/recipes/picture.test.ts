import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { makeThumbnail } from '#server/media/thumbnail.ts'
import { keptEdit, keptProbe } from '#tests/setup/kept-edit.ts'
import {
  colourError,
  combedPictures,
  combedShare,
  rhythmOf,
  whiteOf,
} from '#tests/setup/picture-figures.ts'
import { hdr, interlaced, oddMatrix, undeclared, uneven } from '#tests/setup/picture-sources.ts'
import { serverFfmpeg } from '#tests/setup/render-edit.ts'

let ffmpeg: Ffmpeg
beforeAll(async () => {
  ffmpeg = await serverFfmpeg()
})

/** Twelve stills are twelve runs of the same step. */
const onlyOf = (slug: string, name: string): string | undefined =>
  slug === 'still-pack' ? name : undefined

/** The bounds are those of `npm run bench -- edits picture`, which has longer sources. */
describe('the pictures of a finished edit', () => {
  it('REC-22 are whole where the source has fields', async () => {
    const source = await interlaced(3)
    expect(await combedShare(source)).toBeGreaterThan(0.5)
    const file = await keptEdit(ffmpeg, 'dynamic-watermark', { text: '@name' }, source)
    expect(await combedShare(file('dynamic-watermark.mp4'))).toBeLessThanOrEqual(0.01)
  })

  it.each(['dv', 'unsaid'] as const)('SRC-05 hold two fields in the source %s', async (kind) => {
    const { path, size } = await undeclared(kind, 3)
    const { combed, pictures } = await combedPictures(path, size)
    expect(combed).toBeGreaterThan(pictures * 0.9)
  })

  it.each([
    ['dv', 'teaser-15s', 'teaser-15s.mp4'],
    ['unsaid', 'dynamic-watermark', 'dynamic-watermark.mp4'],
    ['unsaid', 'still-pack', 'still-03.jpg'],
  ] as const)(
    'SRC-05 of %s are whole in %s, whatever the header says',
    async (kind, slug, name) => {
      const { path, size } = await undeclared(kind, 3)
      const text = slug === 'dynamic-watermark' ? { text: '@name' } : undefined
      const file = await keptEdit(ffmpeg, slug, text, path, onlyOf(slug, name))
      const delivered = await combedPictures(file(name), size)
      expect(delivered.pictures).toBeGreaterThan(0)
      expect(delivered.combed).toBe(0)
    },
  )

  it('SRC-05 and so is its thumbnail', async () => {
    const { path, size } = await undeclared('unsaid', 3)
    const scratchDir = await mkdtemp(join(tmpdir(), 'thumbnail-'))
    const seen = { kind: 'video', source: await keptProbe(ffmpeg, path) } as const
    const { signal } = new AbortController()
    const made = await makeThumbnail(ffmpeg, { path, scratchDir, signal }, seen)
    if (!made.ok) throw new Error(made.error)
    expect(await combedPictures(made.value, size)).toEqual({ combed: 0, pictures: 1 })
    await rm(scratchDir, { recursive: true })
  })

  it('REC-22 skip and repeat none where the camera left some out', async () => {
    const file = await keptEdit(ffmpeg, 'teaser-15s', undefined, await uneven(12))
    const { skipped, repeated } = await rhythmOf(file('teaser-15s.mp4'))
    expect(skipped).toBeLessThanOrEqual(0.01)
    expect(repeated).toBeLessThanOrEqual(0.01)
  })

  it.each([
    ['pq', 'teaser-15s', 'teaser-15s.mp4'],
    ['hlg', 'example-low-resolution-video', 'low-resolution.mp4'],
  ] as const)('REC-22 of %s show white as white, and skin: %s', async (curve, slug, name) => {
    const file = await keptEdit(ffmpeg, slug, undefined, await hdr(curve))
    const { white, skinError } = await whiteOf(file(name))
    expect(white).toBeGreaterThanOrEqual(235)
    expect(skinError).toBeLessThanOrEqual(0.1)
  })

  it.each([
    ['BT.601, in a size of BT.709', '1280x720', 'still-pack', 'still-01.jpg'],
    [
      'BT.709, in a size of BT.601',
      '640x360',
      'example-low-resolution-video',
      'low-resolution.mp4',
    ],
  ] as const)('REC-22 have the colours of %s: %s %s', async (_, size, slug, name) => {
    const source = await oddMatrix(size, 2)
    const file = await keptEdit(ffmpeg, slug, undefined, source, onlyOf(slug, name))
    expect(await colourError(file(name))).toBeLessThanOrEqual(6)
  })
})
