import { describe, expect, it } from 'vitest'
import {
  asksPerson,
  isActive,
  isBroken,
  isFinal,
  isGoneAtServer,
  isLostByLogout,
  isOnServer,
  isReceived,
  isRunning,
  isSending,
  isUnfinished,
  mayHoldBytes,
  readsFile,
  UPLOAD_KINDS,
} from '#src/local/db/upload-states.ts'

describe('the table of upload states', () => {
  it.each([
    ['works on its own', isActive, 'preparing queued uploading waiting finalising verifying'],
    ['is on its way', isRunning, 'preparing queued uploading finalising verifying'],
    ['waits for the person', asksPerson, 'needs-auth needs-permission needs-file conflict'],
    ['has bytes on their way', isSending, 'preparing uploading handing-over finalising'],
    ['still reads the file', readsFile, 'preparing queued uploading waiting'],
    [
      'may have its bytes on this device',
      mayHoldBytes,
      'preparing queued uploading waiting needs-auth needs-permission paused handing-over handed-over finalising verifying',
    ],
    ['has arrived', isReceived, 'verifying done'],
    ['is final', isFinal, 'done discarded'],
    ['is broken', isBroken, 'expired failed'],
    ['has nothing left at the server', isGoneAtServer, 'done expired discarded'],
    [
      'is, or will be, at the server',
      isOnServer,
      'preparing queued uploading waiting needs-auth needs-permission needs-file paused handing-over handed-over finalising verifying done',
    ],
    [
      'would be lost by logging out',
      isLostByLogout,
      'draft preparing queued uploading waiting needs-auth needs-permission needs-file conflict paused handing-over handed-over finalising',
    ],
    [
      'is unfinished',
      isUnfinished,
      'draft preparing queued uploading waiting needs-auth needs-permission needs-file conflict paused handing-over handed-over finalising verifying expired failed',
    ],
  ])('UPL-07 says of each state whether it %s', (_words, holds, kinds) => {
    expect(UPLOAD_KINDS.filter(holds).join(' ')).toBe(kinds)
  })
})
