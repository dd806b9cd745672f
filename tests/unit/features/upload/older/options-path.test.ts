import { describe, expect, it } from 'vitest'
import { catalogue } from '#recipes/presets.ts'
import { olderFlow } from '#src/config/paths.ts'
import { arrivalState, readArrival } from '#src/features/upload/older/arrival.ts'
import { optionsPath } from '#src/features/upload/older/options-path.ts'

describe('the pages of options', () => {
  it('FMT-09 each preset with options has a page for them, and no other preset has one', () => {
    for (const { slug, hasOptions } of catalogue)
      expect(optionsPath(slug, 'request-1'), slug).toBe(
        hasOptions ? `/select-${slug}-options?uploadRequestId=request-1` : null,
      )
    expect(Object.keys(olderFlow.options).toSorted()).toEqual(
      catalogue
        .filter(({ hasOptions }) => hasOptions)
        .map(({ slug }) => slug)
        .toSorted(),
    )
  })
})

describe('the notification of the screen before', () => {
  it('FMT-08 is read as it was passed, and anything else is none', () => {
    const arrival = { kind: 'success', text: 'Tube Cut was added.' } as const
    expect(readArrival(arrivalState(arrival))).toEqual(arrival)
    for (const state of [null, 'text', { arrival: null }, { arrival: { kind: 'x', text: 'y' } }])
      expect(readArrival(state)).toBeNull()
  })
})
