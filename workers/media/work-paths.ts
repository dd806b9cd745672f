import { INPUT_FOLDER, sourceName, WORK_FOLDER } from './ffmpeg-messages.ts'
import type { PathOf } from '#recipes/print-args.ts'

export const FONT_FILE = 'font.ttf'

/** Where the ffmpeg worker has the files of a plan; `extension` is that of the source. */
export function workPaths(extension: string): PathOf {
  return (place) => {
    switch (place.kind) {
      case 'source':
        return `${INPUT_FOLDER}/${sourceName(extension)}`
      case 'font':
        return `${WORK_FOLDER}/${FONT_FILE}`
      case 'scratch':
      case 'output':
        return `${WORK_FOLDER}/${place.name}`
      // Assets and music live at the server; no plan that runs here has one.
      case 'asset':
      case 'music':
        return `${WORK_FOLDER}/missing-asset`
    }
  }
}
