import type { MadeFailureCode, MadeFileRow } from '#src/local/db/rows.ts'
import type { LeftToServer, MakeProgress, MakeRung } from '#src/local/made/make.ts'
import type { MakeRefusal } from '#src/local/made/making.ts'
import type { MakeRight } from '#src/local/made/rights.ts'
import { formatBytes } from '#src/lib/bytes.ts'

/** What a card says below the button, or in its place. */
export function rungWords(rung: MakeRung): string {
  return rung.kind === 'server' ? LEFT[rung.why] : HERE[rung.kind]
}

const HERE: Readonly<Record<Exclude<MakeRung['kind'], 'server'>, string>> = {
  now: 'On this device. Nothing is sent.',
  'now-small': 'On this device, in 720p at most. Nothing is sent.',
  'now-slow': 'On this device, slowly and in 720p at most. Nothing is sent.',
}

const LEFT: Readonly<Record<LeftToServer, string>> = {
  'never-here': 'Only our server makes this edit.',
  'needs-server-files': 'Our server makes it: files that it needs are there.',
  'too-long': 'Our server makes it: it is too long for this device.',
  'no-decoder': 'Our server makes it: this browser cannot decode your video.',
  'no-encoder': 'Our server makes it: this browser cannot encode video.',
  'too-little-memory': 'Our server makes it: this device has too little memory.',
}

/** Of an edit that the server makes beside the faces that it knows of. */
export const NO_FACES_WORDS =
  'Where faces were found in your video, only our server keeps the mark off them.'

/** Why there is no button although this device could make the edit; null where there is one. */
export function rightWords(right: MakeRight): string | null {
  switch (right) {
    case 'granted':
    case 'go-online':
      return null
    case 'trial-used':
      return 'This device has made the edit of your trial. More are part of the plan.'
    case 'no-plan':
      return 'Edits that this device makes are part of the plan.'
  }
}

/** Below 'Go online once'. */
export const GO_ONLINE_WORDS =
  'Your plan was to renew while this device was offline. Go online once, then it makes edits again.'

/** Why nothing was begun. */
export function refusalWords(refusal: MakeRefusal): string {
  switch (refusal.code) {
    case 'made/busy':
      return 'Another edit is being made on this device. One is made at a time.'
    case 'made/no-right':
      return refusal.right === null || refusal.right === 'go-online'
        ? GO_ONLINE_WORDS
        : (rightWords(refusal.right) ?? '')
    case 'made/no-room':
      return `This device has too little free space: ${formatBytes(refusal.missingBytes)} more are needed.`
    case 'made/not-here':
      return 'This browser keeps no files, so nothing can be made here.'
    default:
      return failureWords(refusal.code)
  }
}

/** Why a device edit was not made, how far it is, and what a person can do. */
export function failedWords({ state, kept = null }: MadeFileRow): string {
  if (state.kind !== 'failed') return ''
  const { code, missingBytes = 0 } = state
  const advice =
    code === 'made/no-space'
      ? ` ${formatBytes(missingBytes)} more are needed: make room, then go on.`
      : ''
  return `${failureWords(code)}${advice} ${keptWords(kept)}`.trim()
}

/** What of an edit is finished although the edit is not. */
function keptWords(kept: MakeProgress | null): string {
  if (kept === null) return 'It begins from the start.'
  const { share, passage, passages } = kept
  if (passages < 2) return `${Math.floor(share * 100)} % of it is finished and kept.`
  return passage === 1
    ? `1 of ${passages} passages is finished and kept.`
    : `${passage} of ${passages} passages are finished and kept.`
}

/** Why an edit was not made. */
function failureWords(code: MadeFailureCode): string {
  switch (code) {
    case 'made/unfinished':
      return 'It was not finished, because its page was closed or loaded again.'
    case 'made/worker-died':
      return 'This browser ended the work three times, as it does when memory is short. Close other tabs and apps and go on, or leave it to our server.'
    case 'made/no-space':
      return 'This device had no room for its files.'
    case 'made/not-saved':
      return 'This browser could not keep its files.'
    case 'make/left-to-server':
      return 'This device cannot make it. Our server can.'
    case 'make/codec-failed':
      return 'This browser could not decode or encode all of it. Our server can.'
    case 'preview/no-file':
      return 'The video is no longer on this device. Choose it again under New Upload.'
    case 'preview/needs-permission':
      return 'This browser needs your permission to read the video again: go on with its upload first.'
    case 'probe/gone':
    case 'probe/changed':
      return 'The file of the video was moved or changed.'
    case 'probe/engine-unavailable':
      return 'A part of the app that this needs is not on this device yet. It is loaded once while you are online.'
    case 'probe/timeout':
      return 'It took too long and was stopped.'
    case 'probe/cancelled':
      return 'It was stopped.'
    case 'preview/none':
    case 'preview/undecodable':
    case 'probe/empty':
    case 'probe/not-media':
    case 'probe/incomplete':
    case 'probe/encrypted':
    case 'probe/no-video':
    case 'probe/dolby-vision':
    case 'probe/engine-crashed':
      return 'It could not be made on this device. Our server can make it.'
  }
}

/** Where the browser has removed what was made, as some do when space runs out. */
export const GONE_WORDS = 'This device removed the file. Make it again?'

/** 'Passage 3 of 6'; before the first report, and for an edit of one, what is done. */
export function passageWords(progress: MakeProgress | null): string {
  return progress === null || progress.passages < 2
    ? 'Making it on this device'
    : `Passage ${progress.passage} of ${progress.passages}`
}

/** Where the progress of an edit fell back. */
export const FALLEN_BACK_WORDS =
  'Some of what was finished cannot be used any more, as after an update of the app or the browser. It is made again.'

/** What a log-out takes along; `count` is at least 1. */
export function removedByLogoutWords(count: number): string {
  return count === 1
    ? 'One edit that this device made is on this device only. Logging out removes it: save it first.'
    : `${count} edits that this device made are on this device only. Logging out removes them: save them first.`
}
