import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  flowMove,
  flowState,
  olderOrderTarget,
  orderTarget,
  type FlowFacts,
} from '#src/features/upload/flow-state.ts'
import type { SubmissionRow } from '#src/hooks/sync/use-outbox.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'

const order = (isFullyPaid: boolean): NonNullable<FlowFacts['order']> => ({
  _id: 'order-1',
  mediaJobId: 'job-1',
  status: isFullyPaid ? 'paid' : 'open',
  lineItems: [],
  lineItemsTotalCoinAmount: 300,
  paidTotalCoinAmount: 0,
  refundedTotalCoinAmount: 0,
  remainingPayableCoinAmount: 300,
  walletCoinTransactions: [],
  isFullyPaid,
  hasPaidWalletCoinTransactions: isFullyPaid,
  createdAt: '2026-11-21T09:30:00.000Z',
})
const job: NonNullable<FlowFacts['job']> = {
  _id: 'job-1',
  uploadRequestId: 'request-1',
  name: 'Scene',
  tasks: [],
  mediaJobTaskRequests: [],
  progressRatio: 0,
  isMediaWorkflowStarted: false,
  isMediaWorkflowFailed: false,
  isUploadRequestFailed: false,
  isUploadRequestCompleted: true,
  isUploadRequestValidated: true,
  orderIsPlaced: false,
  orderId: null,
  estimatedCompletedAt: null,
  thumbnailUrl: null,
  videoDuration: null,
  isHeld: false,
  attestedAt: null,
  createdAt: '2026-11-21T09:30:00.000Z',
}
const submission = (mediaJobId: string | null): SubmissionRow => ({
  id: 'row-1',
  idempotencyKey: 'key-1',
  state: { kind: 'waiting' },
  attempt: 0,
  notBeforeEpochMs: 0,
  createdAtEpochMs: 0,
  intent: {
    kind: 'submit-edits',
    uploadId: 'upload-1',
    uploadRequestId: 'request-1',
    requests: [],
    mediaJobId,
    stage: 'creating-job',
    isReceived: false,
    needsAnalysis: false,
    isAnalysed: false,
    polls: 0,
    polledForMs: 0,
  },
})
const routes = fc.constantFrom<FlowFacts['route']>(
  { kind: 'new' },
  { kind: 'formats', uploadRequestId: 'request-1' },
  { kind: 'again', uploadRequestId: 'request-1', taskId: 'task-1' },
  { kind: 'status', mediaJobId: 'job-1' },
  { kind: 'checkout', orderId: 'order-1' },
)
const facts: fc.Arbitrary<FlowFacts> = fc.record({
  route: routes,
  submission: fc.constantFrom(undefined, null, submission(null), submission('job-1')),
  job: fc.constantFrom(undefined, null, job),
  order: fc.constantFrom(undefined, null, order(false), order(true)),
  awaited: fc.constantFrom(null, submission('job-1')),
})
const base: FlowFacts = {
  route: { kind: 'new' },
  submission: null,
  job: null,
  order: null,
  awaited: null,
}

describe('the one screen of the checkout flow', () => {
  it('APP-10 shows one view for any facts, and never moves back', () => {
    const place = { new: 0, formats: 1, again: 1, status: 2, checkout: 3 }
    fc.assert(
      fc.property(facts, (given) => {
        expect(flowState(given).view).toBeTruthy()
        const move = flowMove(given)
        if (move !== null) expect(place[move.kind]).toBeGreaterThan(place[given.route.kind])
      }),
    )
  })

  it('never says that something is missing which the server did not say', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const isSaid = given.job === null || given.order === null
        const { view } = flowState(given)
        expect(!isSaid && (view === 'missing' || view === 'no-order')).toBe(false)
        expect(given.order === undefined && view === 'no-order').toBe(false)
      }),
    )
  })

  it('JOB-05 shows the full bar where the preparation was shown before', () => {
    const status = { ...base, route: { kind: 'status', mediaJobId: 'job-1' } as const, job }
    const prepared = { ...status, order: order(false), awaited: submission('job-1') }
    expect(flowState(prepared).view).toBe('prepared')
    expect(flowMove(prepared)?.kind).toBe('checkout')
    expect(flowState({ ...prepared, awaited: null }).view).toBe('payment')
  })

  it('JOB-02 goes to the status as soon as there is a job, then to the checkout', () => {
    const formats = { ...base, route: { kind: 'formats', uploadRequestId: 'request-1' } as const }
    expect(flowMove({ ...formats, submission: submission(null) })).toBeNull()
    expect(flowState({ ...formats, submission: submission(null) }).view).toBe('preparing')
    expect(flowMove({ ...formats, submission: submission('job-1') })).toEqual({
      kind: 'status',
      mediaJobId: 'job-1',
    })
    const status = { ...base, route: { kind: 'status', mediaJobId: 'job-1' } as const, job }
    expect(flowState({ ...status, submission: submission('job-1') }).view).toBe('preparing')
    expect(flowMove({ ...status, order: order(false) })).toEqual({
      kind: 'checkout',
      orderId: 'order-1',
    })
  })

  it('JOB-03 shows payment until the order is paid, then the work', () => {
    const checkout = { ...base, route: { kind: 'checkout', orderId: 'order-1' } as const }
    expect(flowState({ ...checkout, order: order(false) }).view).toBe('payment')
    expect(flowState({ ...checkout, order: order(true) }).view).toBe('work')
    expect(flowState(checkout)).toEqual({ step: 'order', view: 'missing', what: 'order' })
    expect(flowState({ ...base, route: { kind: 'status', mediaJobId: 'job-1' }, job }).view).toBe(
      'no-order',
    )
  })
})

it('LIF-08 an order leads to its checkout only with the right to order and payments on', () => {
  fc.assert(
    fc.property(fc.subarray(Object.values(PERMISSIONS)), fc.boolean(), (held, paymentsEnabled) => {
      const target = orderTarget('order-1', held, { paymentsEnabled })
      const mayOrder = held.includes('create:orders')
      expect(target === '/uploads/orders/order-1/checkout').toBe(mayOrder && paymentsEnabled)
      expect(target === null).toBe(!mayOrder)
    }),
  )
})

it('LIF-08 an order of the older flow leads to its checkout under the same conditions, else to the library', () => {
  fc.assert(
    fc.property(fc.subarray(Object.values(PERMISSIONS)), fc.boolean(), (held, paymentsEnabled) => {
      const mayPay = held.includes('create:orders') && paymentsEnabled
      expect(olderOrderTarget('order-1', held, { paymentsEnabled })).toBe(
        mayPay ? '/orders/order-1/checkout' : '/edits',
      )
    }),
  )
})
