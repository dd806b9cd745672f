import { cutTo } from '#recipes/naming.ts'
import { shownName } from '#recipes/shown-name.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { Problem } from '#server/problems.ts'

/**
 * Extensions of files that are certainly nothing to edit. Unknown and missing extensions pass: the
 * content decides.
 */
const NEVER_MEDIA: ReadonlySet<string> = new Set(
  'txt md pdf doc docx xls xlsx ppt pptx csv json xml html htm svg zip rar 7z gz exe dmg apk js m3u m3u8 mpd srt vtt psd'.split(
    ' ',
  ),
)
/** Extensions of pictures and sound, which assets may be and videos may not. */
const NOT_VIDEO: ReadonlySet<string> = new Set(
  'jpg jpeg png webp heic bmp tif tiff mp3 wav aac flac m4a aiff wma'.split(' '),
)

type Upload = Pick<UploadRow, 'purpose' | 'provider'>

/** Refuses a name whose extension says that the file is no media, with `request/invalid`. */
export function refuseName(name: string, { purpose, provider }: Upload): void {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!NEVER_MEDIA.has(extension) && (purpose === 'media-asset' || !NOT_VIDEO.has(extension)))
    return
  const whatToDo = whatIsAccepted(extension, purpose)
  const isChecked = purpose !== 'media-asset' && provider === 's3-multipart'
  throw new Problem('request/invalid', isChecked ? S3_CHECK : whatToDo, {
    fields: { 'uploadRequest.upload.metadata.clientFilename': whatToDo },
  })
}

/** As specified for the provider; the field says what to do. */
const S3_CHECK = 'Invalid file type for S3 multipart upload.'

function whatIsAccepted(extension: string, purpose: Upload['purpose']): string {
  if (purpose !== 'media-asset') return 'Only video files are accepted'
  // They may hold scripts, and name other files.
  return extension === 'svg'
    ? 'SVG images cannot be used. Please export it as PNG and upload that.'
    : 'Only video, image, and audio files are accepted'
}

/** What a name may be long, in UTF-16 as systems count. */
const MOST_UNITS = 255

/**
 * The last part of a path of any system, without control characters and marks of direction, with
 * its ending; at most 255 characters. Composed (NFC), as people type it: macOS takes letters and
 * accents apart.
 */
export function baseName(name: string): string {
  const last = (
    shownName(name)
      .split(/[\\/]/)
      .findLast((segment) => segment.trim() !== '') ?? ''
  )
    .toWellFormed()
    .normalize()
    .replace(/\p{Cc}/gu, '')
    .trim()
  const [, stem = last, ending = ''] = /^(.+?)(\.[^.]{1,16})?$/su.exec(last) ?? []
  const cut = cutTo(stem, MOST_UNITS - ending.length, (text) => text.length)
  return last === '' ? 'video' : cut + ending
}
