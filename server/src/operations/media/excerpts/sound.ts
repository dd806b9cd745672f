import type { SourceProbe } from '#recipes/types.ts'
import type { UploadRow } from '#server/db/rows.ts'

/** Whether an excerpt was checked with the sound that its owner has chosen for the video by now. */
export function hasChosenSound(
  { tracks }: SourceProbe,
  { chosenSound }: Pick<UploadRow, 'chosenSound'>,
): boolean {
  return chosenSound === null || chosenSound === (tracks?.sound ?? 0)
}
