import { describe, expect, it } from 'vitest'
import { fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import type { UploadSummary } from '#src/local/db/facts.ts'
import type { UploadState } from '#src/local/db/rows.ts'
import { listUploads } from '#src/local/uploads/page/upload-list.ts'
import { DAY_MS, HOUR_MS } from '#src/lib/time.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const summary = (changes: Partial<UploadSummary> = {}): UploadSummary => ({
  uploadRequestId: idOf(1),
  name: 'other.mp4',
  sizeBytes: 2_000,
  hasEnded: false,
  isValidated: false,
  isFailed: false,
  createdAt: new Date(NOW - HOUR_MS).toISOString(),
  ...changes,
})
const row = (state: UploadState, number = 2, ageMs = 2 * HOUR_MS) =>
  fakeUploadRow({
    id: `local-${number}`,
    uploadRequestId: idOf(number),
    state,
    safeBytes: 420,
    createdAtEpochMs: NOW - ageMs,
  })
const labels = (...args: Parameters<typeof listUploads>): readonly string[] =>
  listUploads(...args).map(({ label }) => label.text)

describe('the upload list', () => {
  it('UPL-13 labels the uploads of other devices by what the server knows', () => {
    expect(labels([], [summary()], NOW)).toEqual(['Upload in progress or aborted'])
    expect(
      labels([], [summary({ createdAt: new Date(NOW - DAY_MS - 1_000).toISOString() })], NOW),
    ).toEqual(['Upload never finished'])
    expect(labels([], [summary({ hasEnded: true, isValidated: true })], NOW)).toEqual([
      'Upload completed.',
    ])
    expect(labels([], [summary({ hasEnded: true, isFailed: true })], NOW)).toEqual([
      'Upload failed.',
    ])
  })

  it('UPL-13 does not call an upload complete, or never finished, while the server still checks it', () => {
    const [listed] = listUploads(
      [],
      [summary({ hasEnded: true, createdAt: new Date(NOW - 2 * DAY_MS).toISOString() })],
      NOW,
    )
    expect(listed).toMatchObject({
      check: 'under-way',
      label: { text: 'Upload in progress or aborted' },
    })
    const late = summary({ hasEnded: true, isCheckLate: true })
    expect(listUploads([], [late], NOW)[0]?.check).toBe('late')
    expect(listUploads([], [{ ...late, isValidated: true }], NOW)[0]?.check).toBe('none')
  })

  it('UPL-13 lets this device say how far its own uploads are, whatever the server knows', () => {
    const own = [
      row({ kind: 'uploading' }, 2),
      row({ kind: 'paused' }, 3),
      row({ kind: 'needs-file', why: 'gone' }, 4),
    ]
    const known = [2, 3, 4].map((number) => summary({ uploadRequestId: idOf(number) }))
    expect(labels(own, known, NOW)).toEqual([
      '42% Uploaded',
      'Paused - resume',
      'Choose the file again to continue',
    ])
  })

  it('shows both, newest first, each once, and nothing that is being discarded here', () => {
    const done = row({ kind: 'done', doneAtEpochMs: NOW }, 2, 3 * HOUR_MS)
    const going = row({ kind: 'discarding', undoUntilEpochMs: NOW }, 5)
    const list = listUploads(
      [done, going, row({ kind: 'draft' }, 6)],
      [
        summary(),
        summary({ uploadRequestId: idOf(2), hasEnded: true, isValidated: true }),
        summary({ uploadRequestId: idOf(5) }),
      ],
      NOW,
    )
    expect(list.map(({ uploadRequestId, label }) => [uploadRequestId, label.text])).toEqual([
      [idOf(1), 'Upload in progress or aborted'],
      [idOf(2), 'Upload completed.'],
    ])
  })

  it('believes the server where a file that has arrived turned out to be unusable', () => {
    expect(
      labels(
        [row({ kind: 'done', doneAtEpochMs: NOW })],
        [summary({ uploadRequestId: idOf(2), hasEnded: true, isFailed: true })],
        NOW,
      ),
    ).toEqual(['Upload failed.'])
  })

  it('UPL-13 says of a video that it was deleted, whichever device sent it', () => {
    const deleted = { hasEnded: true, isValidated: true, isDeleted: true }
    const words = ['Deleted from the server.']
    expect(labels([], [summary(deleted)], NOW)).toEqual(words)
    const own = row({ kind: 'done', doneAtEpochMs: NOW })
    expect(labels([own], [summary({ ...deleted, uploadRequestId: idOf(2) })], NOW)).toEqual(words)
  })

  it('leaves out what was uploaded as an asset', () => {
    expect(labels([{ ...row({ kind: 'uploading' }), purpose: 'media-asset' }], [], NOW)).toEqual([])
  })
})
