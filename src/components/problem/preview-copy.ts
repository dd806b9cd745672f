import { spokenLength } from '#src/components/time-words.ts'
import type { ProblemCopy } from './problem-words.ts'
import type { PreviewFailure } from '#src/local/previews/preview.ts'

/** The exact sentence beside every preview. */
export const PREVIEW_MARK = 'Preview - final quality is higher'
/** For edits whose moments the server chooses. */
export const MOMENTS_LATER =
  'The finished edit shows the best moments of your video. This preview shows its style.'

/** For shapes that are cut out of the picture, where the device was not told what moves in it. */
export const CUT_LATER =
  'Square and upright GIFs are cut out around what moves. This preview does not know where that is.'

/** For files that are all made from one moment, because the video is slow to decode. */
export function oneMomentWords(durationMs: number): string {
  return `To keep the preview quick, all files show the same ${spokenLength(durationMs)} here. The finished files show different moments.`
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
