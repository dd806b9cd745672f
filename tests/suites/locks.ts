import { beforeEach, describe, expect, it } from 'vitest'
import type { UploadLocks } from '#src/local/uploads/ports.ts'

/** Two contexts of one origin: what one holds, the other waits for. */
export interface LocksUnderTest {
  readonly locks: UploadLocks
  readonly otherContext: UploadLocks
}

/** Holds a lock until `release`; `granted` resolves once it has it. */
function hold(locks: UploadLocks, name: string) {
  const granted = Promise.withResolvers<void>()
  const over = Promise.withResolvers<string>()
  const ended = locks.withLock(name, new AbortController().signal, () => {
    granted.resolve()
    return over.promise
  })
  return { granted: granted.promise, ended, release: () => over.resolve('released') }
}

/** What every implementation of the engine's locks does. */
export function describeLocks(name: string, create: () => LocksUnderTest): void {
  describe(`locks: ${name}`, () => {
    const never = new AbortController().signal
    let locks: UploadLocks
    let otherContext: UploadLocks
    // Locks of an origin outlive a test that failed: each test has names of its own.
    let lockName: string
    let count = 0
    beforeEach(() => {
      ;({ locks, otherContext } = create())
      count += 1
      lockName = `${name} ${count}`
    })
    const isAwaited = () => expect.poll(() => locks.isAwaited(lockName), { interval: 1 })

    it('runs the work under the lock, resolves with its result, and frees the lock', async () => {
      const first = hold(locks, lockName)
      await first.granted
      expect(await otherContext.isHeld(lockName)).toBe(true)
      expect(await otherContext.isAwaited(lockName)).toBe(false)
      first.release()
      expect(await first.ended).toBe('released')
      expect(await otherContext.isHeld(lockName)).toBe(false)
    })

    it('frees the lock when the work fails, and rejects with its reason', async () => {
      const failed = locks.withLock(lockName, never, () => Promise.reject(new RangeError('a bug')))
      await expect(failed).rejects.toMatchObject({ name: 'RangeError' })
      expect(await locks.isHeld(lockName)).toBe(false)
    })

    it('grants a lock to one at a time, in the order of the requests', async () => {
      const order: number[] = []
      const first = hold(locks, lockName)
      await first.granted
      const others = [1, 2, 3].map((each) =>
        (each === 2 ? locks : otherContext).withLock(lockName, never, async () => {
          order.push(each)
        }),
      )
      await isAwaited().toBe(true)
      expect(order).toEqual([])
      first.release()
      await Promise.all(others)
      expect(order).toEqual([1, 2, 3])
    })

    it('of different names do not wait for each other', async () => {
      const first = hold(locks, lockName)
      await first.granted
      expect(await otherContext.withLock(`${lockName} b`, never, async () => 'at once')).toBe(
        'at once',
      )
      first.release()
      await first.ended
    })

    it('leaves the queue when aborted, with the reason, and the work never runs', async () => {
      const first = hold(locks, lockName)
      await first.granted
      const leaving = new AbortController()
      let hasRun = false
      const waiting = otherContext.withLock(lockName, leaving.signal, async () => {
        hasRun = true
      })
      await isAwaited().toBe(true)
      leaving.abort(new DOMException('enough', 'TimeoutError'))
      await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
      // Whether `isAwaited` forgets it at once is not asserted: browsers do (Web Locks, "signal to
      // abort the request"), Node 24 lists an aborted request until its turn comes.
      first.release()
      await first.ended
      expect(await locks.withLock(lockName, never, async () => 'free')).toBe('free')
      expect(hasRun).toBe(false)
    })

    it('rejects at once when aborted before, even for a free lock', async () => {
      let hasRun = false
      const aborted = locks.withLock(lockName, AbortSignal.abort(), async () => {
        hasRun = true
      })
      await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
      expect(hasRun).toBe(false)
    })

    it('keeps a granted lock when the signal aborts later', async () => {
      const later = new AbortController()
      const result = await locks.withLock(lockName, later.signal, async () => {
        later.abort()
        return await otherContext.isHeld(lockName)
      })
      expect(result).toBe(true)
    })

    describe('a lock that is taken only if free', () => {
      it('runs the work under it, and frees it, also when the work fails', async () => {
        expect(await locks.withFreeLock(lockName, () => otherContext.isHeld(lockName))).toBe(true)
        const failed = locks.withFreeLock(lockName, () => Promise.reject(new RangeError('a bug')))
        await expect(failed).rejects.toMatchObject({ name: 'RangeError' })
        expect(await locks.isHeld(lockName)).toBe(false)
      })

      it('is null without waiting while it is held, or others wait for it', async () => {
        const first = hold(locks, lockName)
        await first.granted
        const work = () => Promise.resolve('ran')
        expect(await otherContext.withFreeLock(lockName, work)).toBeNull()
        const second = hold(otherContext, lockName)
        await isAwaited().toBe(true)
        expect(await locks.withFreeLock(lockName, work)).toBeNull()
        first.release()
        await second.granted
        expect(await locks.withFreeLock(lockName, work)).toBeNull()
        second.release()
        await second.ended
        expect(await locks.withFreeLock(lockName, work)).toBe('ran')
      })
    })
  })
}
