import type { PartLocks } from '#server/object-store/part-locks.ts'

/** Locks of a store that only this process serves. */
export const lonePartLocks: PartLocks = {
  take: async () => ({ release: async () => undefined }),
}
