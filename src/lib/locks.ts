/**
 * Exclusive work across tabs and workers of this origin, by name. The browser frees the
 * lock of a holder that dies.
 */
export interface Locks {
  /**
   * Runs `work` under the lock if the lock is free, and returns whether it ran.
   */
  ifFree(name: string, work: () => Promise<void>): Promise<boolean>
}

/** Over Web Locks, where the context has them. */
export function createLocks(manager: LockManager): Locks {
  return {
    ifFree: (name, work) =>
      manager.request(name, { ifAvailable: true }, async (lock) => {
        if (lock === null) return false
        await work()
        return true
      }),
  }
}
