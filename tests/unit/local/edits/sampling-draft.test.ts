import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkSampling,
  samplingDraft,
  toMinutesAndSeconds,
  fieldsToMs,
  type SamplingDraft,
} from '#src/local/edits/sampling-draft.ts'

const draft = (different: Partial<SamplingDraft> = {}): SamplingDraft => ({
  ...samplingDraft(null, null),
  ...different,
})
const errorsOf = (different: Partial<SamplingDraft>, sourceDurationMs: number | null = null) =>
  checkSampling(draft(different), sourceDurationMs).errors

describe('the form of uniform sampling', () => {
  it('OPT-05 opens with five minutes of ten moments and nothing left out', () => {
    expect(checkSampling(draft(), null)).toEqual({
      errors: {},
      payload: {
        maximumDuration: 300_000,
        segmentCount: 10,
        offsetStartMs: 0,
        offsetEndMs: 0,
        introMediaAssetIds: [],
        outroMediaAssetIds: [],
      },
    })
  })

  it.each([
    [3_600_000, 300],
    [900_000, 300],
    [899_999, 295],
    [140_000, 45],
    [60_000, 20],
    [30_000, 10],
    [20_000, 10],
  ])(
    'DEL-01 opens for a video of %d ms with %d s, a third of it and never less than 10 s',
    (sourceMs, seconds) => {
      const opened = samplingDraft(null, sourceMs)
      expect(fieldsToMs(opened.length)).toBe(seconds * 1000)
      expect(checkSampling(opened, sourceMs).errors).toEqual({})
    },
  )

  it('DEL-01 refuses what would be all that is left of the video, unless an intro or outro stands beside it', () => {
    const reaching = {
      length: { minutes: 5, seconds: 0 },
      leftOutAtStart: { minutes: 0, seconds: 10 },
    }
    expect(errorsOf({ length: reaching.length }, 60_000)).toEqual({
      length:
        'Your video is 1 min long, so this would be all of it: please enter a shorter final length, or add an intro or outro.',
    })
    expect(errorsOf(reaching, 60_000)).toEqual({
      length:
        'Only 50 s of your video remain, so this would be all of that: please enter a shorter final length, leave out less, or add an intro or outro.',
    })
    expect(errorsOf({ ...reaching, outroMediaAssetIds: ['a'] }, 60_000)).toEqual({})
    expect(errorsOf({ length: { minutes: 0, seconds: 10 } }, 10_900)).toEqual({
      length:
        'Your video is 10 s long, and a summary needs 11 s: please choose another edit, or add an intro or outro.',
    })
    expect(
      errorsOf(
        { length: { minutes: 0, seconds: 10 }, leftOutAtEnd: { minutes: 0, seconds: 50 } },
        60_000,
      ),
    ).toEqual({
      length:
        'Only 10 s of your video remain, and a summary needs 11 s: please leave out less, or add an intro or outro.',
    })
  })

  it('OPT-05 shows what was chosen before and gives it back unchanged', () => {
    const whole = fc.integer({ min: 0, max: 24 * 3600 }).map((seconds) => seconds * 1000)
    fc.assert(
      fc.property(
        whole.filter((ms) => ms >= 10_000),
        fc.integer({ min: 2, max: 60 }),
        whole,
        whole,
        (maximumDuration, segmentCount, offsetStartMs, offsetEndMs) => {
          const payload = {
            maximumDuration,
            segmentCount,
            offsetStartMs,
            offsetEndMs,
            introMediaAssetIds: ['a'],
            outroMediaAssetIds: ['b', 'c'],
          }
          expect(checkSampling(samplingDraft(payload, null), null).payload).toEqual(payload)
        },
      ),
    )
  })

  it('OPT-05 turns milliseconds into minutes and seconds and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 * 24 * 3_600_000 }), (ms) => {
        const { minutes, seconds } = toMinutesAndSeconds(ms)
        expect(Number.isInteger(minutes) && seconds >= 0 && seconds < 60).toBe(true)
        expect(fieldsToMs({ minutes, seconds })).toBe(ms)
      }),
    )
  })

  it('TYP-02 takes nothing while a field holds what is no number', () => {
    const unread: readonly Partial<SamplingDraft>[] = [
      { length: { minutes: null, seconds: 20 } },
      { length: { minutes: 1, seconds: null } },
      { leftOutAtEnd: { minutes: null, seconds: Number.NaN } },
      { moments: null },
    ]
    for (const different of unread)
      expect(checkSampling(draft(different), 600_000)).toEqual({ errors: {}, payload: null })
  })

  it('OPT-05 takes 0 to 59 seconds, no negative values, and counts an empty field as 0', () => {
    for (const field of ['length', 'leftOutAtStart', 'leftOutAtEnd'] as const) {
      expect(errorsOf({ [field]: { minutes: 1, seconds: 60 } })).toEqual({
        [field]: 'Seconds must be between 0 and 59',
      })
      expect(errorsOf({ [field]: { minutes: 1, seconds: -1 } })).toEqual({
        [field]: 'Seconds must be between 0 and 59',
      })
      expect(errorsOf({ [field]: { minutes: -1, seconds: 0 } })).toEqual({
        [field]: 'Negative values are not allowed',
      })
      expect(errorsOf({ [field]: { minutes: Number.NaN, seconds: 59 } })).toEqual({})
    }
  })

  it.each([
    [9.999, 'The final length must be at least 10 seconds'],
    [10, undefined],
  ])('OPT-05 needs ten seconds: %d', (seconds, error) => {
    expect(errorsOf({ length: { minutes: 0, seconds } }).length).toBe(error)
  })

  it.each([
    [1, 'Please choose 2 to 60 moments'],
    [2, undefined],
    [60, undefined],
    [61, 'Please choose 2 to 60 moments'],
    [2.5, 'Please choose 2 to 60 moments'],
    [Number.NaN, 'Please enter required fields'],
  ])('OPT-05 takes 2 to 60 moments: %d', (moments, error) => {
    expect(errorsOf({ moments }).moments).toBe(error)
  })

  it('OPT-05 refuses to leave out the whole video, as soon as its length is known', () => {
    const leavesNothing = {
      leftOutAtStart: { minutes: 1, seconds: 0 },
      leftOutAtEnd: { minutes: 1, seconds: 0 },
    }
    expect(errorsOf({ ...leavesNothing, introMediaAssetIds: ['a'] }, 120_500)).toEqual({
      leftOutAtEnd: 'This leaves nothing of your video to show. Please leave out less.',
    })
    expect(errorsOf({ ...leavesNothing, introMediaAssetIds: ['a'] }, 121_000)).toEqual({})
    expect(errorsOf(leavesNothing, null)).toEqual({})
  })
})
