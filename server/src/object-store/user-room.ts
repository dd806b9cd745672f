import { busy } from './part-turns.ts'

/** Room for the parts of each user, so that one of them cannot take all of a process. */
export interface UserRoom {
  /** Takes room for one part until it is disposed of; throws `parts/busy` when there is none. */
  enter(userId: string): Disposable
}

/** A quarter of what a process takes: the app on three devices, twice that while pages reload. */
const MAX_PARTS_OF_USER = 32

export function createUserRoom(): UserRoom {
  const partsByUser = new Map<string, number>()
  return {
    enter(userId) {
      const parts = partsByUser.get(userId) ?? 0
      if (parts >= MAX_PARTS_OF_USER) throw busy()
      partsByUser.set(userId, parts + 1)
      return {
        [Symbol.dispose]() {
          const left = (partsByUser.get(userId) ?? 0) - 1
          if (left > 0) partsByUser.set(userId, left)
          else partsByUser.delete(userId)
        },
      }
    },
  }
}
