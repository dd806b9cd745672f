/**
 * What a video may be called or typed as (4.48: by type or extension; the probe decides
 * afterwards). Extensions matter where the system knows no type for them (MKV on macOS, MTS
 * everywhere).
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

/** For browsers with their own picker, which gives lasting handles. */
export const VIDEO_PICKER_TYPES: readonly FilePickerAcceptType[] = [
  { description: 'Videos', accept: { 'video/*': [...VIDEO_EXTENSIONS] } },
]

/**
 * Whether the drop zone takes a MIME type; an unknown (empty) one is decided by the name and the
 * probe.
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
