import { v7 } from 'uuid'

/** Source of identifiers, handed in so that tests can count them. */
export interface Ids {
  /** A new UUIDv7: unguessable, ordered by time of making. */
  uuid(): string
}

/**
 * Identifiers from the context's random source; works without a secure context, unlike
 * `crypto.randomUUID`.
 */
export function createIds(): Ids {
  return { uuid: () => v7() }
}

/**
 * The upload request's `idempotencyKey` as specified: a random string plus a timestamp. Made once
 * per upload.
 */
export function uploadIdempotencyKey(ids: Ids, nowEpochMs: number): string {
  return `${ids.uuid()}-${nowEpochMs}`
}
