import { DatabaseZap } from 'lucide-react'
import { useState } from 'react'
import { useDataDeletions } from './use-data-deletions.ts'
import { Button } from '#src/ui/Button.tsx'

/** Says that the browser deleted the data of this site while the page was open. */
export function DeletedDataBar() {
  const count = useDataDeletions()
  const [seenCount, setSeenCount] = useState(0)
  if (count <= seenCount) return null
  return (
    <div
      role="status"
      className="fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-40 flex animate-rise flex-wrap items-start gap-x-4 gap-y-3 rounded-card border border-line bg-surface-raised p-4 shadow-3 sm:right-auto sm:max-w-md"
    >
      <DatabaseZap aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
      <div className="min-w-0 flex-1 text-[0.9375rem]">
        <p className="font-semibold">The data of Onecut in this browser was deleted.</p>
        <p className="mt-0.5 text-ink-muted">
          What has arrived at the server is safe. Uploads continue if this page still has their
          file; for the others, choose the file again. Edits that you chose but did not submit have
          to be chosen again.
        </p>
      </div>
      <Button size="small" variant="secondary" onPress={() => setSeenCount(count)}>
        OK
      </Button>
    </div>
  )
}
