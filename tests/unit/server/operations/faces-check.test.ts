import { describe, expect, it } from 'vitest'
import type { FaceReview } from '#recipes/face-cover/types.ts'
import { checkDecisions } from '#server/operations/processing/faces/check.ts'
import { Problem } from '#server/problems.ts'
import { fakeFinding } from '#tests/fakes/face-search.ts'

const nothing: FaceReview = { uncovered: [], added: [], wholly: [] }
const box = { atMs: 100, x: 0.5, y: 0.5, width: 0.5, height: 0.5 }
const drawn = { id: 'hand-1', startMs: 0, endMs: 1000, boxes: [box], certainty: 1 }

function fieldOf(changes: Partial<FaceReview>): string | null {
  try {
    checkDecisions({ ...nothing, ...changes }, { finding: fakeFinding, durationMs: 2000 })
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return Object.keys(error.fields ?? {}).join()
  }
}

describe('decisions about faces', () => {
  it.each<[string, Partial<FaceReview>]>([
    ['nothing', {}],
    ['a face that stays visible', { uncovered: ['certain'] }],
    ['a drawn box at the edge', { added: [drawn] }],
    ['a stretch to the end', { wholly: [{ startMs: 0, endMs: 2000 }] }],
  ])('REC-18 %s is taken', (_what, changes) => {
    expect(fieldOf(changes)).toBeNull()
  })

  it.each<[string, Partial<FaceReview>, string]>([
    ['a face that was not found', { uncovered: ['certain', 'x'] }, 'uncovered.1'],
    ['a taken name', { added: [{ ...drawn, id: 'certain' }] }, 'added.0.id'],
    ['a name twice', { added: [drawn, drawn] }, 'added.1.id'],
    ['no time', { wholly: [{ startMs: 5, endMs: 5 }] }, 'wholly.0.endMs'],
    ['a time beyond the video', { wholly: [{ startMs: 0, endMs: 9000 }] }, 'wholly.0.endMs'],
    ['boxes out of order', { added: [{ ...drawn, boxes: [box, box] }] }, 'added.0.boxes.1.atMs'],
    [
      'a box outside of its time',
      { added: [{ ...drawn, boxes: [{ ...box, atMs: 1500 }] }] },
      'added.0.boxes.0.atMs',
    ],
    [
      'a box beyond the picture',
      { added: [{ ...drawn, boxes: [{ ...box, width: 0.6 }] }] },
      'added.0.boxes.0',
    ],
    ['an empty box', { added: [{ ...drawn, boxes: [{ ...box, height: 0 }] }] }, 'added.0.boxes.0'],
  ])('REC-18 %s is refused', (_what, changes, field) => {
    expect(fieldOf(changes)).toBe(`faceReview.decisions.${field}`)
  })
})
