import { lazy, Suspense, type ComponentType } from 'react'
import { useLive } from '#src/hooks/sync/use-live.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isActive } from '#src/local/db/upload-states.ts'
import { orderedEdits } from '#src/local/edits/ordered-edits.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'

interface OrderedOfVideo {
  readonly row: UploadRow
  readonly requests: readonly TaskRequest[]
}

/** Few pages have something to send first, so that it is loaded where there is. */
const SendOrdered = lazy<ComponentType<OrderedOfVideo>>(async () => ({
  default: await import('#src/features/upload/first/SendOrdered.tsx').then(
    (loaded) => loaded.SendOrdered,
    // Without a connection nothing is sent; a page that opens later does it.
    () => Nothing,
  ),
}))

/**
 * Sends first what the ordered edits of videos on their way show, on whatever page: the page that
 * ordered them may have been closed, and another device may have ordered them. Renders nothing.
 */
export function OrderedFirst({ uploads }: { readonly uploads: readonly UploadRow[] }) {
  return uploads.map((row) =>
    row.purpose === 'media-job' && row.uploadRequestId !== null && isActive(row.state.kind) ? (
      <OrderedOf key={row.id} row={row} uploadRequestId={row.uploadRequestId} />
    ) : null,
  )
}

function OrderedOf({
  row,
  uploadRequestId,
}: {
  readonly row: UploadRow
  readonly uploadRequestId: string
}) {
  const ordered = useLive(`ordered:${uploadRequestId}`, (db) =>
    orderedEdits(db, { id: row.id, uploadRequestId }),
  )
  return ordered.kind === 'ready' && ordered.value.length > 0 ? (
    <Suspense fallback={null}>
      <SendOrdered row={row} requests={ordered.value} />
    </Suspense>
  ) : null
}

function Nothing() {
  return null
}
