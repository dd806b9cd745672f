/**
 * Exclusive work across tabs and workers of this origin, by name. A holder that dies lets go by
 * itself.
 */
export interface Locks {
  /**
   * Runs `work` while holding the lock if nobody holds it; otherwise does nothing. Says whether it
   * ran.
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
