import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import { spokenLength } from '#recipes/length-words.ts'
import type { ProblemCopy } from './problem-words.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { lengthWords } from '#src/lib/time-words.ts'
import type { FootageRefusal, PreviewFailure, ServedUpload } from '#src/local/previews/preview.ts'

/** The exact sentence beside every preview. */
export const PREVIEW_MARK = 'Preview - final quality is higher'
/** Beside what is shown without the file. */
export const SERVED_MARK =
  'From the server, because the file is not on this device: the moments of the edit, small and without sound, before anything is cut out of them or put over them.'
/** Of what only the server shows, while it has not got the video. */
export const SAMPLE_LATER =
  'The server makes the preview of this edit, once your video has arrived and was checked. Look here again then.'
export const SAMPLE_UNHEARD =
  'The server does not answer now. It goes on with the preview, and is asked again by itself.'
/** For both: the page does not know what else the server has to do. */
export const SAMPLE_WAIT =
  'This takes some seconds, and minutes where the server is busy. You can close this and come back: it goes on.'

/** What a sample shows and what the finished edit does otherwise. */
export function sampleWords(
  { slug, payload }: { readonly slug: string; readonly payload?: unknown },
  { startMs, durationMs, shows }: Sampled,
): string {
  const isMasked =
    slug === 'voice-mask-full-scene' ||
    (slug === 'incognito-full-scene' && Object(payload).obfuscateVoice !== false)
  return [
    `${spokenLength(durationMs)} of your video, from ${lengthWords(startMs)} on.`,
    shows === 'detail'
      ? 'It shows the middle of the picture at its own size, where this edit can be seen.'
      : 'The picture may be smaller than that of the finished edit.',
    ...(isReviewed(slug)
      ? [
          'Faces that the search finds are covered. You look at all of them before the edit is made.',
        ]
      : []),
    ...(isMasked ? ['The finished edit has another voice: each video gets its own.'] : []),
  ].join(' ')
}

interface Sampled {
  readonly startMs: number
  readonly durationMs: number
  readonly shows: 'picture' | 'detail'
}

/** For edits whose moments the server chooses. */
export const MOMENTS_LATER =
  'The finished edit shows the best moments of your video. This preview shows its style.'

/** For shapes that are cut out of the picture, where the device was not told what is in it. */
export const CUT_LATER =
  'Square and upright pictures are cut out around people and what moves. This preview does not know where they are.'

/** For files that are all made from one moment, because the video is slow to decode. */
export function oneMomentWords(durationMs: number): string {
  return `To keep the preview quick, all files show the same ${spokenLength(durationMs)} here. The finished files show different moments.`
}

/** Why a file that was chosen again is not used. */
export function chooseRefusalWords(
  refusal: FootageRefusal,
  { name, sizeBytes }: ServedUpload,
): string {
  return refusal === 'differs'
    ? `This is a different file. Choose ${name}, which has ${formatBytes(sizeBytes)}.`
    : 'This device cannot read the file, so it makes no preview of it.'
}

const ORDER_ANYWAY = 'You can still order this edit.'
const TRY_AGAIN = 'Try again'

/** Why there is no preview. `action` is 'Try again' where that can help. */
export function previewFailureCopy(failure: PreviewFailure): ProblemCopy {
  switch (failure.code) {
    case 'preview/none':
      return {
        title: failure.message ?? 'There is no preview of this format.',
        body: failure.message === null ? ORDER_ANYWAY : null,
        action: null,
      }
    case 'preview/undecodable':
      return {
        title: 'This browser cannot decode this kind of video, so it cannot show a preview.',
        body: 'The edit is made on the server and is not affected.',
        action: null,
      }
    case 'preview/no-file':
      return {
        title: 'The video is no longer on this device, so there is no preview.',
        body: ORDER_ANYWAY,
        action: null,
      }
    case 'preview/needs-permission':
      return {
        title: 'This browser needs your permission to read the video again.',
        body: null,
        action: 'Allow reading the video',
      }
    case 'probe/gone':
    case 'probe/changed':
      return {
        title: 'The file was moved or changed, so there is no preview.',
        body: ORDER_ANYWAY,
        action: null,
      }
    case 'probe/engine-unavailable':
      return {
        title: 'The preview engine is not on this device yet.',
        body: 'It is downloaded once while you are online, and then also works offline.',
        action: TRY_AGAIN,
      }
    case 'probe/timeout':
      return notMade('The preview took too long and was stopped.')
    case 'probe/cancelled':
      return { title: 'The preview was stopped.', body: null, action: TRY_AGAIN }
    case 'probe/empty':
    case 'probe/not-media':
    case 'probe/incomplete':
    case 'probe/encrypted':
    case 'probe/no-video':
    case 'probe/dolby-vision':
    case 'probe/engine-crashed':
      return notMade('The preview could not be made on this device.')
  }
}

function notMade(title: string): ProblemCopy {
  return { title, body: ORDER_ANYWAY, action: TRY_AGAIN }
}
