import { useMediaJob } from '#src/hooks/use-media-job.ts'
import type { Order } from '#src/hooks/use-order.ts'
import { usePresets, type Preset } from '#src/hooks/use-presets.ts'
import { useOrderAgain } from '#src/hooks/use-order-again.ts'
import { OrderedVideo } from './OrderedVideo.tsx'
import { ReadyLine } from './ReadyLine.tsx'
import { OrderItems } from './OrderItems.tsx'

/** What is ordered, with the options of its job; until it is paid, the way back to the formats. */
export function OrderedEdits({ order }: { readonly order: Order }) {
  const presets = usePresets().data ?? []
  return order.mediaJobId === null ? (
    <OrderItems order={order} presets={presets} requests={[]} onChange={null} />
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
  const orderAgain = useOrderAgain()
  // Replaces the checkout, which follows again after Submit, so that Back finds it once.
  const onChange = job === null ? 'reading' : () => void orderAgain(job, { replace: true })
  const requests = job?.mediaJobTaskRequests ?? []
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
      requests={requests}
      onChange={order.isFullyPaid ? null : onChange}
    />
  )
}
