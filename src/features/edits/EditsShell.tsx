import { EditsLoading } from './EditsLoading.tsx'
import { Page } from '#src/ui/Page.tsx'

/** The look of `EditsScreen` before the app has started. */
export function EditsShell() {
  return (
    <Page title={EDITS_TITLE}>
      <EditsLoading />
    </Page>
  )
}

export const EDITS_TITLE = 'Your Edits'
