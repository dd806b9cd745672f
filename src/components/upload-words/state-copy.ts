import type { Outage } from '#src/api/errors.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { UploadRow, UploadWait } from '#src/local/db/rows.ts'
import type { UploadProgress } from '#src/local/uploads/api.ts'
import type { ProblemCopy } from '#src/components/problem/problem-words.ts'
import { START_OVER, uploadFailureCopy } from './failure-copy.ts'
import { partOfWhole, sentByBrowser, uploadingFacts } from './sending-words.ts'

/** Where the browser says that it is offline, this short a silence confirms it. */
const QUIET_OFFLINE_MS = 1_000

/** What the words of a state depend on besides the upload's row. */
export interface LiveFacts {
  /** Null while no driver of the upload reports; the words then leave out speed and time. */
  readonly progress: UploadProgress | null
  readonly nowEpochMs: number
  /** What the browser says; believed only while no byte moves. */
  readonly isOnline: boolean
  /** What keeps the present screens from the server, null while nothing does. */
  readonly outage: Outage | null
}

/**
 * The state of an upload in words: what happens now, what is safe, what helps. The title changes
 * with the stage only, so that it can be read out; what counts down or up is in the body.
 */
export function uploadStateCopy(
  row: Pick<UploadRow, 'state' | 'file' | 'safeBytes' | 'purpose'>,
  live: LiveFacts,
): ProblemCopy {
  const { state, file } = row
  const safe = safeWords(row.safeBytes)
  const share = `${partOfWhole(row.safeBytes, file.sizeBytes)} safe`
  const percent = file.sizeBytes === 0 ? 0 : Math.floor((row.safeBytes / file.sizeBytes) * 100)
  switch (state.kind) {
    case 'draft':
      return draftCopy(file)
    case 'preparing':
      return stuckCopy(safe, live) ?? words('Getting ready')
    case 'queued':
      return stuckCopy(safe, live) ?? words('Next in line', row.safeBytes === 0 ? null : share)
    case 'uploading':
      return uploadingCopy(row, live)
    case 'waiting':
      return waitingCopy(state.wait, safe, live)
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
        `${MISSING_FILE[state.why]} ${safe}`,
        'Choose the file',
      )
    case 'paused':
      return words(`Paused at ${percent}%`, share, 'Resume')
    case 'handing-over':
    case 'handed-over':
      return handedOverCopy(state.kind, row, live)
    case 'finalising':
      return stuckCopy(safe, live) ?? words('Finishing the upload', 'Everything has been sent.')
    case 'failed':
      return uploadFailureCopy(state, row)
    case 'done':
      return ARRIVED[row.purpose]
    case 'verifying':
      return words(NOT_VALIDATED_YET, state.isLate === true ? CHECK_LATE : null)
    case 'conflict':
    case 'expired':
    case 'discarding':
    case 'discarded':
      return FIXED[state.kind]
  }
}

function draftCopy({ sizeBytes }: UploadRow['file']): ProblemCopy {
  return words(
    'Not uploaded yet',
    `${formatBytes(sizeBytes)}, checked on this device. Nothing has been sent yet.`,
    'Continue upload',
  )
}

/** The words of a video while its excerpt is sent. */
export function sentFirstCopy(
  excerpt: Pick<UploadRow, 'file' | 'safeBytes'>,
  progress: UploadProgress | null,
): ProblemCopy {
  return words(
    'Sending first what your edits need',
    `${uploadingFacts(excerpt, progress)}. The rest of the video follows.`,
  )
}

function handedOverCopy(
  kind: 'handing-over' | 'handed-over',
  row: Pick<UploadRow, 'file' | 'safeBytes'>,
  { progress }: LiveFacts,
): ProblemCopy {
  return kind === 'handed-over'
    ? words('Your browser is sending the rest', sentByBrowser(row, progress))
    : words(
        'Handing over to your browser',
        `Keep this page open until your browser has its own copy of the remaining ${formatBytes(row.file.sizeBytes - row.safeBytes)}. This takes some seconds for each GB.`,
      )
}

/**
 * The specified words while the server still checks a file that has arrived whole (UPL-12), alone
 * (docs/product-decisions.md#while-an-upload-is-checked).
 */
export const NOT_VALIDATED_YET =
  'Upload is not yet validated. Please wait for processing to complete.'

/** Where the server has failed at the check again and again. */
export const CHECK_LATE =
  'The check takes longer than usual: the server could not finish it so far and goes on trying. There is nothing for you to do.'

/**
 * Says 'Uploading' only while bytes move: reports a network that is down before the upload itself
 * goes to the waiting state.
 */
function uploadingCopy(row: Pick<UploadRow, 'file' | 'safeBytes'>, live: LiveFacts): ProblemCopy {
  const { progress, isOnline } = live
  const safe = safeWords(Math.max(row.safeBytes, progress?.safeBytes ?? 0))
  if (progress !== null && progress.pause !== null) return waitingCopy(progress.pause, safe, live)
  if (!isOnline && (progress === null || progress.quietForMs >= QUIET_OFFLINE_MS))
    return words(
      `${WAIT_REASONS.network} ${safe}`,
      'The upload continues automatically when the connection is back.',
    )
  return words('Uploading', uploadingFacts(row, progress))
}

/** The stages before and after the sending wait for one thing only: saving their progress here. */
function stuckCopy(safe: string, live: LiveFacts): ProblemCopy | null {
  const pause = live.progress?.pause
  return pause?.reason === 'storage-write' ? waitingCopy(pause, safe, live) : null
}

const WAIT_REASONS: Readonly<Record<UploadWait['reason'], string>> = {
  network: 'Connection lost.',
  server: 'The server is busy.',
  store: 'Waiting for the storage.',
  'storage-write': 'This device could not save the progress.',
  'no-space': 'The server has no space left.',
  refused: 'A part of the video is not accepted.',
}

/** To the engine a captive portal is a network that is lost; only a person can end it. */
const PORTAL = 'This network wants you to sign in first.'

function waitingCopy(
  wait: UploadWait,
  safe: string,
  { nowEpochMs, outage }: Pick<LiveFacts, 'nowEpochMs' | 'outage'>,
): ProblemCopy {
  // The storage is tried so often that a countdown would only flicker.
  if (wait.reason === 'store')
    return words(
      `${WAIT_REASONS.store} ${safe}`,
      'The server responds, but its storage does not accept data at the moment. The upload continues automatically when it does.',
    )
  const seconds = Math.max(0, Math.ceil((wait.retryAtEpochMs - nowEpochMs) / 1_000))
  const again = seconds === 0 ? 'Trying again now' : `Trying again in ${seconds} s`
  const isBehindPortal = wait.reason === 'network' && outage === 'portal'
  // What answers there is known, and another network is not all that helps.
  const why = isBehindPortal ? null : whyRefused(wait)
  return words(
    `${isBehindPortal ? PORTAL : waitTitle(wait)} ${safe}`,
    why === null ? again : `${why} ${again}`,
    'Retry now',
  )
}

function waitTitle({ reason, code }: UploadWait): string {
  return reason === 'network' && code !== undefined
    ? 'The server cannot be reached.'
    : WAIT_REASONS[reason]
}

/** What is known about an answer that does not help, for the person and for whom they ask. */
function whyRefused({ reason, code }: UploadWait): string | null {
  if (reason === 'network' && code?.startsWith('http/') === true)
    return `Something between this device and the server answers in its place (HTTP ${code.slice(5)}). Another network may help.`
  if (reason !== 'refused') return null
  if (code === 'upload/cors')
    return 'The storage of this server does not accept uploads from browsers (CORS). The operator of the server has to change its settings.'
  return code?.startsWith('http/') === true
    ? `Something between this device and the server refuses it (HTTP ${code.slice(5)}). Another network may help.`
    : `The server refuses it (${code ?? 'no reason given'}). The upload stays as it is.`
}

function safeWords(safeBytes: number): string {
  return safeBytes === 0 ? 'Nothing is lost.' : `${formatBytes(safeBytes)} is safe.`
}

function words(
  title: string,
  body: string | null = null,
  action: string | null = null,
): ProblemCopy {
  return { title, body, action }
}

const MISSING_FILE: Readonly<
  Record<Extract<UploadRow['state'], { kind: 'needs-file' }>['why'], string>
> = {
  'no-handle': 'This browser does not keep files after a reload.',
  gone: 'The file was moved or removed.',
  changed: 'The file has changed since it was chosen.',
}

/** The words once the server has the whole file and has checked it. */
const ARRIVED: Readonly<Record<UploadRow['purpose'], ProblemCopy>> = {
  'media-job': words('Your video has been uploaded and is ready for editing'),
  'media-asset': words('Your asset has been uploaded'),
  excerpt: words('What your first edits need has arrived'),
}

/** States whose words are the same for every upload. */
const FIXED = {
  conflict: words(
    'This is not the file that the upload started with',
    'Choose the original to continue, or start over with this file.',
    START_OVER,
  ),
  expired: words(
    'The server no longer has this upload',
    'Unfinished uploads are removed after 7 days. You can upload the same file again.',
    START_OVER,
  ),
  discarding: words('Discarded', null, 'Undo'),
  discarded: words('Discarded'),
} as const
