import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainRequest, requestWithOptions } from '#src/local/edits/task-requests.ts'

const watermarkRequest = (text: string) => requestWithOptions('dynamic-watermark', { text })
const tubeCutRequest = (
  targetDuration: number | null,
  introMediaAssetIds: readonly string[],
  outroMediaAssetIds: readonly string[],
) => requestWithOptions('tube-cut', { targetDuration, introMediaAssetIds, outroMediaAssetIds })

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
      value: { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@someusername' } },
    })
  })

  it('OPT-02 takes any length from 0, keeps the full length when empty, refuses negative ones', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 * 24 * 3_600_000 }), (targetDuration) => {
        expect(tubeCutRequest(targetDuration, [], [])).toEqual({
          ok: true,
          value: {
            mediaJobTaskPresetSlug: 'tube-cut',
            payload: { targetDuration, introMediaAssetIds: [], outroMediaAssetIds: [] },
          },
        })
      }),
    )
    expect(tubeCutRequest(null, [], [])).toMatchObject({
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
