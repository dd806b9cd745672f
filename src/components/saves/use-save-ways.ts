import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'

/** A cloud that finished edits can be saved to. */
export type SaveWay = 'drive' | 'dropbox'

/** What its button and its item of a menu say. */
export const SAVE_LABELS: Readonly<Record<SaveWay, string>> = {
  drive: 'Save to Google Drive',
  dropbox: 'Save to Dropbox',
}

/** The clouds that this server has keys of; none until it has answered once. */
export function useSaveWays(): readonly SaveWay[] {
  const capabilities = useCapabilities().data
  const ways: SaveWay[] = []
  if (capabilities?.areas.externalAuths === true) ways.push('drive')
  // One key of Dropbox is for its chooser and its saver.
  if (capabilities?.uploads.providers.includes('dropbox-chooser-single-file') === true)
    ways.push('dropbox')
  return ways
}
