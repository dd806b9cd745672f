import { expect, it } from 'vitest'
import { begun, ended, keepingOf, stillAhead } from '#src/features/media-jobs/ahead.ts'
import type { FaceDecisions } from '#src/features/media-jobs/use-face-review.ts'

const narrow: FaceDecisions = { uncovered: [], added: [], wholly: [] }
const wide: FaceDecisions = { uncovered: ['t1'], added: [], wholly: [] }

it('REC-18 a decision that was taken back is shown while the two are written', () => {
  const back = begun(begun(null, wide), narrow)
  // What the database told before both, then what it tells between them.
  expect(stillAhead(back, narrow)?.decisions).toEqual(narrow)
  const between = ended(back)
  expect(stillAhead(between, wide)?.decisions).toEqual(narrow)
  expect(stillAhead(ended(between), narrow)).toBeNull()
})

it('REC-18 a decision that could not be written is shown until the next', () => {
  const failed = ended(begun(null, wide))
  expect(stillAhead(failed, narrow)?.decisions).toEqual(wide)
  expect(begun(failed, narrow)).toEqual({ decisions: narrow, writes: 1 })
})

it('REC-18 a write that ends after the other device was asked changes nothing', () => {
  expect(ended(null)).toBeNull()
  expect(stillAhead(null, wide)).toBeNull()
})

it('REC-18 a review cannot end before the newest decision is saved', () => {
  const ahead = begun(null, wide)
  expect(keepingOf(ahead, 'saved')).toBe('on-this-device')
  expect(keepingOf(ended(ahead), 'saved')).toBe('on-this-device')
  expect(keepingOf(ahead, 'changed-elsewhere')).toBe('changed-elsewhere')
  expect(keepingOf(null, 'saved')).toBe('saved')
})
