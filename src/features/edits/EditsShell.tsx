import { EditsLoading } from './EditsLoading.tsx'
import { Page } from '#src/ui/Page.tsx'

/** The look of `EditsScreen` before the app has started. */
export function EditsShell() {
  return (
    <Page title={EDITS_TITLE} lead={EDITS_LEAD}>
      <EditsLoading />
    </Page>
  )
}

export const EDITS_TITLE = 'Your Edits'
/** Stands until there are edits, also before the app has started. */
export const EDITS_LEAD =
  'Upload a video, choose your edits, and download them here when they are finished.'
