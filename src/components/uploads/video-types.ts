/**
 * File name extensions of videos. A file is accepted by its MIME type or by its extension, and the
 * probe decides afterwards (docs/product-decisions.md#file-types-and-sizes). Extensions matter
 * where the system knows no type (MKV on macOS, MTS everywhere).
 */
export const VIDEO_EXTENSIONS = [
  '.mp4',
  '.mov',
  '.m4v',
  '.mkv',
  '.webm',
  '.avi',
  '.wmv',
  '.mts',
  '.m2ts',
  '.ts',
  '.mpg',
  '.mpeg',
  '.3gp',
  '.flv',
  '.ogv',
] as const

/** `accept` of a file input. */
export const VIDEO_ACCEPT = ['video/*', ...VIDEO_EXTENSIONS].join(',')

/** For browsers whose picker gives lasting file handles. */
export const VIDEO_PICKER_TYPES: readonly FilePickerAcceptType[] = [
  { description: 'Videos', accept: { 'video/*': [...VIDEO_EXTENSIONS] } },
]

/**
 * Whether the drop zone accepts a MIME type. An unknown (empty) type passes: the name and the probe
 * decide.
 */
export function isVideoType(type: string): boolean {
  return type === '' || type.startsWith('video/') || type === 'application/octet-stream'
}

/** Whether a chosen file may be a video, by type or extension. */
export function mayBeVideo(file: { readonly name: string; readonly type: string }): boolean {
  const name = file.name.toLowerCase()
  return (
    file.type.startsWith('video/') || VIDEO_EXTENSIONS.some((extension) => name.endsWith(extension))
  )
}
