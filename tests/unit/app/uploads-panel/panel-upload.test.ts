import { describe, expect, it } from 'vitest'
import { isChoosing, isOrdering, panelUpload } from '#src/app/uploads-panel/panel-upload.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'

const row = (id: string, state: UploadState): UploadRow => ({
  id,
  uploadRequestId: `request-${id}`,
  idempotencyKey: id,
  purpose: 'media-job',
  file: { name: `${id}.mp4`, sizeBytes: 100, lastModifiedEpochMs: 0, type: 'video/mp4' },
  state,
  epoch: 0,
  plan: null,
  safeBytes: 0,
  probe: null,
  fingerprint: null,
  createdAtEpochMs: 0,
  updatedAtEpochMs: 0,
})
const done = row('done', { kind: 'done', doneAtEpochMs: 0 })
const running = row('running', { kind: 'uploading' })

describe('the floating card', () => {
  it('UPL-06 shows the unfinished upload, then the finished one until it is dismissed', () => {
    expect(panelUpload([done, running], '/edits', [], [])?.id).toBe('running')
    expect(panelUpload([done], '/edits', ['done'], [])?.id).toBe('done')
    expect(panelUpload([done], '/edits', ['done'], ['done'])).toBeNull()
  })

  it('UPL-06 says nothing of uploads that finished in an earlier visit, or that the screen shows itself', () => {
    expect(panelUpload([done], '/edits', [], [])).toBeNull()
    expect(panelUpload([running], '/uploads/new', [], [])).toBeNull()
    expect(panelUpload([running], '/select-tube-cut-options', [], [])).toBeNull()
    expect(panelUpload([running], '/uploads/request-running/media-jobs/new', [], [])).toBeNull()
    expect(panelUpload([running], '/uploads/orders/one/checkout', [], [])?.id).toBe('running')
    expect(panelUpload([done], '/uploads/orders/one/checkout', ['done'], [])).toBeNull()
    expect(panelUpload([done], '/uploads/another/media-jobs/new', ['done'], [])).toBeNull()
    expect([isOrdering('/uploads/orders/one/checkout'), isOrdering('/edits')]).toEqual([
      true,
      false,
    ])
  })

  it('UPL-06 follows an asset too, except where assets are shown', () => {
    const asset: UploadRow = { ...running, purpose: 'media-asset' }
    expect(panelUpload([asset], '/edits', [], [])?.id).toBe('running')
    expect(
      ['/media-assets', '/create-media-asset', '/uploads/new'].map((path) =>
        panelUpload([asset], path, [], []),
      ),
    ).toEqual([null, null, null])
    expect(panelUpload([running], '/media-assets', [], [])?.id).toBe('running')
  })

  it('UPL-06 shows what moves, not what waits in line behind it', () => {
    const queued = row('queued', { kind: 'queued' })
    expect(panelUpload([queued, running], '/edits', [], [])?.id).toBe('running')
    expect(
      panelUpload([queued, running], '/uploads/request-running/media-jobs/new', [], [])?.id,
    ).toBe('queued')
  })

  it('UPL-06 keeps out of the way of the button that goes on where edits are chosen', () => {
    expect(
      [
        '/uploads/another/media-jobs/new',
        '/uploads/new',
        '/edits',
        '/uploads/media-jobs/one/status',
      ].map(isChoosing),
    ).toEqual([true, false, false, false])
  })

  it('UPL-06 keeps out of the way of the player where faces are reviewed', () => {
    expect(isChoosing('/media-jobs/one/tasks/two/faces')).toBe(true)
    expect(panelUpload([running], '/media-jobs/one/tasks/two/faces', [], [])?.id).toBe('running')
    expect(panelUpload([done], '/media-jobs/one/tasks/two/faces', ['done'], [])).toBeNull()
  })
})
