import { describe, expect, it } from 'vitest'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import { createSimulatedClock } from '#tests/fakes/upload-clock.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'
import { untilUploadsAllow } from '#src/local/uploads/page/until-uploads-allow.ts'

const HOUR = 3_600_000
const SIZE = 1_000
const UPLOADING: UploadState = { kind: 'uploading' }
const DONE: UploadState = { kind: 'done', doneAtEpochMs: 1 }

interface World {
  /** The uploads of this device at a second; a rejection stands for a closed database. */
  readonly uploads?: (second: number) => readonly UploadRow[]
  readonly isReading?: (second: number) => boolean
}

/** The second at which the work may begin. */
async function begins({ uploads = () => [], isReading = () => false }: World): Promise<number> {
  const clock = createSimulatedClock()
  const startMs = clock.now()
  const second = (): number => (clock.now() - startMs) / 1_000
  let endedAt: number | null = null
  void untilUploadsAllow({
    clock,
    uploads: async () => uploads(second()),
    isReading: () => isReading(second()),
  }).then(() => {
    endedAt = second()
  })
  await clock.run(HOUR, () => endedAt !== null)
  if (endedAt === null) throw new Error('it never began')
  return endedAt
}

function upload(state: UploadState, safeBytes = 0, id = 'one'): UploadRow {
  const file = { name: 'scene.mp4', sizeBytes: SIZE, lastModifiedEpochMs: 0, type: 'video/mp4' }
  return fakeUploadRow({ id, state, safeBytes, file })
}

/** An upload that gains so much a second and is done when all is safe. */
function moving(bytesPerSecond: number): (second: number) => readonly UploadRow[] {
  return (second) => {
    const safeBytes = Math.min(SIZE, second * bytesPerSecond)
    return [upload(safeBytes === SIZE ? DONE : UPLOADING, safeBytes)]
  }
}

describe('the installation of the app', () => {
  it('begins at once when no upload is on its way', async () => {
    expect(await begins({})).toBe(0)
    for (const state of [DONE, { kind: 'paused' }, { kind: 'needs-file' }] as UploadState[])
      expect(await begins({ uploads: () => [upload(state)] })).toBe(0)
  })

  it('begins at once when the uploads cannot be read', async () => {
    expect(
      await begins({
        uploads: () => {
          throw new Error('closed')
        },
      }),
    ).toBe(0)
  })

  it('MIS-01 waits from the choice of the file to the end of a fast upload', async () => {
    const order = (second: number): readonly UploadRow[] => {
      if (second < 3) return []
      const kind = second < 4 ? 'draft' : second < 5 ? 'preparing' : 'queued'
      if (second < 6)
        return [{ ...upload({ kind }), createdAtEpochMs: Date.UTC(2026, 0, 1) + 3_000 }]
      return second < 30 ? [upload(UPLOADING, (second - 6) * 40)] : [upload(DONE, SIZE)]
    }
    expect(await begins({ uploads: order, isReading: (second) => second < 3 })).toBe(30)
  })

  it('does not wait for a draft whose findings a person reads', async () => {
    const draft = { ...upload({ kind: 'draft' }), createdAtEpochMs: Date.UTC(2026, 0, 1) }
    expect(await begins({ uploads: () => [draft] })).toBe(10)
  })

  it('does not wait for the rest of an upload that takes more than a minute', async () => {
    expect(await begins({ uploads: moving(10) })).toBe(10)
    expect(await begins({ uploads: moving(0) })).toBe(15)
    expect(await begins({ uploads: moving(20) })).toBe(50)
  })

  it('judges an upload that goes on by what it gains now', async () => {
    const rest = (second: number): readonly UploadRow[] => [upload(UPLOADING, 500 + second)]
    expect(await begins({ uploads: rest })).toBe(10)
  })

  it('waits for every upload, and for the look at the video after it', async () => {
    const two = (second: number): readonly UploadRow[] => [
      upload(UPLOADING, second * 10, 'slow'),
      second < 20 ? upload(UPLOADING, second * 50, 'fast') : upload(DONE, SIZE, 'fast'),
    ]
    expect(await begins({ uploads: two })).toBe(20)
    expect(await begins({ uploads: two, isReading: (second) => second < 24 })).toBe(24)
  })

  it('MIS-01 begins after five minutes, however many uploads follow each other', async () => {
    const one = (second: number): readonly UploadRow[] => [
      upload(UPLOADING, (second % 12) * 80, `upload ${Math.floor(second / 12)}`),
    ]
    expect(await begins({ uploads: one })).toBe(300)
    expect(await begins({ isReading: () => true })).toBe(300)
  })
})
