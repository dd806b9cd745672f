import { describe, expect, it } from 'vitest'
import { createSimulatedClock } from '#tests/fakes/upload-clock.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import { LOOKING, untilIdle } from '#src/local/uploads/file/when-idle.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'

const SIZE = 100
const HOUR = 3_600_000

/**
 * When the work starts, in seconds, and the row that it gets. `stateAt` is the state before
 * everything has arrived.
 */
async function begun(
  bytesPerSecond: number,
  stateAt: (seconds: number) => UploadState | null = () => ({ kind: 'uploading' }),
  known: (safeBytes: number) => number = (safeBytes) => safeBytes,
): Promise<{ readonly seconds: number; readonly row: UploadRow | null }> {
  const clock = createSimulatedClock()
  const startMs = clock.now()
  const read = async (): Promise<UploadRow | null> => {
    const seconds = (clock.now() - startMs) / 1_000
    const safeBytes = known(Math.min(SIZE, Math.floor(seconds * bytesPerSecond)))
    const state: UploadState | null =
      safeBytes === SIZE ? { kind: 'done', doneAtEpochMs: 1 } : stateAt(seconds)
    return state === null
      ? null
      : fakeUploadRow({
          id: 'one',
          state,
          safeBytes,
          file: { name: 'scene.mp4', sizeBytes: SIZE, lastModifiedEpochMs: 0, type: 'video/mp4' },
        })
  }
  let end: { readonly seconds: number; readonly row: UploadRow | null } | null = null
  void untilIdle({ clock, store: { read } }, 'one', LOOKING).then((row) => {
    end = { seconds: (clock.now() - startMs) / 1_000, row }
  })
  await clock.run(HOUR, () => end !== null)
  if (end === null) throw new Error('it never began')
  return end
}

describe('work that waits for an idle upload', () => {
  it('starts after watching the network when the upload takes long', async () => {
    expect((await begun(1)).seconds).toBe(3)
  })

  it('takes an upload of which nothing is safe yet for a fast one, for some seconds', async () => {
    expect((await begun(0)).seconds).toBe(15)
  })

  it('waits for the end of one whose first parts become safe together near its end', async () => {
    // 25 MiB in five parts at 20 Mbit/s.
    const { seconds, row } = await begun(10, undefined, (safe) => (safe < 90 ? 0 : safe))
    expect(seconds).toBe(10)
    expect(row?.state.kind).toBe('done')
  })

  it('waits for the end of one that is over in a few seconds', async () => {
    const { seconds, row } = await begun(11)
    expect(seconds).toBe(10)
    expect(row?.state.kind).toBe('done')
  })

  it('does not wait for the check of the server', async () => {
    expect(
      (await begun(11, (seconds) => ({ kind: seconds < 8 ? 'uploading' : 'verifying' }))).seconds,
    ).toBe(8)
  })

  it('starts at once when nothing is sent, and as soon as a person pauses or the network goes away', async () => {
    expect((await begun(0, () => ({ kind: 'queued' }))).seconds).toBe(0)
    expect(
      (await begun(11, (seconds) => ({ kind: seconds < 5 ? 'uploading' : 'paused' }))).seconds,
    ).toBe(5)
  })

  it('gets null when there is no upload anymore', async () => {
    expect(
      (await begun(11, (seconds) => (seconds < 2 ? { kind: 'uploading' } : null))).row,
    ).toBeNull()
  })
})
