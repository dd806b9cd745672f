import { useMediaJob } from '#src/hooks/edits/use-media-job.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { usePresets, type Preset } from '#src/hooks/edits/use-presets.ts'
import { useChangeChoice } from '#src/hooks/edits/use-change-choice.ts'
import { redoneTaskId } from '#src/local/edits/redo.ts'
import { OrderedVideo } from './OrderedVideo.tsx'
import { ReadyLine } from './ReadyLine.tsx'
import { OrderItems } from './OrderItems.tsx'

/** What is ordered, with the options of its job; until it is paid, the way back to the formats. */
export function OrderedEdits({ order }: { readonly order: Order }) {
  const presets = usePresets().data ?? []
  return order.mediaJobId === null ? (
    <OrderItems order={order} presets={presets} job={null} onChange={null} />
  ) : (
    <JobItems order={order} presets={presets} mediaJobId={order.mediaJobId} />
  )
}

function JobItems({
  order,
  presets,
  mediaJobId,
}: {
  readonly order: Order
  readonly presets: readonly Preset[]
  readonly mediaJobId: string
}) {
  const job = useMediaJob(mediaJobId).data
  const change = useChangeChoice()
  const onChange =
    job === null
      ? 'reading'
      : () =>
          void change({
            uploadRequestId: job.uploadRequestId,
            requests: job.mediaJobTaskRequests,
            redoOfTaskId: redoneTaskId(job),
            submissionId: null,
          })
  return (
    <OrderItems
      order={order}
      video={
        <>
          <OrderedVideo job={job} />
          {order.isFullyPaid ? null : <ReadyLine job={job} />}
        </>
      }
      presets={presets}
      job={job}
      onChange={order.isFullyPaid ? null : onChange}
    />
  )
}
