import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { spokenLength } from './time-words.ts'

/** The chosen options of one request in a few words, or null when it has none to show. */
export function optionsWords(request: TaskRequest): string | null {
  switch (request.mediaJobTaskPresetSlug) {
    case 'dynamic-watermark':
      return request.payload.text
    case 'tube-cut':
      return request.payload.targetDuration === 0
        ? 'Full length'
        : `Up to ${spokenLength(request.payload.targetDuration)}`
    case 'uniform-sampling':
      return `${request.payload.segmentCount} moments, ${spokenLength(request.payload.maximumDuration)}`
    default:
      return null
  }
}
