import { describe, expect, it } from 'vitest'
import { uploadStateCopy, type LiveFacts } from '#src/components/upload-words/state-copy.ts'
import { uploadActions, type UploadAction } from '#src/components/upload-words/actions.ts'
import { uploadDetails } from '#src/components/upload-words/details.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'
import type { UploadProgress } from '#src/local/uploads/api.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'

const GB = 1_000_000_000
const NOW = 100_000
const WAIT = { reason: 'network', retryAtEpochMs: NOW + 12_000, attempt: 3 } as const
const PROGRESS: UploadProgress = {
  uploadId: 'local-upload',
  safeBytes: 3.1 * GB,
  inFlightBytes: 0,
  bytesPerSecond: 5_250_000,
  secondsLeft: 4_180,
  quietForMs: 0,
  pause: null,
  isUnsaved: false,
}

const rowIn = (state: UploadState, safeBytes = 3.1 * GB): UploadRow =>
  fakeUploadRow({
    state,
    safeBytes,
    file: { name: 'scene.mp4', sizeBytes: 25 * GB, lastModifiedEpochMs: 1, type: 'video/mp4' },
  })
const copyOf = (state: UploadState, moment: Partial<LiveFacts> = {}, safeBytes?: number) =>
  uploadStateCopy(rowIn(state, safeBytes), {
    progress: null,
    nowEpochMs: NOW,
    isOnline: true,
    outage: null,
    ...moment,
  })
const said = (...args: Parameters<typeof copyOf>): string => {
  const { title, body } = copyOf(...args)
  return body === null ? title : `${title} ${body}`
}

/** The state table: what the user sees, and what can be done. */
const TABLE: readonly (readonly [UploadState, string, readonly UploadAction[]])[] = [
  [
    { kind: 'draft' },
    'Not uploaded yet 25 GB, checked on this device. Nothing has been sent yet.',
    ['allow', 'discard'],
  ],
  [{ kind: 'preparing' }, 'Getting ready', ['pause', 'discard']],
  [{ kind: 'queued' }, 'Next in line 3.1 of 25 GB safe', ['pause', 'hand-over', 'discard']],
  [{ kind: 'uploading' }, 'Uploading 3.1 of 25 GB safe', ['pause', 'hand-over', 'discard']],
  [
    { kind: 'waiting', wait: WAIT },
    'Connection lost. 3.1 GB is safe. Trying again in 12 s',
    ['retry-now', 'pause', 'hand-over', 'discard'],
  ],
  [
    { kind: 'waiting', wait: { ...WAIT, reason: 'server' } },
    'The server is busy. 3.1 GB is safe. Trying again in 12 s',
    ['retry-now', 'pause', 'hand-over', 'discard'],
  ],
  [
    { kind: 'needs-auth' },
    'Log in again to continue Nothing is lost. 3.1 GB is safe.',
    ['sign-in', 'discard'],
  ],
  [
    { kind: 'needs-permission' },
    'The browser needs your permission to read the file again 3.1 GB is safe.',
    ['allow', 'choose-again', 'discard'],
  ],
  [
    { kind: 'needs-file', why: 'no-handle' },
    'Choose scene.mp4 again to continue from 12% This browser does not keep files after a reload. 3.1 GB is safe.',
    ['choose-again', 'discard'],
  ],
  [
    { kind: 'needs-file', why: 'gone' },
    'Choose scene.mp4 again to continue from 12% The file was moved or removed. 3.1 GB is safe.',
    ['choose-again', 'discard'],
  ],
  [
    { kind: 'needs-file', why: 'changed' },
    'Choose scene.mp4 again to continue from 12% The file has changed since it was chosen. 3.1 GB is safe.',
    ['choose-again', 'discard'],
  ],
  [
    { kind: 'conflict' },
    'This is not the file that the upload started with Choose the original to continue, or start over with this file.',
    ['choose-original', 'start-over', 'discard'],
  ],
  [{ kind: 'paused' }, 'Paused at 12% 3.1 of 25 GB safe', ['resume', 'discard']],
  [
    { kind: 'handing-over' },
    'Handing over to your browser Keep this page open until your browser has its own copy of the remaining 21.9 GB. This takes some seconds for each GB.',
    ['pause', 'discard'],
  ],
  [{ kind: 'handed-over' }, 'Your browser is sending the rest 3.1 of 25 GB safe', ['discard']],
  [{ kind: 'finalising' }, 'Finishing the upload Everything has been sent.', []],
  [
    { kind: 'verifying' },
    'Upload is not yet validated. Please wait for processing to complete.',
    [],
  ],
  [
    { kind: 'done', doneAtEpochMs: NOW },
    'Your video has been uploaded and is ready for editing',
    ['dismiss'],
  ],
  [
    { kind: 'expired' },
    'The server no longer has this upload Unfinished uploads are removed after 7 days. You can upload the same file again.',
    ['start-over', 'discard'],
  ],
  [{ kind: 'discarding', undoUntilEpochMs: NOW }, 'Discarded', ['undo']],
  [
    { kind: 'failed', code: 'upload/no-space', message: null },
    'The server has no space left for this file. Try again later. Your file is not affected.',
    ['start-over', 'copy-details', 'discard'],
  ],
  [
    { kind: 'failed', code: 'upload/invalid-file', message: null },
    'This file could not be read as a video. Choose another file.',
    ['choose-another', 'copy-details', 'discard'],
  ],
]

describe('the state table of an upload', () => {
  for (const [state, words, actions] of TABLE) {
    it(`says what is so and what can be done: ${words.slice(0, 50)}`, () => {
      expect(said(state)).toBe(words)
      expect(uploadActions(state)).toEqual(actions)
    })
  }

  it('UPL-12 says in one sentence that a file that has arrived is not validated yet', () => {
    expect(copyOf({ kind: 'verifying' })).toEqual({
      title: 'Upload is not yet validated. Please wait for processing to complete.',
      body: null,
      action: null,
    })
  })

  it('UPL-12 says beside it that the server fails at the check', () => {
    expect(copyOf({ kind: 'verifying', isLate: true })).toMatchObject({
      title: 'Upload is not yet validated. Please wait for processing to complete.',
      body: 'The check takes longer than usual: the server could not finish it so far and goes on trying. There is nothing for you to do.',
    })
  })
})

it.each([
  ['upload/cors', /does not accept uploads from browsers/],
  ['upload/server-misconfigured', /refuses the upload/],
] as const)("UPL-11 'Failed to upload part' of %s says whose settings are wrong", (code, body) => {
  const copy = copyOf({ kind: 'failed', code, message: null })
  expect(copy.title).toBe('Failed to upload part')
  expect(copy.body).toMatch(body)
  expect(copy.body).toMatch(/The operator of the server has to/)
})

it('SAF-06 says of an upload that the browser sends what is safe, and what was sent since', () => {
  expect(
    said({ kind: 'handed-over' }, { progress: { ...PROGRESS, inFlightBytes: 420_000_000 } }),
  ).toBe('Your browser is sending the rest 3.1 of 25 GB safe - 420 MB more sent')
})

describe('uploading', () => {
  it('says that it waits for the storage while parts hang, without a countdown that flickers', () => {
    expect(uploading({ pause: { reason: 'store', retryAtEpochMs: NOW + 1_000, attempt: 9 } })).toBe(
      'Waiting for the storage. 3.1 GB is safe. The server responds, but its storage does not accept data at the moment. The upload continues automatically when it does.',
    )
  })
  const uploading = (changes: Partial<UploadProgress>, isOnline = true, safeBytes?: number) =>
    said({ kind: 'uploading' }, { progress: { ...PROGRESS, ...changes }, isOnline }, safeBytes)

  it('shows safe bytes, speed and time left, as far as they are known', () => {
    expect(uploading({})).toBe('Uploading 3.1 of 25 GB safe - 42 Mbit/s - about 1 h 10 min')
    expect(uploading({ secondsLeft: null })).toBe('Uploading 3.1 of 25 GB safe - 42 Mbit/s')
    expect(uploading({ secondsLeft: null, bytesPerSecond: 0 })).toBe('Uploading 3.1 of 25 GB safe')
  })

  it('does not look stuck on a slow line, and names its real speed', () => {
    expect(
      uploading(
        { safeBytes: 0, inFlightBytes: 2_100_000, bytesPerSecond: 62_500, secondsLeft: null },
        true,
        0,
      ),
    ).toBe('Uploading 0 of 25 GB safe - 2.1 MB being sent - 0.5 Mbit/s')
    expect(uploading({ bytesPerSecond: 5_000, secondsLeft: null })).toContain('under 0.1 Mbit/s')
    expect(
      uploading({ safeBytes: 420_000_000, bytesPerSecond: 0, secondsLeft: null }, true, 0),
    ).toContain('420 MB of 25 GB safe')
  })

  it('is not said of a line that is down', () => {
    expect(uploading({ pause: { ...WAIT, retryAtEpochMs: NOW + 900 } })).toBe(
      'Connection lost. 3.1 GB is safe. Trying again in 1 s',
    )
    expect(uploading({ pause: { ...WAIT, retryAtEpochMs: NOW - 10 } })).toBe(
      'Connection lost. 3.1 GB is safe. Trying again now',
    )
    expect(uploading({ quietForMs: 1_000 }, false)).toBe(
      'Connection lost. 3.1 GB is safe. The upload continues automatically when the connection is back.',
    )
  })

  it('believes moving bytes more than a browser that says offline', () => {
    expect(uploading({ quietForMs: 300 }, false)).toContain('Uploading 3.1 of 25 GB safe')
  })

  it('says when nothing moves although the line seems to be there', () => {
    expect(uploading({ quietForMs: 8_000 })).toBe(
      'Uploading 3.1 of 25 GB safe - nothing sent for 8 s',
    )
  })
})

it('claims nothing safe before a part is', () => {
  expect(said({ kind: 'waiting', wait: WAIT }, {}, 0)).toBe(
    'Connection lost. Nothing is lost. Trying again in 12 s',
  )
})

it('copies what support needs of a failure, and no file name', () => {
  const row = {
    ...rowIn({ kind: 'failed', code: 'upload/refused', message: 'Too many uploads.' }),
    uploadRequestId: 'request-1',
    plan: { partSizeBytes: 16_777_216, partCount: 1_491, sizeBytes: 25 * GB },
  }
  expect(uploadDetails(row, 'Test browser', new Date(0))).toBe(
    [
      'Onecut, 1970-01-01T00:00:00.000Z',
      'Upload: request-1',
      'Code: upload/refused',
      'Server: Too many uploads.',
      'Bytes: 3100000000 of 25000000000 safe, 1491 parts of 16777216',
      'Type: video/mp4',
      'Browser: Test browser',
    ].join('\n'),
  )
})

it('says that the network wants a sign-in, but only where the network is what it waits for', () => {
  const behindPortal = { outage: 'portal' } as const
  expect(said({ kind: 'waiting', wait: WAIT }, behindPortal)).toBe(
    'This network wants you to sign in first. 3.1 GB is safe. Trying again in 12 s',
  )
  expect(said({ kind: 'waiting', wait: { ...WAIT, reason: 'no-space' } }, behindPortal)).toBe(
    'The server has no space left. 3.1 GB is safe. Trying again in 12 s',
  )
  const answered = { ...WAIT, code: 'http/404' }
  expect(said({ kind: 'waiting', wait: answered }, behindPortal)).toBe(
    'This network wants you to sign in first. 3.1 GB is safe. Trying again in 12 s',
  )
  expect(said({ kind: 'waiting', wait: answered })).toBe(
    'The server cannot be reached. 3.1 GB is safe. Something between this device and the server answers in its place (HTTP 404). Another network may help. Trying again in 12 s',
  )
  expect(said({ kind: 'waiting', wait: WAIT }, { outage: 'no-answer' })).toBe(
    'Connection lost. 3.1 GB is safe. Trying again in 12 s',
  )
})
