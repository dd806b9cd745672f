import { Problem } from '#server/problems.ts'
import type { PartLock, PartLocks } from './part-locks.ts'

/**
 * Lets one attempt at a part work at a time, and only so many attempts at once.
 *
 * [Note: one writer a part] A new attempt at a part ends the running one if that still receives
 * (usually a dead connection whose client has already given up), waits until it has let go of the
 * file, and only then works. So the bytes of two attempts never mix, and the attempt that came last
 * counts. This holds among all processes that serve one store, by a lock of each part.
 */
export interface PartTurns {
  /**
   * Runs `work` as the only attempt at this part. Throws `parts/busy` before `work` begins when too
   * much is under way or the running attempt does not end, `system/unavailable` when the lock of
   * the part cannot be reached, and `parts/superseded` when a newer attempt came first.
   */
  take<T>(part: PartName, work: (turn: PartTurn) => Promise<T>): Promise<T>
}

interface PartName {
  readonly uploadId: string
  readonly partNumber: number
}

export interface PartTurn {
  /** Aborts when a newer attempt wants the part: stop receiving; what is whole may be finished. */
  readonly signal: AbortSignal
  /** Throws when another process may be working on this part. Ask before every write. */
  throwIfLost(): void
}

/**
 * Attempts in one process, each of which may take 1 MiB: those that have a place (user-room.ts),
 * and those of which it is just read whose they are.
 */
const MAX_PARTS_AT_ONCE = 192
/** Of one upload: the app sends five at once, twice that with a page that has just been left. */
const MAX_PARTS_OF_UPLOAD = 16
/** An attempt that ends has a batch to write, or a part to sync and record. */
const LONGEST_WAIT_MS = 10_000

interface Entry {
  readonly controller: AbortController
  readonly done: Promise<unknown>
}

export function createPartTurns(locks: PartLocks): PartTurns {
  const running = new Map<string, Map<number, Entry>>()

  return {
    async take({ uploadId, partNumber }, work) {
      const ofUpload = running.get(uploadId) ?? new Map<number, Entry>()
      const previous = ofUpload.get(partNumber)
      // An attempt that takes the place of another one needs no room of its own.
      if (previous === undefined) refuseTooMany(running, ofUpload)
      previous?.controller.abort(superseded())
      const controller = new AbortController()
      const turn = takeTurn(locks, `${uploadId}/${partNumber}`, controller, previous?.done, work)
      const entry = { controller, done: turn.released }
      ofUpload.set(partNumber, entry)
      running.set(uploadId, ofUpload)
      void entry.done.then(() => {
        if (ofUpload.get(partNumber) === entry) ofUpload.delete(partNumber)
        if (ofUpload.size === 0 && running.get(uploadId) === ofUpload) running.delete(uploadId)
      })
      return await turn.result
    },
  }
}

function refuseTooMany(
  running: ReadonlyMap<string, ReadonlyMap<number, Entry>>,
  ofUpload: ReadonlyMap<number, Entry>,
): void {
  let parts = 0
  for (const { size } of running.values()) parts += size
  if (ofUpload.size >= MAX_PARTS_OF_UPLOAD || parts >= MAX_PARTS_AT_ONCE) throw busy()
}

/** `released` never rejects. The result is there before the lock is given back. */
function takeTurn<T>(
  locks: PartLocks,
  name: string,
  controller: AbortController,
  previous: Promise<unknown> | undefined,
  work: (turn: PartTurn) => Promise<T>,
): { result: Promise<T>; released: Promise<unknown> } {
  const lost = new AbortController()
  const begin = async (): Promise<PartLock> => {
    if (previous !== undefined) await within(LONGEST_WAIT_MS, previous)
    controller.signal.throwIfAborted()
    const lock = await locks.take(name, {
      onWanted: () => controller.abort(superseded()),
      onLost: () => {
        lost.abort(busy())
        controller.abort(busy())
      },
    })
    if (lock === null) throw busy()
    return lock
  }
  const lock = begin()
  const result = lock.then(async () => {
    controller.signal.throwIfAborted()
    const throwIfLost = (): void => lost.signal.throwIfAborted()
    return await work({ signal: controller.signal, throwIfLost })
  })
  const released = Promise.allSettled([previous, result]).then(async () => {
    await (await lock).release()
  })
  return { result, released: released.catch(() => {}) }
}

async function within(limitMs: number, done: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(busy()), limitMs)
  try {
    await Promise.race([done, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Too many parts are under way, or a part is still held by an attempt that does not end. */
export function busy(): Problem {
  return new Problem('parts/busy', 'The server is busy. This part will be sent again.', {
    retryAfterS: 2,
  })
}

function superseded(): Problem {
  return new Problem('parts/superseded', 'A newer attempt at this part took over.', {
    retryAfterS: 1,
  })
}
