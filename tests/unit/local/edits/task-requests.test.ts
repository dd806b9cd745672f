import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editName } from '#src/local/edits/edit-name.ts'
import { plainRequest, requestWithOptions } from '#src/local/edits/task-requests.ts'

const watermarkRequest = (text: string) => requestWithOptions('dynamic-watermark', { text }, null)
const SOURCE_MS = 60_000
const tubeCutRequest = (
  targetDuration: number | null,
  introMediaAssetIds: readonly string[],
  outroMediaAssetIds: readonly string[],
) =>
  requestWithOptions(
    'tube-cut',
    { targetDuration, introMediaAssetIds, outroMediaAssetIds },
    SOURCE_MS,
  )

describe('options of edits', () => {
  it('OPT-01 needs a name or tag that is not blank', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(' ', '\t', '\n', '\u00a0')).map((parts) => parts.join('')),
        (blank) => {
          expect(watermarkRequest(blank)).toEqual({
            ok: false,
            error: {
              code: 'options/invalid',
              field: 'text',
              message: 'Please enter your Name or Social Tag',
            },
          })
        },
      ),
    )
    expect(watermarkRequest('  @someusername ')).toEqual({
      ok: true,
      value: {
        mediaJobTaskPresetSlug: 'dynamic-watermark',
        payload: { text: '@someusername', size: 'medium', strength: 'medium' },
      },
    })
  })

  it('OPT-02 DEL-01 takes a length that leaves something out, or the full length between an intro and an outro, and refuses negative ones', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 90_000 }), (targetDuration) => {
        const isLongEnough = targetDuration === 0 || targetDuration >= 12_000
        const value = (outroMediaAssetIds: readonly string[]) => ({
          mediaJobTaskPresetSlug: 'tube-cut',
          payload: { targetDuration, introMediaAssetIds: [], outroMediaAssetIds },
        })
        const isCut = targetDuration >= 12_000 && targetDuration <= SOURCE_MS - 1000
        expect(tubeCutRequest(targetDuration, [], [])).toEqual(
          isCut
            ? { ok: true, value: value([]) }
            : { ok: false, error: expect.objectContaining({ field: 'targetDuration' }) },
        )
        expect(tubeCutRequest(targetDuration, [], ['a'])).toEqual(
          isLongEnough
            ? { ok: true, value: value(['a']) }
            : { ok: false, error: expect.objectContaining({ field: 'targetDuration' }) },
        )
      }),
    )
    expect(tubeCutRequest(null, ['a'], [])).toMatchObject({
      ok: true,
      value: { payload: { targetDuration: 0 } },
    })
    expect(tubeCutRequest(-1, [], [])).toMatchObject({
      ok: false,
      error: { message: 'Negative target duration is not allowed' },
    })
    expect(tubeCutRequest(Number.NaN, [], [])).toMatchObject({
      ok: false,
      error: { message: 'Please enter required fields' },
    })
  })

  it('asks for options exactly where there are some', () => {
    expect(plainRequest('teaser-15s')).toEqual({ mediaJobTaskPresetSlug: 'teaser-15s' })
    expect(plainRequest('tube-cut')).toBeNull()
  })
})

it('WAY-04 an edit has its name without a catalogue, and never its slug', () => {
  const presets = [{ slug: 'tube-cut', name: 'Cut for tubes' }]
  expect([
    editName('tube-cut', presets),
    editName('tube-cut', []),
    editName('new-one', []),
  ]).toEqual(['Cut for tubes', 'Tube Cut', 'Another edit'])
})
