import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { assetKindOf, isAssetType } from '#src/components/assets/asset-types.ts'
import { movedTo, toggled } from '#src/components/assets/chosen-order.ts'
import { endsOf, totalMs } from '#src/components/assets/ends.ts'
import { readForPath } from '#src/components/assets/for-path.ts'
import { missingEnds, missingIds } from '#src/components/assets/missing-ends.ts'
import { optionsWords } from '#src/components/options/forms.tsx'
import { uploadFailureCopy } from '#src/components/upload-words/failure-copy.ts'
import { clockWords } from '#src/lib/time-words.ts'
import { createMediaAssetPath, mediaAssetsPath } from '#src/config/paths.ts'
import { assetsPollMs } from '#src/local/sync/intervals.ts'
import { fakeMediaAsset } from '#tests/fakes/fake-rows.ts'

const ids = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 10 })
const listed = (id: string) => ({ asset: fakeMediaAsset({ _id: id }), deletion: null })

it('AST-02 a length reads as hours:minutes:seconds', () => {
  expect([0, 9_400, 61_000, 3_599_000, 3_723_000, 36_000_000].map(clockWords)).toEqual([
    '0:00:00',
    '0:00:09',
    '0:01:01',
    '0:59:59',
    '1:02:03',
    '10:00:00',
  ])
})

it('AST-01 knows videos, pictures and sounds by type or name, and takes no SVG', () => {
  const kinds = [
    ['a.mp4', 'video/mp4'],
    ['a.MTS', ''],
    ['a.heic', ''],
    ['a', 'image/webp'],
    ['a.flac', 'application/octet-stream'],
    ['a.svg', 'image/svg+xml'],
    ['a.svg', 'image/png'],
    ['a.pdf', 'application/pdf'],
    ['a', ''],
  ].map(([name = '', type = '']) => assetKindOf({ name, type }))
  expect(kinds).toEqual(['video', 'video', 'image', 'image', 'audio', null, null, null, null])
  expect(['', 'audio/mpeg', 'image/svg+xml', 'text/plain'].map(isAssetType)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

it('AST-01 a refused file is called what it was uploaded as, not a video', () => {
  const said = [
    ['a.mp4', 'video/mp4'],
    ['a.png', ''],
    ['a.mp3', 'audio/mpeg'],
    ['a', ''],
  ].map(
    ([name = '', type = '']) =>
      uploadFailureCopy(
        { kind: 'failed', code: 'upload/invalid-file', message: null },
        { purpose: 'media-asset', file: { name, type } },
      ).title,
  )
  expect(said).toEqual([
    'This file could not be read as a video.',
    'This file could not be read as a picture.',
    'This file could not be read as a sound.',
    'This file could not be read.',
  ])
})

it('OPT-03 moving keeps every asset once, in the order of the others', () => {
  fc.assert(
    fc.property(ids, fc.nat(12), fc.nat(12), (all, from, place) => {
      const id = all[from % all.length] ?? ''
      const moved = movedTo(all, id, place)
      expect(moved.toSorted()).toEqual(all.toSorted())
      if (place < all.length) expect(moved[place]).toBe(id)
      expect(moved.filter((one) => one !== id)).toEqual(all.filter((one) => one !== id))
    }),
  )
  expect(toggled(['a', 'b'], 'b', true)).toEqual(['a', 'b'])
  expect(toggled(['a', 'b'], 'a', false)).toEqual(['b'])
})

it('OPT-03 what was deleted is missing only once the server has said so', () => {
  const data = [listed('a')]
  expect(missingIds({ data, status: 'fresh' }, ['a', 'b'])).toEqual(['b'])
  expect(missingIds({ data, status: 'from-device' }, ['a', 'b'])).toEqual([])
  expect(missingIds({ data: null, status: 'failed' }, ['a', 'b'])).toEqual([])
  const request = tubeCut(['a'], ['b'])
  expect(missingEnds({ data, status: 'fresh' }, [request])).toEqual(['outro'])
})

it('OPT-02 DEL-01 the options say what will come out and how many assets there are, a picture counts 3 s', () => {
  expect(optionsWords(tubeCut([], []), null)).toBe('Up to 6 min')
  expect(optionsWords(tubeCut(['a', 'b'], ['c']), 600_000)).toBe('Up to 6 min · 2 intros · 1 outro')
  expect(optionsWords(tubeCut([], ['c']), 300_000)).toBe('Full length · 1 outro')
  const sampling = (outroMediaAssetIds: string[]) => ({
    mediaJobTaskPresetSlug: 'uniform-sampling' as const,
    payload: {
      maximumDuration: 300_000,
      segmentCount: 10,
      offsetStartMs: 10_000,
      offsetEndMs: 0,
      introMediaAssetIds: [],
      outroMediaAssetIds,
    },
  })
  expect(optionsWords(sampling([]), null)).toBe('10 moments, up to 5 min')
  expect(optionsWords(sampling([]), 600_000)).toBe('10 moments, 5 min')
  expect(optionsWords(sampling(['c']), 60_000)).toBe('50 s in one piece · 1 outro')
  expect(endsOf({ mediaJobTaskPresetSlug: 'teaser-15s' })).toEqual({ intro: [], outro: [] })
  const picture = {
    asset: fakeMediaAsset({
      _id: 'p',
      format: { slug: 'image', thumbnailUrl: null, width: 1, height: 1 },
    }),
    deletion: null,
  }
  expect(totalMs([listed('a'), picture], ['a', 'p', 'gone'])).toBe(15_000)
})

it('AST-03 a form that waits for an asset stands in the address, if it is one of this app', () => {
  const path = '/uploads/one/media-jobs/new'
  const kept = new URL(mediaAssetsPath(path), 'http://onecut.test').searchParams
  expect(readForPath(kept)).toBe(path)
  expect(createMediaAssetPath({ uploadId: 'one', forPath: null })).toBe(
    '/create-media-asset?upload=one',
  )
  for (const other of ['//evil.test', '/\\evil.test', 'https://evil.test', 'edits', ''])
    expect(readForPath(new URLSearchParams({ for: other }))).toBeNull()
})

it('AST-02 asks again while a new asset is processed, not for ever', () => {
  const asset = fakeMediaAsset()
  const madeAt = Date.parse(asset.createdAt)
  expect(assetsPollMs([fakeMediaAsset({ format: null })], false, madeAt + 11 * 60_000)).toBe(3000)
  expect(assetsPollMs([asset], false, madeAt + 1000)).toBe(3000)
  expect(assetsPollMs([asset], false, madeAt + 11 * 60_000)).toBe(false)
  expect(assetsPollMs([asset], true, madeAt + 11 * 60_000)).toBe(3000)
  expect(
    assetsPollMs(
      [fakeMediaAsset({ format: { slug: 'unsupported', reason: 'It is damaged.' } })],
      false,
      madeAt,
    ),
  ).toBe(false)
})

function tubeCut(introMediaAssetIds: string[], outroMediaAssetIds: string[]) {
  return {
    mediaJobTaskPresetSlug: 'tube-cut' as const,
    payload: { targetDuration: 360_000, introMediaAssetIds, outroMediaAssetIds },
  }
}
