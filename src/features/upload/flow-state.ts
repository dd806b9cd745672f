import { matchPath } from 'react-router'
import type { components } from '#openapi/schema.gen.ts'
import type { Env } from '#src/config/env.ts'
import { flowPatterns, paths } from '#src/config/paths.ts'
import { hasPermission, PERMISSIONS } from '#src/config/permissions.ts'
import type { SubmissionRow } from '#src/hooks/sync/use-outbox.ts'

type MediaJob = components['schemas']['MediaJob']
type Order = components['schemas']['Order']

/** The four routes of the checkout flow and that of a redo, as the address names them. */
export type FlowRoute =
  | { readonly kind: 'new' }
  | { readonly kind: 'formats'; readonly uploadRequestId: string }
  | { readonly kind: 'again'; readonly uploadRequestId: string; readonly taskId: string }
  | { readonly kind: 'status'; readonly mediaJobId: string }
  | { readonly kind: 'checkout'; readonly orderId: string }

/**
 * Which of these routes an address is. Any other address counts as a new upload, the beginning
 * of the flow.
 */
export function flowRoute(pathname: string): FlowRoute {
  const formats = matchPath(flowPatterns.newMediaJob, pathname)?.params.uploadRequestId
  if (formats !== undefined) return { kind: 'formats', uploadRequestId: formats }
  const again = matchPath(flowPatterns.makeAgain, pathname)?.params
  if (again?.uploadRequestId !== undefined && again.taskId !== undefined)
    return { kind: 'again', uploadRequestId: again.uploadRequestId, taskId: again.taskId }
  const status = matchPath(flowPatterns.mediaJobStatus, pathname)?.params.mediaJobId
  if (status !== undefined) return { kind: 'status', mediaJobId: status }
  const checkout = matchPath(flowPatterns.uploadCheckout, pathname)?.params.orderId
  return checkout === undefined ? { kind: 'new' } : { kind: 'checkout', orderId: checkout }
}

/** What is known; undefined while it is not, null where the server said that it does not exist. */
export interface FlowFacts {
  readonly route: FlowRoute
  /** The submission of this upload or job that the server has not fully answered. */
  readonly submission: SubmissionRow | null | undefined
  /** The submission that the screen showed in preparation before; null for none. */
  readonly awaited: SubmissionRow | null
  readonly job: MediaJob | null | undefined
  /** The order of the address, or the job's: the one that is not cancelled, else the newest. */
  readonly order: Order | null | undefined
}

export type FlowStep = 'upload' | 'formats' | 'order' | 'work'

/** What the screen of the flow shows. */
export type FlowState =
  | { readonly step: 'upload'; readonly view: 'upload' }
  | { readonly step: 'formats'; readonly view: 'formats'; readonly uploadRequestId: string }
  | { readonly step: 'order'; readonly view: 'reading' }
  | { readonly step: 'order'; readonly view: 'preparing'; readonly submission: SubmissionRow }
  | { readonly step: 'order'; readonly view: 'prepared'; readonly submission: SubmissionRow }
  | { readonly step: 'order'; readonly view: 'no-order'; readonly job: MediaJob }
  | { readonly step: 'order'; readonly view: 'payment'; readonly order: Order }
  | { readonly step: 'order'; readonly view: 'missing'; readonly what: 'job' | 'order' }
  | { readonly step: 'work'; readonly view: 'work'; readonly order: Order }

/** Decides what the screen shows: exactly one view for any facts. */
export function flowState(facts: FlowFacts): FlowState {
  const { route, submission, awaited, job, order } = facts
  switch (route.kind) {
    case 'new':
      return { step: 'upload', view: 'upload' }
    case 'formats':
    case 'again':
      return submission === null || submission === undefined
        ? { step: 'formats', view: 'formats', uploadRequestId: route.uploadRequestId }
        : { step: 'order', view: 'preparing', submission }
    case 'status':
      if (submission !== null && submission !== undefined)
        return { step: 'order', view: 'preparing', submission }
      if (order !== null && order !== undefined)
        return awaited === null
          ? ofOrder(order)
          : { step: 'order', view: 'prepared', submission: awaited }
      if (job === null) return { step: 'order', view: 'missing', what: 'job' }
      return submission === undefined || job === undefined || order === undefined
        ? { step: 'order', view: 'reading' }
        : { step: 'order', view: 'no-order', job }
    case 'checkout':
      if (order !== null && order !== undefined) return ofOrder(order)
      return order === undefined
        ? { step: 'order', view: 'reading' }
        : { step: 'order', view: 'missing', what: 'order' }
  }
}

/** The address that matches what has become known, or null to stay. Only moves forward. */
export type FlowMove =
  | { readonly kind: 'status'; readonly mediaJobId: string }
  | { readonly kind: 'checkout'; readonly orderId: string }
  | null

/**
 * Where the screen moves on its own: to the status once the job exists, to the checkout once the
 * order exists.
 */
export function flowMove(facts: FlowFacts): FlowMove {
  const { route, submission, order } = facts
  if (route.kind === 'formats' || route.kind === 'again') {
    const mediaJobId = submission?.intent.mediaJobId ?? null
    return mediaJobId === null ? null : { kind: 'status', mediaJobId }
  }
  if (route.kind === 'status' && submission === null && order !== null && order !== undefined)
    return { kind: 'checkout', orderId: order._id }
  return null
}

function ofOrder(order: Order): FlowState {
  return order.isFullyPaid
    ? { step: 'work', view: 'work', order }
    : { step: 'order', view: 'payment', order }
}

/**
 * Where an order leads that is ready to be paid: to the checkout, or to the library where the build
 * shows none. Null without the right to order: a dialog blocks the step until there is a
 * subscription, and then it leads on.
 */
export function orderTarget(
  orderId: string,
  permissions: readonly string[],
  { paymentsEnabled }: Pick<Env, 'paymentsEnabled'>,
): string | null {
  if (!hasPermission(permissions, PERMISSIONS.createOrders)) return null
  return paymentsEnabled ? paths.uploadCheckout(orderId) : paths.edits
}

/**
 * Where an order of the older flow leads: to its checkout, or to the library where the build shows
 * none and for who may not order.
 */
export function olderOrderTarget(
  orderId: string,
  permissions: readonly string[],
  { paymentsEnabled }: Pick<Env, 'paymentsEnabled'>,
): string {
  return paymentsEnabled && hasPermission(permissions, PERMISSIONS.createOrders)
    ? paths.orderCheckout(orderId)
    : paths.edits
}
