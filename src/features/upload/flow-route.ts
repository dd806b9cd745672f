import { matchPath } from 'react-router'
import type { FlowRoute } from './flow-state.ts'

/**
 * Which of the four routes an address is. Any other address counts as a new upload, the beginning
 * of the flow.
 */
export function flowRoute(pathname: string): FlowRoute {
  const formats = matchPath('/uploads/:uploadRequestId/media-jobs/new', pathname)?.params
    .uploadRequestId
  if (formats !== undefined) return { kind: 'formats', uploadRequestId: formats }
  const status = matchPath('/uploads/media-jobs/:mediaJobId/status', pathname)?.params.mediaJobId
  if (status !== undefined) return { kind: 'status', mediaJobId: status }
  const checkout = matchPath('/uploads/orders/:orderId/checkout', pathname)?.params.orderId
  return checkout === undefined ? { kind: 'new' } : { kind: 'checkout', orderId: checkout }
}
