import { ASSET_ACCEPT, ASSET_PICKER_TYPES } from '#src/components/assets/asset-types.ts'
import { VIDEO_ACCEPT, VIDEO_PICKER_TYPES } from './video-types.ts'
import { paths } from '#src/config/paths.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

const VIDEO = {
  accept: VIDEO_ACCEPT,
  pickerTypes: VIDEO_PICKER_TYPES,
  choosePath: paths.newUpload,
}

/** How an upload's file is chosen, and where, by what it is for. */
export const FILE_KINDS: Readonly<
  Record<
    UploadRow['purpose'],
    {
      readonly accept: string
      readonly pickerTypes: readonly FilePickerAcceptType[]
      readonly choosePath: string
    }
  >
> = {
  'media-job': VIDEO,
  // Chosen with its video.
  excerpt: VIDEO,
  'media-asset': {
    accept: ASSET_ACCEPT,
    pickerTypes: ASSET_PICKER_TYPES,
    choosePath: paths.mediaAssets,
  },
}
