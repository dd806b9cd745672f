import type { UploadLocks } from '#src/local/uploads/ports.ts'

/**
 * Locks of this origin, shared by all tabs and workers. The browser frees the locks of a context
 * that ends.
 */
export function createWebLocks(manager: LockManager): UploadLocks {
  return {
    withLock: async (name, signal, work) => manager.request(name, { signal }, work),
    withFreeLock: async (name, work) =>
      manager.request(name, { ifAvailable: true }, async (lock) => (lock === null ? null : work())),
    isHeld: async (name) => ((await manager.query()).held ?? []).some((lock) => lock.name === name),
    isAwaited: async (name) =>
      ((await manager.query()).pending ?? []).some((lock) => lock.name === name),
  }
}
