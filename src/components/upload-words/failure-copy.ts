import { findingCopy } from '#src/components/problem/probe-copy.ts'
import { CHOOSE_ANOTHER, type ProblemCopy } from '#src/components/problem/problem-words.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { fileWord, type FileWord, type NamedFile } from '#src/components/assets/asset-types.ts'
import type { UploadFailureCode, UploadState } from '#src/local/db/rows.ts'
import type { UploadCommandFailure } from '#src/local/uploads/api.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import type { AdoptRefusal } from '#src/local/uploads/page/adopt-upload.ts'
import type { ChooseRefusal } from '#src/local/uploads/page/choose.ts'

export const START_OVER = 'Start over'

/**
 * Why the upload of a file failed for good. The server's own sentence takes the place of the title.
 * @param message null when the server gave no sentence
 */
export function uploadFailureCopy(
  { code, message }: Extract<UploadState, { kind: 'failed' }>,
  of: NamedFile,
): ProblemCopy {
  const words = failureWords(code, fileWord(of))
  return message === null ? words : { ...words, title: message }
}

function failureWords(code: UploadFailureCode, file: FileWord): ProblemCopy {
  switch (code) {
    case 'upload/invalid-file':
      return {
        title:
          file === 'file'
            ? 'This file could not be read.'
            : `This file could not be read as a ${file}.`,
        body: 'Choose another file.',
        action: CHOOSE_ANOTHER,
      }
    case 'upload/empty':
      return emptyFileCopy(file)
    default:
      return FAILURES[code]
  }
}

function emptyFileCopy(file: FileWord): ProblemCopy {
  return {
    title: 'This file is empty.',
    body: `Choose the original ${file}.`,
    action: CHOOSE_ANOTHER,
  }
}

/** Why a command did nothing, in one sentence; null where the live state already says it. */
export function commandFailureText(code: UploadCommandFailure['code']): string | null {
  return COMMAND_FAILURES[code]
}

/** Why a chosen file is not taken. */
export function chooseRefusalCopy(refusal: ChooseRefusal, of: NamedFile): ProblemCopy {
  switch (refusal.code) {
    case 'choose/empty':
      return emptyFileCopy(fileWord(of))
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

/**
 * Why an upload that another device or browser began does not go on with the chosen file.
 * @param name of the file that the upload began with
 */
export function adoptRefusalCopy(refusal: AdoptRefusal, name: string): ProblemCopy {
  const choose = `Choose ${name}, the file that the upload began with. What has arrived is safe.`
  switch (refusal.code) {
    case 'adopt/other-size':
      return {
        title: `This is a different file: it has ${formatBytes(refusal.sizeBytes)}, not ${formatBytes(refusal.expectedBytes)}.`,
        body: choose,
        action: null,
      }
    case 'adopt/other-content':
      return {
        title: 'This is a different file: its content is not what has arrived.',
        body: choose,
        action: null,
      }
    case 'adopt/unreadable':
      return { title: 'The file was moved or changed.', body: 'Choose it again.', action: null }
    case 'adopt/not-open':
      return {
        title: 'This upload does not need the file any more.',
        body: 'It has arrived, or it was discarded.',
        action: null,
      }
    case 'adopt/not-saved':
      return {
        title: 'This browser could not save the upload.',
        body: 'Free up some space on this device and try again. What has arrived is safe.',
        action: null,
      }
    case 'adopt/no-answer':
      return {
        title: serverProblemCopy(refusal.failure).title,
        body: 'What has arrived is safe. Try again in a moment.',
        action: null,
      }
  }
}

const FAILURES: Readonly<
  Record<Exclude<UploadFailureCode, 'upload/invalid-file' | 'upload/empty'>, ProblemCopy>
> = {
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
  'upload/mismatch': {
    title: 'The server stored other bytes than those of your file.',
    body: 'Start over to upload the file again. Tell the operator of the server: its storage damages data.',
    action: START_OVER,
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
  'upload/not-handed-over':
    'Your browser did not take over the upload; it may lack the space. The upload continues on this page.',
  'upload/not-saved':
    'This device could not save the change. Free up some space and try again. What has been uploaded is safe.',
  'upload/worker-unavailable': 'The upload could not start in this browser. Please try again.',
}
