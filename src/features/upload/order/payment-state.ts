import type { components } from '#openapi/schema.gen.ts'

type MediaJob = components['schemas']['MediaJob']
type Order = components['schemas']['Order']

/** The payment states of the specification (ORD-09). */
export type PaymentState = 'Awaiting Payment' | 'Upload Processing' | 'Complete'

/**
 * Complete: paid, and the server has the whole upload and has checked it. Not by the percentage,
 * which other devices do not know (docs/product-decisions.md#complete).
 */
export function paymentState(
  { isFullyPaid }: Pick<Order, 'isFullyPaid'>,
  upload: Pick<MediaJob, 'isUploadRequestCompleted' | 'isUploadRequestValidated'>,
): PaymentState {
  if (!isFullyPaid) return 'Awaiting Payment'
  return upload.isUploadRequestCompleted && upload.isUploadRequestValidated
    ? 'Complete'
    : 'Upload Processing'
}
