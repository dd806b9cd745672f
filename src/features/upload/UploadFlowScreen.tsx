import { useLocation } from 'react-router'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { usePermission, useSession } from '#src/hooks/account/use-session.ts'
import { externalAuths } from '#src/local/nouns/external-auths.ts'
import { MakeAgainStep } from '#src/features/upload/again/MakeAgainStep.tsx'
import { CheckoutStep } from '#src/features/upload/order/CheckoutStep.tsx'
import { FlowFrame } from './FlowFrame.tsx'
import { flowRoute } from './flow-state.ts'
import { FormatsStep } from '#src/features/upload/formats/FormatsStep.tsx'
import { NewUpload } from '#src/features/upload/choose/NewUpload.tsx'
import { StatusStep } from '#src/features/upload/order/StatusStep.tsx'
import { OrderingNeedsSubscription } from './OrderingNeedsSubscription.tsx'

/** The one screen of the checkout flow. It stays mounted across its routes (APP-10). */
export function UploadFlowScreen() {
  const { pathname, key } = useLocation()
  const isSignedIn = useSession().kind === 'signed-in'
  const mayOrder = usePermission(PERMISSIONS.createOrders)
  return (
    <>
      {isSignedIn ? <Drives /> : null}
      <Step pathname={pathname} visit={key} />
      {isSignedIn && !mayOrder ? <OrderingNeedsSubscription /> : null}
    </>
  )
}

/** Keeps what is known of connected drives fresh on all routes, where this server has any. */
function Drives() {
  return useCapabilities().data?.areas.externalAuths === true ? <FreshDrives /> : null
}

function FreshDrives() {
  useNounList(externalAuths)
  return null
}

function Step({ pathname, visit }: { readonly pathname: string; readonly visit: string }) {
  const route = flowRoute(pathname)
  switch (route.kind) {
    case 'new':
      // Pressing New Upload here starts a new choice; a running upload continues in the queue.
      return (
        <FlowFrame step="upload">
          <NewUpload key={visit} />
        </FlowFrame>
      )
    case 'formats':
      return <FormatsStep key={route.uploadRequestId} uploadRequestId={route.uploadRequestId} />
    case 'again':
      return (
        <MakeAgainStep
          key={route.taskId}
          uploadRequestId={route.uploadRequestId}
          taskId={route.taskId}
        />
      )
    case 'status':
      return <StatusStep key={route.mediaJobId} mediaJobId={route.mediaJobId} />
    case 'checkout':
      return <CheckoutStep key={route.orderId} orderId={route.orderId} />
  }
}
