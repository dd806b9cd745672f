import { ShowHidden } from '#src/components/jobs/ShowHidden.tsx'
import { DocumentTitle } from '#src/ui/DocumentTitle.tsx'
import { Page } from '#src/ui/Page.tsx'

/** Stands in the place of a screen whose address names a hidden scene. */
export function HiddenSceneScreen() {
  return (
    <Page title="This scene is hidden">
      <DocumentTitle screen="Hidden" />
      <p>Show it with the passkey that this app is locked with.</p>
      <ShowHidden words="Show it" />
    </Page>
  )
}
