import { useNavigate } from 'react-router'
import { paths } from '#src/config/paths.ts'
import { useMediaJob } from '#src/hooks/use-media-job.ts'
import type { MediaJob } from '#src/hooks/use-library.ts'
import type { Order } from '#src/hooks/use-order.ts'
import { usePresets, type Preset } from '#src/hooks/use-presets.ts'
import { useSaveSelection } from '#src/hooks/use-selection.ts'
import { OrderedVideo } from './OrderedVideo.tsx'
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
  const navigate = useNavigate()
  const job = useMediaJob(mediaJobId).data
  const save = useSaveSelection(job?.uploadRequestId ?? '')
  const change = async ({ mediaJobTaskRequests, uploadRequestId }: MediaJob) => {
    await save(mediaJobTaskRequests)
    // Replaces the checkout, which follows again after Submit, so that Back finds it once.
    await navigate(paths.newMediaJob(uploadRequestId), { replace: true })
  }
  const onChange = job === null ? 'reading' : () => void change(job)
  const requests = job?.mediaJobTaskRequests ?? []
  return (
    <OrderItems
      order={order}
      video={<OrderedVideo job={job} />}
      presets={presets}
      requests={requests}
      onChange={order.isFullyPaid ? null : onChange}
    />
  )
}
