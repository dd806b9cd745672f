import type { components } from '#openapi/schema.gen.ts'
import type { EditSetRow } from '#server/db/rows.ts'

type Schemas = components['schemas']

/** A set of edits as the contract shows it. */
export function viewEditSet(set: EditSetRow): Schemas['EditSet'] {
  return {
    _id: set.id,
    name: set.name,
    // Only `saveEditSet` writes them, and the contract has checked them there.
    mediaJobTaskRequests: set.requests as Schemas['EditSet']['mediaJobTaskRequests'],
    createdAt: set.createdAt.toISOString(),
  }
}
