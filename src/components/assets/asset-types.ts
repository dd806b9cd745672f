import type { UploadRow } from '#src/local/db/rows.ts'
import { VIDEO_EXTENSIONS } from '#src/components/uploads/video-types.ts'

/** What a file for an asset may be, before it is read. */
export type AssetKind = 'video' | 'image' | 'audio'

/** SVG is not among them: it can carry scripts and load other files. */
const EXTENSIONS: Readonly<Record<AssetKind, readonly string[]>> = {
  video: VIDEO_EXTENSIONS,
  image: ['.jpg', '.jpeg', '.png', '.webp', '.gif', '.bmp', '.tif', '.tiff', '.heic', '.avif'],
  audio: [
    '.mp3',
    '.m4a',
    '.aac',
    '.wav',
    '.flac',
    '.ogg',
    '.oga',
    '.opus',
    '.aif',
    '.aiff',
    '.wma',
  ],
}
const KINDS = ['video', 'image', 'audio'] as const

/** `accept` of a file input. */
export const ASSET_ACCEPT = KINDS.flatMap((kind) => [`${kind}/*`, ...EXTENSIONS[kind]]).join(',')

/** For browsers whose picker gives lasting file handles. */
export const ASSET_PICKER_TYPES: readonly FilePickerAcceptType[] = [
  {
    description: 'Videos, pictures and sounds',
    accept: {
      'video/*': [...VIDEO_EXTENSIONS],
      'image/*': EXTENSIONS.image.map(asExtension),
      'audio/*': EXTENSIONS.audio.map(asExtension),
    },
  },
]

/** Whether the drop zone accepts a MIME type. An unknown (empty) type passes, as for videos. */
export function isAssetType(type: string): boolean {
  return type === '' || type === 'application/octet-stream' || kindOfType(type) !== null
}

/** What a chosen file may be, by type or extension; null for anything that no edit can use. */
export function assetKindOf(file: {
  readonly name: string
  readonly type: string
}): AssetKind | null {
  const name = file.name.toLowerCase()
  if (name.endsWith('.svg')) return null
  return (
    kindOfType(file.type) ??
    KINDS.find((kind) => EXTENSIONS[kind].some((extension) => name.endsWith(extension))) ??
    null
  )
}

/** A file and what it is uploaded for. */
export interface NamedFile extends Pick<UploadRow, 'purpose'> {
  readonly file: Pick<UploadRow['file'], 'name' | 'type'>
}

export type FileWord = 'video' | 'picture' | 'sound' | 'file'

/** What a person calls the file of an upload. 'file' is said where its kind is not known. */
export function fileWord({ purpose, file }: NamedFile): FileWord {
  const kind = purpose === 'media-job' ? 'video' : assetKindOf(file)
  switch (kind) {
    case 'video':
      return 'video'
    case 'image':
      return 'picture'
    case 'audio':
      return 'sound'
    case null:
      return 'file'
  }
}

function kindOfType(type: string): AssetKind | null {
  if (type === 'image/svg+xml') return null
  return KINDS.find((kind) => type.startsWith(`${kind}/`)) ?? null
}

function asExtension(extension: string): `.${string}` {
  return `.${extension.slice(1)}`
}
