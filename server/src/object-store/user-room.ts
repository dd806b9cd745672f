import { busy } from './part-turns.ts'

/**
 * Room for the parts of each user, so that neither one of them nor a few together keep the others
 * out of a process.
 *
 * [Note: fair parts] When all places are taken, a user with fewer parts under way takes the place
 * of the user with most, who loses the part that has been under way for longest: a sender who
 * holds places on purpose has the oldest parts. What has arrived of that part stays held, so that
 * an honest sender goes on from there.
 */
export interface UserRoom {
  /**
   * Takes a place for one part until it is disposed of; throws `parts/busy` when there is none.
   */
  enter(userId: string): Place
}

/** `signal` aborts, as `parts/busy`, when another user needs the place. */
interface Place extends Disposable {
  readonly signal: AbortSignal
}

/** Parts under way: 25 creators with their five slots. No disk is faster with more of them. */
const MAX_PARTS = 128
/** A quarter of what a process takes: the app on three devices, twice that while pages reload. */
const MAX_PARTS_OF_USER = 32

export function createUserRoom(): UserRoom {
  /** The places of each user, the oldest first. */
  const taken = new Map<string, Set<AbortController>>()

  const leave = (userId: string, place: AbortController): void => {
    const places = taken.get(userId)
    places?.delete(place)
    if (places?.size === 0) taken.delete(userId)
  }
  /** Frees a place for a user who has `own` of them, or refuses. */
  const makeRoom = (own: number): void => {
    const [most] = [...taken].toSorted(([, a], [, b]) => b.size - a.size)
    const [oldest] = most?.[1] ?? []
    if (most === undefined || oldest === undefined || most[1].size <= own + 1) throw busy()
    leave(most[0], oldest)
    oldest.abort(busy())
  }
  return {
    enter(userId) {
      const own = taken.get(userId)?.size ?? 0
      if (own >= MAX_PARTS_OF_USER) throw busy()
      const all = [...taken.values()].reduce((sum, { size }) => sum + size, 0)
      if (all >= MAX_PARTS) makeRoom(own)
      const place = new AbortController()
      taken.set(userId, (taken.get(userId) ?? new Set()).add(place))
      return { signal: place.signal, [Symbol.dispose]: () => leave(userId, place) }
    },
  }
}
