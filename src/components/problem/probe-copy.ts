import { CHOOSE_ANOTHER, type ProblemCopy } from './problem-words.ts'
import { spokenLength } from '#recipes/length-words.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { Finding, ProbeFailure, ProbeFailureCode } from '#src/local/probe/report.ts'

type Facts = Finding['facts']
type Fact = Facts[string] | undefined

/**
 * A finding of the pre-check in words. An unknown rule, from another version, counts as a file that
 * was not checked.
 */
export function findingCopy(finding: Finding): ProblemCopy {
  const words = RULES[finding.ruleId] ?? RULES['B10']
  const { title, body } = words?.(finding.facts) ?? NOT_CHECKED
  return { title, body, action: finding.verdict === 'block' ? CHOOSE_ANOTHER : null }
}

/** Why a file could not be checked, or why it cannot be taken. */
export function probeFailureCopy(failure: ProbeFailure): ProblemCopy {
  return FAILURES[failure.code](failure.facts ?? {})
}

interface Words {
  readonly title: string
  readonly body: string | null
}

const NOT_CHECKED: Words = {
  title: 'We could not check this file on this device.',
  body: 'You can still upload it. The server checks it when it arrives.',
}
const MOVED: Words = { title: 'The file was moved or changed.', body: 'Choose it again.' }
const NOT_A_VIDEO: Words = {
  title: 'This is not a video file.',
  body: 'Please choose a video, for example an MP4, MOV, MKV or WebM file.',
}
const UNFINISHED: Words = {
  title: 'This recording is incomplete, so it cannot be played.',
  body: 'Use the original file from the camera, or repair this one first.',
}
const PROTECTED: Words = { title: 'This video is copy-protected and cannot be edited.', body: null }
const EMPTY: Words = { title: 'This file is empty.', body: 'Choose the original video.' }

const NO_COLORS: Words = {
  title:
    'Only Dolby Vision players can show the colors of this video, so please export it as HDR10 or SDR.',
  body: null,
}

const RULES: Readonly<Record<string, (facts: Facts) => Words>> = {
  A1: () => EMPTY,
  A2: (facts) => ({
    title: `This file is ${bytes(facts['sizeBytes'])}.`,
    body: `The largest file you can upload is ${bytes(facts['maxBytes'])}.`,
  }),
  A3: () => NOT_A_VIDEO,
  A4: (facts) => noPicture(facts),
  A5: () => UNFINISHED,
  A6: (facts) => ({
    title: `The file ends early: ${text(facts['missingPercent'])}% is missing.`,
    body: 'Copy it from the source again.',
  }),
  A7: () => PROTECTED,
  A8: (facts) => ({
    title: `This file is actually in ${text(facts['container'])} format.`,
    body: 'That is fine.',
  }),
  A9: () => MOVED,
  A10: (facts) => tooShort(facts),
  A12: (facts) => ({
    title: `This video is only ${text(facts['width'])}×${text(facts['height'])}.`,
    body:
      facts['least'] === undefined
        ? 'Messaging apps shrink videos. Choose the original for a better result.'
        : `Edits need at least ${text(facts['least'])} pixels on each side. Choose the original.`,
  }),
  A13: (facts) => ({ title: `This video will be edited at ${text(facts['as'])}.`, body: null }),
  A14: (facts) => ({
    title: `We may not be able to read ${text(facts['codec'])}.`,
    body: 'You can still upload it. The server checks it when it arrives.',
  }),
  A15: (facts) => severalTracks(facts),
  A17: () => ({ title: 'HDR will be converted to standard colors.', body: null }),
  A18: () => NO_COLORS,
  A19: (facts) => immersive(facts),
  A20: (facts) => unfit(facts),
  B1: (facts) => ({
    title: `The frame rate varies between ${text(facts['lowest'])} and ${text(facts['highest'])}.`,
    body: 'Your edits will have a steady frame rate.',
  }),
  B2: (facts) => soundFault(facts),
  B3: (facts) => loudness(facts),
  B4: (facts) => ({
    title:
      facts['fault'] === 'black'
        ? 'Most of this video is black.'
        : 'The picture in this video hardly moves.',
    body: 'Is this the right file?',
  }),
  B5: (facts) => ({
    title: `The video is damaged at ${clock(facts['atMs'])}.`,
    body: 'The rest can be used.',
  }),
  B6: () => ({
    title: 'This video has few key frames.',
    body: 'Analyzing and cutting it will take longer.',
  }),
  B7: () => ({ title: 'This video is interlaced.', body: 'Your edits will not be.' }),
  B8: (facts) => ({
    title:
      facts['safeBytes'] === undefined
        ? `You uploaded this video on ${date(facts['atEpochMs'])}.`
        : `You began to upload this video on ${date(facts['atEpochMs'])}, and ${formatBytes(Number(facts['safeBytes']))} of it is safe.`,
    body: `You can ${facts['arrived'] === 'whole' ? 'use' : 'continue'} that upload instead of sending the video again.`,
  }),
  B9: (facts) => ({
    title:
      facts['kind'] === 'place'
        ? 'This file contains the location where it was filmed.'
        : 'This file names the device it was filmed with.',
    body: 'Your edits will not contain this information.',
  }),
  B10: () => NOT_CHECKED,
}

const FAILURES: Readonly<Record<ProbeFailureCode, (facts: Facts) => ProblemCopy>> = {
  'probe/empty': () => ({ ...EMPTY, action: CHOOSE_ANOTHER }),
  'probe/gone': () => ({ ...MOVED, action: CHOOSE_ANOTHER }),
  'probe/changed': () => ({ ...MOVED, action: CHOOSE_ANOTHER }),
  'probe/not-media': () => ({ ...NOT_A_VIDEO, action: CHOOSE_ANOTHER }),
  'probe/incomplete': () => ({ ...UNFINISHED, action: CHOOSE_ANOTHER }),
  'probe/encrypted': () => ({ ...PROTECTED, action: CHOOSE_ANOTHER }),
  'probe/no-video': (facts) => ({ ...noPicture(facts), action: CHOOSE_ANOTHER }),
  'probe/dolby-vision': () => ({ ...NO_COLORS, action: CHOOSE_ANOTHER }),
  'probe/engine-unavailable': () => ({ ...NOT_CHECKED, action: null }),
  'probe/engine-crashed': () => ({ ...NOT_CHECKED, action: null }),
  'probe/timeout': () => ({ ...NOT_CHECKED, action: null }),
  'probe/cancelled': () => ({ title: 'The check was stopped.', body: null, action: null }),
}

function immersive(facts: Facts): Words {
  const kind = text(facts['kind'])
  const title = `This is a ${kind} video.`
  if (kind === 'spatial') return { title, body: 'Your edits will show one of its two views.' }
  const flat = facts['double'] === 'yes' ? 'its flat double picture' : 'its flat, unwrapped picture'
  return {
    title,
    body:
      facts['kept'] === 'yes'
        ? `Edits of the whole video stay ${kind}. All others show ${flat}.`
        : `Your edits will show ${flat}, and no player will know that they are ${kind}.`,
  }
}

function noPicture(facts: Facts): Words {
  return facts['kind'] === 'photo'
    ? { title: 'This is a photo, not a video.', body: null }
    : { title: 'This file has sound but no video.', body: null }
}

/** What the server would refuse after the upload. */
function unfit(facts: Facts): Words {
  return facts['fault'] === 'sparse'
    ? {
        title: 'This video has less than one picture in two seconds, so it cannot be edited.',
        body: 'Export it with 24 pictures a second or more.',
      }
    : {
        title: 'The sound of this video changes in the middle, so it cannot be edited.',
        body: 'It becomes mono or surround, or changes its rate. Export it as one MP4.',
      }
}

function tooShort(facts: Facts): Words {
  if (Number(facts['durationMs'] ?? 0) <= 0)
    return { title: 'This video has a length of zero.', body: 'Choose the original video.' }
  const long = `This video is ${length(facts['durationMs'])} long`
  if (facts['format'] === undefined && facts['minimumMs'] !== undefined)
    return {
      title: `${long}.`,
      body: `Edits need at least ${length(facts['minimumMs'])}. Choose the original video.`,
    }
  if (facts['format'] === undefined)
    return { title: `${long}.`, body: 'Most formats need a longer video to choose moments from.' }
  return {
    title: `${long}; "${text(facts['format'])}" needs at least ${length(facts['minimumMs'])}.`,
    body: 'You can still order it. The edit will be made from the whole video.',
  }
}

/** Of a check that was made before the rule chose among tracks, the first one is meant. */
function severalTracks(facts: Facts): Words {
  const words = (count: Fact, what: string, taken: Fact): string =>
    `${text(count)} ${what} tracks found. We use the ${place(taken)} one.`
  if (facts['kind'] === 'picture')
    return { title: words(facts['count'], 'video', facts['taken']), body: null }
  const pictures =
    facts['pictures'] === undefined ? [] : [words(facts['pictures'], 'video', facts['picture'])]
  return {
    title: [...pictures, words(facts['count'], 'audio', facts['taken'])].join(' '),
    body:
      facts['unreadable'] === undefined
        ? null
        : `${codecName(facts['unreadable'])} cannot be edited.`,
  }
}

const PLACES = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
] as const

function place(taken: Fact = 1): string {
  return PLACES[Number(taken) - 1] ?? `${text(taken)}th`
}

/** In words where people know a sound by another name than its codec's. */
function codecName(codec: Fact): string {
  return codec === 'apac' ? 'Spatial sound (apac)' : `Sound of the kind ${text(codec)}`
}

function soundFault(facts: Facts): Words {
  switch (facts['fault']) {
    case 'ends-early':
      return { title: `The sound ends ${seconds(facts['byMs'])} before the video.`, body: null }
    case 'starts-late':
      return { title: `The sound starts ${seconds(facts['byMs'])} late.`, body: null }
    case 'starts-early':
      return { title: `The sound starts ${seconds(facts['byMs'])} before the video.`, body: null }
    case 'unreadable':
      return {
        title: `${codecName(facts['codec'])} cannot be edited, so your edits will be without sound.`,
        body: 'Export the video with stereo sound to keep it.',
      }
    case 'narrow':
      return {
        title: `Voices and music of this video are in one channel, so "${text(facts['format'])}" cannot turn the music down by itself.`,
        body: 'Please remove it from your choice.',
      }
    default:
      return facts['format'] === undefined
        ? { title: 'This video has no sound.', body: null }
        : {
            title: `This video has no sound, which "${text(facts['format'])}" needs.`,
            body: 'Please remove it from your choice.',
          }
  }
}

function loudness(facts: Facts): Words {
  switch (facts['fault']) {
    case 'distorted':
      return { title: 'The sound is distorted.', body: 'It was recorded too loud.' }
    case 'mostly-silent':
      return { title: 'Most of this video is silent.', body: null }
    default:
      return { title: 'This video is silent.', body: null }
  }
}

function bytes(value: string | number | undefined): string {
  return formatBytes(Number(value ?? 0))
}

function seconds(value: string | number | undefined): string {
  return `${Number((Number(value ?? 0) / 1_000).toFixed(1))} s`
}

/** Shows tenths of a second only in short lengths. */
function length(value: string | number | undefined): string {
  const ms = Number(value ?? 0)
  return ms < 60_000 ? seconds(ms) : spokenLength(ms)
}

/** 1:02:03 or 2:03. */
function clock(value: string | number | undefined): string {
  const all = Math.floor(Number(value ?? 0) / 1_000)
  const [hours, minutes, rest] = [
    Math.floor(all / 3_600),
    Math.floor(all / 60) % 60,
    String(all % 60).padStart(2, '0'),
  ]
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

function date(value: string | number | undefined): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(Number(value ?? 0))
}

function text(value: string | number | undefined): string {
  return value === undefined ? '?' : String(value)
}
