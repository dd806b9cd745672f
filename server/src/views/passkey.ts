import type { components } from '#openapi/schema.gen.ts'
import type { PasskeyRow } from '#server/db/rows.ts'

/** A passkey as the contract shows it. */
export function viewPasskey({
  id,
  name,
  isBackedUp,
  createdAt,
  lastUsedAt,
}: PasskeyRow): components['schemas']['Passkey'] {
  return {
    _id: id,
    name,
    isBackedUp,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
