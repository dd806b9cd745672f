import { describe, expect, it } from 'vitest'
import { uploadActions } from '#src/components/upload-words/actions.ts'
import { isRunning, isUnfinished } from '#src/local/db/upload-states.ts'
import { mayBeVideo } from '#src/components/uploads/video-types.ts'
import type { UploadState } from '#src/local/db/rows.ts'

const states: readonly UploadState[] = [
  { kind: 'draft' },
  { kind: 'preparing' },
  { kind: 'queued' },
  { kind: 'uploading' },
  { kind: 'waiting', wait: { reason: 'network', retryAtEpochMs: 0, attempt: 1 } },
  { kind: 'needs-auth' },
  { kind: 'needs-permission' },
  { kind: 'needs-file', why: 'gone' },
  { kind: 'conflict' },
  { kind: 'paused' },
  { kind: 'finalising' },
  { kind: 'verifying' },
  { kind: 'expired' },
  { kind: 'failed', code: 'upload/unexpected', message: null },
]

describe('what can be done about an upload', () => {
  it('offers a way on or a way out wherever the upload does not go on by itself', () => {
    for (const state of states) {
      expect(isUnfinished(state.kind)).toBe(true)
      if (!isRunning(state.kind)) expect(uploadActions(state)).toContain('discard')
    }
    expect(isUnfinished('done')).toBe(false)
    expect(uploadActions({ kind: 'done', doneAtEpochMs: 0 })).toEqual(['dismiss'])
  })

  it('UPL-03 takes a file by type or by extension', () => {
    expect(mayBeVideo({ name: 'scene.mp4', type: 'video/mp4' })).toBe(true)
    expect(mayBeVideo({ name: 'SCENE.MKV', type: '' })).toBe(true)
    expect(mayBeVideo({ name: 'scene.bin', type: 'video/x-unknown' })).toBe(true)
    expect(mayBeVideo({ name: 'notes.txt', type: 'text/plain' })).toBe(false)
  })
})
