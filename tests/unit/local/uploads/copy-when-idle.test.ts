import { describe, expect, it } from 'vitest'
import { createSimulatedClock } from '#tests/fakes/upload-clock.ts'
import { copyWhenIdle } from '#src/local/uploads/file/copy-when-idle.ts'
import type { UploadState } from '#src/local/db/rows.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'

const MIB = 1_048_576
const HOUR = 3_600_000
const UPLOADING: UploadState = { kind: 'uploading' }
const DONE: UploadState = { kind: 'done', doneAtEpochMs: 1 }

/**
 * Seconds until the bytes are copied; null when they never are. `stateAt` is the upload's state at
 * a time; the rate is how fast it sends.
 */
async function keptAfter(
  sizeBytes: number,
  bytesPerSecond: number,
  stateAt: (seconds: number) => UploadState = () => UPLOADING,
): Promise<number | null> {
  const clock = createSimulatedClock()
  const startMs = clock.now()
  let keptMs: number | null = null
  let isOver = false
  const seconds = (): number => (clock.now() - startMs) / 1_000
  const store = {
    read: async () => {
      const safeBytes = Math.min(sizeBytes, Math.floor(seconds() * bytesPerSecond))
      const state = safeBytes === sizeBytes ? DONE : stateAt(seconds())
      return fakeUploadRow({
        id: 'one',
        state,
        safeBytes,
        file: { name: 'scene.mp4', sizeBytes, lastModifiedEpochMs: 0, type: 'video/mp4' },
      })
    },
  }
  void copyWhenIdle(
    {
      clock,
      store,
      bytes: {
        keepCopy: async () => {
          keptMs = clock.now() - startMs
        },
      },
    },
    'one',
  ).then(() => {
    isOver = true
  })
  expect(await clock.run(HOUR, () => isOver)).toBe(true)
  return keptMs === null ? null : keptMs / 1_000
}

describe('chosen bytes are kept for a reload', () => {
  it('at once when the file is small', async () => expect(await keptAfter(20 * MIB, 10)).toBe(0))

  it('after watching the network when the upload needs long', async () =>
    expect(await keptAfter(1_000 * MIB, 2 * MIB)).toBe(3))

  it('also when nothing has arrived yet', async () =>
    expect(await keptAfter(1_000 * MIB, 0.1)).toBe(3))

  it('not at all when the upload is over before the copy would be worth it', async () =>
    expect(await keptAfter(500 * MIB, 100 * MIB)).toBeNull())

  it('at once when the network goes away or a person pauses', async () => {
    expect(
      await keptAfter(500 * MIB, 60 * MIB, (seconds) =>
        seconds < 2 ? UPLOADING : { kind: 'paused' },
      ),
    ).toBe(2)
  })
})
