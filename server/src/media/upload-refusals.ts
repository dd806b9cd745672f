/** What the check of an upload refuses, in words for the creator; null for what it takes. */
import type { Finding } from '#checks/facts.ts'
import { SHORTEST_MS } from '#checks/quick-rules.ts'
import { SMALLEST_SIDE_PX } from '#recipes/picture.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { MAX_DURATION_MS, MAX_SIDE_PX } from '#server/media/formats.ts'
import type { MeasureFailure } from '#server/media/packet-clock.ts'

/** Why the file cannot be used: `message` is for the creator, `detail` for support. */
export interface Refusal {
  readonly code: 'unreadable' | 'no-video' | 'unsupported' | 'too-long' | 'too-large'
  readonly message: string
  readonly detail: string
}

/** Of a file that ffprobe cannot open. */
export function unreadable(
  detail: string,
  purpose: 'media-job' | 'media-asset',
  isMp4: boolean,
): Refusal {
  if (isMp4 && /moov atom not found/.test(detail)) {
    return {
      code: 'unreadable',
      message:
        'The file ends early: its index is missing. Please export or copy it again, then upload the new file.',
      detail,
    }
  }
  // No reader of moving PNGs is let in: other programs show their first picture alone.
  if (/\[apng @/.test(detail))
    return {
      code: 'unsupported',
      message:
        'This picture is an animated PNG. Please export it as one PNG without animation, or as a GIF or MP4.',
      detail,
    }
  const what =
    purpose === 'media-job'
      ? 'This is not a video file.'
      : 'This is not a video, image, or audio file.'
  return { code: 'unreadable', message: `${what} Please choose another file.`, detail }
}

const MOVING_WEBP =
  'This picture is an animated WebP. Please export it as one PNG without animation, or as a GIF or MP4.'

/** Of a moving picture that does not move, which would be a video without a length. */
export function refuseStill(formatName: string, pictures: number): Refusal | null {
  return formatName === 'gif' && pictures < 2
    ? {
        code: 'unsupported',
        message: 'This GIF shows a single picture. Please export it as a PNG and upload that.',
        detail: `${pictures} pictures`,
      }
    : null
}

/** Of a picture that is none, or that no edit can be made of. */
export function refusePicture(probe: FileProbe, findings: readonly Finding[]): Refusal | null {
  const { width, height } = probe.source
  const detail = JSON.stringify({ formatName: probe.formatName, width, height })
  const noPicture = findings.find((finding) => finding.ruleId === 'A4')
  if (noPicture !== undefined) {
    const message =
      noPicture.facts['kind'] === 'photo'
        ? 'This is an image, not a video. Please choose a video.'
        : 'This file has sound but no video. Please choose a video.'
    return { code: 'no-video', message, detail }
  }
  // ffmpeg opens WebP, but no moving one.
  if (probe.formatName === 'webp_pipe' && width === 0)
    return { code: 'unsupported', message: MOVING_WEBP, detail }
  if (probe.kind !== 'audio' && (width < 2 || height < 2))
    return {
      code: 'unsupported',
      message:
        probe.kind === 'image'
          ? `This picture is ${width} × ${height}, so there is nothing to show. Please choose a larger one.`
          : 'This file has no video that can be shown. Please export it again.',
      detail,
    }
  if (findings.some(({ ruleId, verdict }) => ruleId === 'A12' && verdict === 'block'))
    return {
      code: 'unsupported',
      message: `The video is ${width} × ${height}. Edits need at least ${SMALLEST_SIDE_PX} pixels on each side. Please choose the original, or export a larger version.`,
      detail,
    }
  if (width > MAX_SIDE_PX || height > MAX_SIDE_PX)
    return {
      code: 'too-large',
      message: `The ${probe.kind === 'image' ? 'picture' : 'video'} is ${width} × ${height}. The limit is ${MAX_SIDE_PX} pixels per side. Please export a smaller version.`,
      detail,
    }
  return null
}

/** Of pictures that no decoder here shows in their colours. */
export function refuseColors(findings: readonly Finding[]): Refusal | null {
  const finding = findings.find(({ ruleId }) => ruleId === 'A18')
  return finding === undefined
    ? null
    : {
        code: 'unsupported',
        message:
          'Only Dolby Vision players can show the colors of this video, so please export it as HDR10 or SDR.',
        detail: JSON.stringify(finding.facts),
      }
}

/** Of a measured length. */
export function refuseLength(durationMs: number): Refusal | null {
  const detail = `${durationMs} ms`
  if (durationMs < SHORTEST_MS)
    return {
      code: 'unsupported',
      message: 'This video is too short to edit. Please export it again, or choose another file.',
      detail,
    }
  if (durationMs > MAX_DURATION_MS)
    return {
      code: 'too-long',
      message: 'This video is longer than 24 hours. Please split it.',
      detail,
    }
  return null
}

const PLAYS_TOO_MUCH =
  'This video plays far more than its file holds. Please export it as one MP4 and upload that.'
export const TOO_SLOW =
  'This video is stored in too many small pieces to be read in time. Please export it as MP4 and upload that.'

/** An editor writes one entry for each cut; a phone three at most. */
const MAX_EDITS = 1000

/** Of an edit list; nothing has read more of the file than how many entries it has. */
export function refuseEdits(count: number): Refusal | null {
  return count > MAX_EDITS
    ? { code: 'unsupported', message: PLAYS_TOO_MUCH, detail: `an edit list has ${count} entries` }
    : null
}

/** Of packets that give no length. */
export function unmeasured({ code, detail }: MeasureFailure): Refusal {
  const messages = {
    'media/no-packets':
      'There is no video in this file that can be played. Please export or copy it again, then upload the new file.',
    'media/clock-restarts':
      'The clock of this video starts again in the middle, so its length is not certain. Please export it as one MP4 and upload that.',
    'media/clock-jumps':
      'The clock of this video jumps ahead in the middle, so its length is not certain. Please export it as one MP4 and upload that.',
    'media/plays-too-much': PLAYS_TOO_MUCH,
    'media/too-slow': TOO_SLOW,
  }
  return { code: 'unreadable', message: messages[code], detail: `${code}: ${detail}` }
}
