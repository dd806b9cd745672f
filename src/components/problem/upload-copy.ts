import { findingCopy } from './probe-copy.ts'
import { CHOOSE_ANOTHER, type ProblemCopy } from './problem-words.ts'
import { partOfWhole, uploadingFacts } from './upload-facts.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { UploadFailureCode, UploadRow, UploadWait } from '#src/local/db/rows.ts'
import type { UploadCommandFailure, UploadProgress } from '#src/local/uploads/api.ts'
import type { ChooseRefusal } from '#src/local/uploads/choose.ts'

const START_OVER = 'Start over'
/** With the browser's word that it is offline, a shorter silence than without proves it. */
const QUIET_OFFLINE_MS = 1_000

/**
 * Why an upload failed for good. `message` is the server's own sentence, when it has one; it wins.
 */
export function uploadFailureCopy(code: UploadFailureCode, message: string | null): ProblemCopy {
  const words = FAILURES[code]
  return message === null ? words : { ...words, title: message }
}

/** Why a command did nothing, in one sentence; null where the live state already says it. */
export function commandFailureText(code: UploadCommandFailure['code']): string | null {
  return COMMAND_FAILURES[code]
}

/** Why a chosen file is not taken. */
export function chooseRefusalCopy(refusal: ChooseRefusal): ProblemCopy {
  switch (refusal.code) {
    case 'choose/empty':
      return {
        title: 'This file is empty.',
        body: 'Choose the original video.',
        action: CHOOSE_ANOTHER,
      }
    case 'choose/too-large':
      return {
        title: `This file is ${formatBytes(refusal.sizeBytes)}.`,
        body: `The largest file you can upload is ${formatBytes(refusal.maxBytes)}.`,
        action: CHOOSE_ANOTHER,
      }
    case 'choose/unreadable':
      return {
        title: 'The file was moved or changed.',
        body: 'Choose it again.',
        action: CHOOSE_ANOTHER,
      }
    case 'choose/blocked':
      return findingCopy(refusal.finding)
    case 'choose/not-saved':
      return {
        title: 'File upload failed',
        body: 'This browser could not save the upload. Free up some space on this device and try again.',
        action: 'Try again',
      }
  }
}

/** What the words of a state depend on besides its row. */
export interface UploadMoment {
  /** Null when nothing was heard from a driver; the words then leave speed and time out. */
  readonly progress: UploadProgress | null
  readonly nowEpochMs: number
  /** The browser's word; believed only when no byte moves. */
  readonly isOnline: boolean
}

/**
 * The state of an upload in words: what happens now, what is safe, what helps. The title changes
 * with the stage only, so that it can be read out; what counts down or up is in the body.
 */
export function uploadStateCopy(
  row: Pick<UploadRow, 'state' | 'file' | 'safeBytes'>,
  moment: UploadMoment,
): ProblemCopy {
  const { state, file } = row
  const safe = safeWords(row.safeBytes)
  const percent = file.sizeBytes === 0 ? 0 : Math.floor((row.safeBytes / file.sizeBytes) * 100)
  switch (state.kind) {
    case 'draft':
      return words(
        'Not uploaded yet',
        `${formatBytes(file.sizeBytes)}, checked on this device. Nothing has been sent yet.`,
        'Continue upload',
      )
    case 'preparing':
      return stuckCopy(safe, moment) ?? words('Getting ready')
    case 'queued':
      return (
        stuckCopy(safe, moment) ??
        words(
          'Next in line',
          row.safeBytes === 0 ? null : `${partOfWhole(row.safeBytes, file.sizeBytes)} safe`,
        )
      )
    case 'uploading':
      return uploadingCopy(row, moment)
    case 'waiting':
      return waitingCopy(state.wait, safe, moment.nowEpochMs)
    case 'needs-auth':
      return words(
        'Log in again to continue',
        `Nothing is lost.${row.safeBytes === 0 ? '' : ` ${safe}`}`,
        'Log in',
      )
    case 'needs-permission':
      return words(
        'The browser needs your permission to read the file again',
        safe,
        'Continue upload',
      )
    case 'needs-file':
      return words(
        `Choose ${file.name} again to continue from ${percent}%`,
        `${missingFileWords(state.why)} ${safe}`,
        'Choose the file',
      )
    case 'conflict':
      return words(
        'This is not the file that the upload started with',
        'Choose the original to continue, or start over with this file.',
        START_OVER,
      )
    case 'paused':
      return words(
        `Paused at ${percent}%`,
        `${partOfWhole(row.safeBytes, file.sizeBytes)} safe`,
        'Resume',
      )
    case 'finalising':
      return stuckCopy(safe, moment) ?? words('Finishing the upload', 'Everything has been sent.')
    case 'verifying':
      return words('Checking the video', NOT_VALIDATED_YET)
    case 'done':
      return words('Your video has been uploaded and is ready for editing')
    case 'expired':
      return words(
        'The server no longer has this upload',
        'Unfinished uploads are removed after 7 days. You can upload the same file again.',
        START_OVER,
      )
    case 'discarding':
      return words('Discarded', null, 'Undo')
    case 'discarded':
      return words('Discarded')
    case 'failed':
      return uploadFailureCopy(state.code, state.message)
  }
}

/** The specified words while the server still checks a file that has arrived whole (UPL-12). */
export const NOT_VALIDATED_YET =
  'Upload is not yet validated. Please wait for processing to complete.'

const FAILURES: Readonly<Record<UploadFailureCode, ProblemCopy>> = {
  'upload/refused': {
    title: 'The server did not accept this upload.',
    body: 'Your other uploads are not affected. Try again, or choose another file.',
    action: START_OVER,
  },
  'upload/too-large': {
    title: 'This file is too large for the server.',
    body: 'Choose a smaller file.',
    action: CHOOSE_ANOTHER,
  },
  'upload/empty': {
    title: 'This file is empty.',
    body: 'Choose the original video.',
    action: CHOOSE_ANOTHER,
  },
  'upload/no-space': {
    title: 'The server has no space left for this file.',
    body: 'Try again later. Your file is not affected.',
    action: START_OVER,
  },
  'upload/cors': {
    title: 'Failed to upload part',
    body: 'The storage of this server does not accept uploads from browsers (CORS). The operator of the server has to change its settings.',
    action: START_OVER,
  },
  'upload/server-misconfigured': {
    title: 'Failed to upload part',
    body: 'The storage of this server refuses the upload. The operator of the server has to check its settings.',
    action: START_OVER,
  },
  'upload/invalid-file': {
    title: 'This file could not be read as a video.',
    body: 'Choose another file.',
    action: CHOOSE_ANOTHER,
  },
  'upload/unexpected': {
    title: 'File upload failed',
    body: 'Something unexpected went wrong. Start over to try again.',
    action: START_OVER,
  },
}

const COMMAND_FAILURES: Readonly<Record<UploadCommandFailure['code'], string | null>> = {
  'upload/not-found': 'This upload is no longer on this device.',
  'upload/not-possible': null,
  'upload/file-differs': 'This is a different file. Please choose the one you started with.',
  'upload/draft-outdated':
    'This file has changed since it was checked. Discard this entry and choose the file again.',
  'upload/file-unreadable': 'This file cannot be read. Please choose it again.',
  'upload/not-saved':
    'This device could not save the change. Free up some space and try again. What has been uploaded is safe.',
  'upload/worker-unavailable': 'The upload could not start in this browser. Please try again.',
}

/**
 * 'Uploading' only while it is true: a line that is down is said to be down before the upload waits
 * for it in earnest.
 */
function uploadingCopy(
  row: Pick<UploadRow, 'file' | 'safeBytes'>,
  { progress, nowEpochMs, isOnline }: UploadMoment,
): ProblemCopy {
  const safe = safeWords(Math.max(row.safeBytes, progress?.safeBytes ?? 0))
  if (progress !== null && progress.pause !== null)
    return waitingCopy(progress.pause, safe, nowEpochMs)
  if (!isOnline && (progress === null || progress.quietForMs >= QUIET_OFFLINE_MS))
    return words(
      `${WAIT_REASONS.network} ${safe}`,
      'The upload continues automatically when the connection is back.',
    )
  return words('Uploading', uploadingFacts(row, progress))
}

/**
 * The stages around the sending wait for one thing only: that this device can write down how far
 * they are.
 */
function stuckCopy(safe: string, { progress, nowEpochMs }: UploadMoment): ProblemCopy | null {
  return progress?.pause?.reason === 'storage-write'
    ? waitingCopy(progress.pause, safe, nowEpochMs)
    : null
}

const WAIT_REASONS: Readonly<Record<UploadWait['reason'], string>> = {
  network: 'Connection lost.',
  server: 'The server is busy.',
  store: 'Waiting for the storage.',
  'storage-write': 'This device could not save the progress.',
}

function waitingCopy(wait: UploadWait, safe: string, nowEpochMs: number): ProblemCopy {
  // Tried so often that a countdown would only flicker.
  if (wait.reason === 'store')
    return words(
      `${WAIT_REASONS.store} ${safe}`,
      'The server responds, but its storage does not accept data at the moment. The upload continues automatically when it does.',
    )
  const seconds = Math.max(0, Math.ceil((wait.retryAtEpochMs - nowEpochMs) / 1_000))
  return words(
    `${WAIT_REASONS[wait.reason]} ${safe}`,
    seconds === 0 ? 'Trying again now' : `Trying again in ${seconds} s`,
    'Retry now',
  )
}

function safeWords(safeBytes: number): string {
  return safeBytes === 0 ? 'Nothing is lost.' : `${formatBytes(safeBytes)} is safe.`
}

function missingFileWords(why: Extract<UploadRow['state'], { kind: 'needs-file' }>['why']): string {
  switch (why) {
    case 'no-handle':
      return 'This browser does not keep files after a reload.'
    case 'gone':
      return 'The file was moved or removed.'
    case 'changed':
      return 'The file has changed since it was chosen.'
  }
}

function words(
  title: string,
  body: string | null = null,
  action: string | null = null,
): ProblemCopy {
  return { title, body, action }
}
