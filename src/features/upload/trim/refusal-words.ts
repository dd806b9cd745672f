import { chooseRefusalCopy } from '#src/components/upload-words/failure-copy.ts'
import type { TrimRefusal } from '#src/local/uploads/page/trim.ts'

/** Why what was chosen of a video is not sent, and what holds instead. */
export function trimRefusalWords(refusal: TrimRefusal, file: File): string {
  switch (refusal.code) {
    case 'trim/cannot-be-cut':
      return 'This video cannot be cut there. What is sent has not changed.'
    case 'trim/already-sent':
      return 'This video is being sent already. What is sent has not changed.'
    default: {
      const { title, body } = chooseRefusalCopy(refusal, { purpose: 'media-job', file })
      return body === null ? title : `${title} ${body}`
    }
  }
}
