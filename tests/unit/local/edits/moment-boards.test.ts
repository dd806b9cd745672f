import { describe, expect, it } from 'vitest'
import {
  chosenMoments,
  keepingMoments,
  momentBoard,
  playedOf,
  requestOfMoments,
} from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'

const tubeCut = (targetDuration: number): TaskRequest => ({
  mediaJobTaskPresetSlug: 'tube-cut',
  payload: { targetDuration, introMediaAssetIds: [], outroMediaAssetIds: [] },
})

describe('the moments of a tube cut', () => {
  const begin = momentBoard(tubeCut(60_000), fakeUploadMoments())?.begin
  if (begin === undefined) throw new Error('no board')
  const chosen = requestOfMoments(tubeCut(60_000), begin)

  it('REC-21 stay while its length stays', () => {
    expect(chosenMoments(keepingMoments(chosen, tubeCut(60_000)))).toEqual(begin)
  })

  it('REC-21 go with its length', () => {
    expect(keepingMoments(chosen, tubeCut(30_000))).toEqual(tubeCut(30_000))
  })
})

it('REC-21 a video that an edit shows whole has no board', () => {
  const source = { durationMs: 9000, width: 640, height: 360, frameRate: 30, nominalRate: null }
  const teaser: TaskRequest = { mediaJobTaskPresetSlug: 'teaser-15s' }
  expect(momentBoard(teaser, fakeUploadMoments())).not.toBeNull()
  expect(momentBoard(teaser, fakeUploadMoments({ source }))).toBeNull()
})

describe('what plays of a moment', () => {
  const stretches = [
    { startMs: 6000, endMs: 12_000, atMs: 0 },
    { startMs: 52_000, endMs: 55_000, atMs: 12_000 },
  ]

  it('REC-21 is all of it where the video of the board has all of it', () => {
    expect(playedOf({ stretches }, { startMs: 7000, endMs: 10_300 })).toEqual({
      fromS: 1,
      toS: 4.3,
      shownS: 3.3,
      isWhole: true,
    })
  })

  it('REC-21 is the part of it that is there', () => {
    expect(playedOf({ stretches }, { startMs: 53_000, endMs: 55_800 })).toMatchObject({
      fromS: 13,
      toS: 15,
      shownS: 2,
      isWhole: false,
    })
  })

  it('REC-21 is nothing where hardly anything of it is there', () => {
    expect(playedOf({ stretches }, { startMs: 54_700, endMs: 58_000 })).toBeNull()
    expect(playedOf({ stretches }, { startMs: 80_000, endMs: 83_000 })).toBeNull()
  })
})
