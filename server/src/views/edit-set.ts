import type { components } from '#openapi/schema.gen.ts'
import type { EditSetRow } from '#server/db/rows.ts'

/** A set of edits as the contract shows it. */
export function viewEditSet(set: EditSetRow): components['schemas']['EditSet'] {
  return {
    _id: set.id,
    name: set.name,
    mediaJobTaskRequests: [...set.requests],
    createdAt: set.createdAt.toISOString(),
  }
}
