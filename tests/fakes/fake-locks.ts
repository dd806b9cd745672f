import type { Locks } from '#src/lib/locks.ts'

/** Locks of one origin in memory. A new instance stands for "every holder died". */
export function createFakeLocks(): Locks {
  const held = new Set<string>()
  return {
    ifFree: async (name, work) => {
      if (held.has(name)) return false
      held.add(name)
      try {
        await work()
        return true
      } finally {
        held.delete(name)
      }
    },
  }
}
