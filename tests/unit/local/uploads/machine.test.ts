import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uploadLabel, uploadPercent, type LabelFacts } from '#src/local/uploads/page/labels.ts'
import { reduceUpload, type UploadEvent } from '#src/local/uploads/model/machine.ts'
import { uploadStateCopy } from '#src/components/upload-words/state-copy.ts'
import { isActive, isFinal, isReceived } from '#src/local/db/upload-states.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'
import { runs } from '#tests/seeds.ts'

const SIZE = 1_000
const DRAFT: UploadRow = {
  id: 'u',
  uploadRequestId: null,
  idempotencyKey: 'key',
  purpose: 'media-job',
  file: { name: 'scene.mp4', sizeBytes: SIZE, lastModifiedEpochMs: 0, type: 'video/mp4' },
  state: { kind: 'draft' },
  epoch: 0,
  plan: null,
  safeBytes: 0,
  probe: null,
  fingerprint: null,
  createdAtEpochMs: 0,
  updatedAtEpochMs: 0,
}
const PLAN = { partSizeBytes: 100, partCount: 10, sizeBytes: SIZE }
const WAIT = { reason: 'network', retryAtEpochMs: 5, attempt: 1 } as const
const HAPPY: readonly UploadEvent[] = [
  { kind: 'start' },
  { kind: 'planned', uploadRequestId: 'r', plan: PLAN },
  { kind: 'begin-sending' },
  { kind: 'safe-bytes', safeBytes: 400 },
  { kind: 'safe-bytes', safeBytes: SIZE },
  { kind: 'all-safe' },
  { kind: 'completed', treeSha256: null },
  { kind: 'confirmed' },
]
const event: fc.Arbitrary<UploadEvent> = fc.oneof(
  fc.constantFrom<UploadEvent>(
    ...HAPPY,
    { kind: 'recover' },
    { kind: 'back-off', wait: WAIT },
    { kind: 'retry' },
    { kind: 'auth-lost' },
    { kind: 'auth-back' },
    { kind: 'permission-lost' },
    { kind: 'file-lost', why: 'gone' },
    { kind: 'file-found' },
    { kind: 'file-differs' },
    { kind: 'pause' },
    { kind: 'resume' },
    { kind: 'parts-missing' },
    { kind: 'check-late' },
    { kind: 'gone' },
    { kind: 'fail', code: 'upload/no-space', message: null },
    { kind: 'start-over', idempotencyKey: 'key-2' },
    { kind: 'discard', undoUntilEpochMs: 9 },
    { kind: 'undo-discard' },
    { kind: 'abort-acknowledged' },
    { kind: 'dismiss' },
    { kind: 'hand-over' },
    { kind: 'handed-over' },
    { kind: 'take-back' },
  ),
  fc
    .integer({ min: 0, max: SIZE })
    .map((safeBytes): UploadEvent => ({ kind: 'safe-bytes', safeBytes })),
)

function run(row: UploadRow, events: readonly UploadEvent[]): UploadRow {
  return events.reduce((current, next) => reduceUpload(current, next, 1), row)
}

/** The next step of the engine or of a willing person. */
function helpful(row: UploadRow): UploadEvent {
  switch (row.state.kind) {
    case 'draft':
      return { kind: 'start' }
    case 'preparing':
      return { kind: 'planned', uploadRequestId: 'r', plan: PLAN }
    case 'queued':
      return { kind: 'begin-sending' }
    case 'uploading':
      return { kind: 'all-safe' }
    case 'waiting':
      return { kind: 'retry' }
    case 'needs-auth':
      return { kind: 'auth-back' }
    case 'needs-permission':
    case 'needs-file':
    case 'conflict':
      return { kind: 'file-found' }
    case 'paused':
      return { kind: 'resume' }
    case 'handing-over':
      return { kind: 'handed-over' }
    case 'handed-over':
      return { kind: 'take-back' }
    case 'finalising':
      return { kind: 'completed', treeSha256: null }
    case 'verifying':
      return { kind: 'confirmed' }
    case 'expired':
    case 'failed':
      return { kind: 'start-over', idempotencyKey: 'key-2' }
    case 'discarding':
      return { kind: 'undo-discard' }
    case 'done':
    case 'discarded':
      return { kind: 'dismiss' }
  }
}

describe('the state machine of an upload', () => {
  it('UPL-07 goes from idle over uploading 0 to 100 to complete', () => {
    const kinds = HAPPY.map((_, index) => run(DRAFT, HAPPY.slice(0, index + 1)).state.kind)
    expect(kinds).toEqual([
      'preparing',
      'queued',
      'uploading',
      'uploading',
      'uploading',
      'finalising',
      'verifying',
      'done',
    ])
    expect([0, 4, 5, 8].map((count) => uploadPercent(run(DRAFT, HAPPY.slice(0, count))))).toEqual([
      0, 40, 99, 100,
    ])
  })

  it('UPL-07 never lets the percentage go back, but for a new upload of the same file', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let row = DRAFT
        for (const next of events) {
          const before = uploadPercent(row)
          const after = reduceUpload(row, next, 1)
          if (
            uploadPercent(after) < before &&
            after.idempotencyKey === row.idempotencyKey &&
            next.kind !== 'start-over' &&
            // A server may complete before this device has heard of all parts. Where the check of
            // the file is then interrupted, the bar goes back to the parts that it has heard of.
            !isReceived(row.state.kind) &&
            after.state.kind !== 'discarded'
          )
            return false
          row = after
        }
        return true
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('has a way to the end from wherever events lead, and leaves the end only by dismissal', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let row = run(DRAFT, events)
        if (isFinal(row.state.kind))
          return (
            run(
              row,
              events.filter((next) => next.kind !== 'dismiss'),
            ).state.kind === row.state.kind
          )
        for (let step = 0; step < 12 && !isFinal(row.state.kind); step += 1)
          row = reduceUpload(row, helpful(row), 1)
        return row.state.kind === 'done' && row.safeBytes === SIZE
      }),
      { numRuns: runs(3_000) },
    )
  })

  it('never confirms or completes anything without a plan, and keeps a plan for good', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let row = DRAFT
        for (const next of events) {
          const after = reduceUpload(row, next, 1)
          if (row.plan !== null && after.plan !== row.plan && next.kind !== 'start-over')
            return false
          if (
            ['queued', 'uploading', 'finalising', 'verifying', 'done'].includes(after.state.kind) &&
            after.plan === null
          )
            return false
          row = after
        }
        return true
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('goes back to the very state a discard found, and lets what worked go on', () => {
    const undone = (state: UploadState): UploadState =>
      run({ ...DRAFT, plan: PLAN, state }, [
        { kind: 'discard', undoUntilEpochMs: 9 },
        { kind: 'undo-discard' },
      ]).state
    const asking: readonly UploadState[] = [
      { kind: 'paused' },
      { kind: 'needs-file', why: 'gone' },
      { kind: 'needs-auth' },
      { kind: 'conflict' },
      { kind: 'expired' },
      { kind: 'failed', code: 'upload/no-space', message: null },
      { kind: 'verifying' },
    ]
    for (const state of asking) expect(undone(state)).toEqual(state)
    for (const state of [
      { kind: 'uploading' },
      { kind: 'waiting', wait: WAIT },
      { kind: 'finalising' },
    ] as const)
      expect(undone(state)).toEqual({ kind: 'queued' })
  })

  it('lets nothing but a discard end an upload at the server', () => {
    const ended = run(DRAFT, [
      ...HAPPY.slice(0, 3),
      { kind: 'back-off', wait: WAIT },
      { kind: 'abort-acknowledged' },
    ])
    expect(ended.state.kind).toBe('waiting')
  })
})

const STATES: readonly UploadState[] = [
  { kind: 'draft' },
  { kind: 'preparing' },
  { kind: 'queued' },
  { kind: 'uploading' },
  { kind: 'waiting', wait: WAIT },
  { kind: 'needs-auth' },
  { kind: 'needs-permission' },
  { kind: 'needs-file', why: 'gone' },
  { kind: 'conflict' },
  { kind: 'paused' },
  { kind: 'finalising' },
  { kind: 'verifying' },
  { kind: 'done', doneAtEpochMs: 1 },
  { kind: 'expired' },
  { kind: 'discarding', undoUntilEpochMs: 1 },
  { kind: 'discarded' },
  { kind: 'failed', code: 'upload/no-space', message: null },
]

describe('the label of an upload', () => {
  const DAY = 24 * 3_600_000
  const server = {
    isFailed: false,
    isDeleted: false,
    isCompleted: false,
    createdAtEpochMs: 0,
    local: null,
  }
  const local = (state: UploadState): LabelFacts => ({
    ...server,
    local: { ...DRAFT, state, safeBytes: 420 },
  })

  it('UPL-13 turns to "never finished" after 24 hours, to the second', () => {
    expect(uploadLabel(server, DAY - 1_000).text).toBe('Upload in progress or aborted')
    expect(uploadLabel(server, DAY + 1_000).text).toBe('Upload never finished')
  })

  it('UPL-13 says the specified words', () => {
    expect(uploadLabel({ ...server, isFailed: true }, 0).text).toBe('Upload failed.')
    expect(uploadLabel({ ...server, isCompleted: true }, 0).text).toBe('Upload completed.')
    expect(uploadLabel(local({ kind: 'uploading' }), 2 * DAY).text).toBe('42% Uploaded')
    expect(uploadLabel(local({ kind: 'paused' }), 2 * DAY).text).toBe('Paused - resume')
    expect(uploadLabel(local({ kind: 'waiting', wait: WAIT }), 0).text).toBe('Waiting for network')
    expect(uploadLabel(local({ kind: 'needs-file', why: 'gone' }), 0).text).toBe(
      'Choose the file again to continue',
    )
    const discarding = local({ kind: 'discarding', undoUntilEpochMs: 1 })
    expect(uploadLabel(discarding, 0).text).toBe('Discarded')
    expect(uploadLabel(discarding, 2 * DAY).text).toBe('Discarded')
  })

  it('UPL-13 has exactly one label for everything', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 0, max: 3 * DAY }),
        fc.option(fc.constantFrom(...STATES)),
        (isFailed, isDeleted, isCompleted, ageMs, state) => {
          const label = uploadLabel(
            {
              isFailed,
              isDeleted,
              isCompleted,
              createdAtEpochMs: 0,
              local: state === null ? null : { ...DRAFT, state },
            },
            ageMs,
          )
          return label.text.length > 0
        },
      ),
    )
  })

  it('has words for every state', () => {
    const titles = STATES.map(
      (state) =>
        uploadStateCopy(
          { ...DRAFT, state, safeBytes: 120 },
          { progress: null, nowEpochMs: 0, isOnline: true, outage: null },
        ).title,
    )
    expect(new Set(titles).size).toBeGreaterThanOrEqual(STATES.length - 1)
    expect(titles).toContain('Choose scene.mp4 again to continue from 12%')
    expect(titles).toContain('Paused at 12%')
    expect(titles).toContain('Your video has been uploaded and is ready for editing')
    expect(isActive('paused')).toBe(false)
  })
})
