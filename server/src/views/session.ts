import type { components } from '#openapi/schema.gen.ts'
import type { SessionRow } from '#server/db/rows.ts'

/** A signed-in device as the contract shows it, to the session that asks. */
export function viewSession(
  { id, deviceName, createdAt, lastSeenAt }: SessionRow,
  askingId: string | null,
): components['schemas']['Session'] {
  return {
    _id: id,
    deviceName,
    isCurrent: id === askingId,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }
}
