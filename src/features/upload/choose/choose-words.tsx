import { LOCAL_FILE_MAX_BYTES } from '#spec/numbers.ts'
import { GIB } from '#src/lib/bytes.ts'

/** What the first step says, with the app and before it. */
export const CHOOSE_WORDS = {
  button: 'Choose a video',
  title: (
    <>
      <span className="hidden sm:inline">Drag and drop your video here or click to browse</span>
      <span className="sm:hidden">Tap here to select your video</span>
    </>
  ),
  hint: `One video at a time: MP4, MOV, MKV, WebM, AVI and others, up to ${LOCAL_FILE_MAX_BYTES / GIB} GB. It is checked on this device before anything is sent.`,
  preview: 'What you can make from your video',
  previewHint: 'Start your upload to continue to this step',
} as const

/** The columns of the first step: the upload, and what can be made of it. */
export const CHOOSE_COLUMNS =
  'grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]'
