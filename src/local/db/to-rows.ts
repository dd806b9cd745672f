import type { components } from '#openapi/schema.gen.ts'
import type { MediaJobRow, OrderRow } from './rows.ts'

type Schemas = components['schemas']

/**
 * [Note: age of an answer] `pulledAtEpochMs` is when the request was *sent*; for a write, when it
 * was *answered*. So an answer that a newer one overtook (a slow list after a payment) loses in
 * `putUnlessNewer`.
 */
export function mediaJobToRow(value: Schemas['MediaJob'], pulledAtEpochMs: number): MediaJobRow {
  return {
    _id: value._id,
    value,
    pulledAtEpochMs,
    name: value.name,
    createdAt: value.createdAt,
    uploadRequestId: value.uploadRequestId,
  }
}

/** See [Note: age of an answer]. */
export function orderToRow(value: Schemas['Order'], pulledAtEpochMs: number): OrderRow {
  return { _id: value._id, value, pulledAtEpochMs, mediaJobId: value.mediaJobId }
}
