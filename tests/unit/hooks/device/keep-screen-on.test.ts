import { expect, test } from 'vitest'
import { keepScreenOn } from '#src/hooks/device/keep-screen-on.ts'

/** A system that gives locks, or refuses them, when the test says so. */
function fakeScreen() {
  let isVisible = true
  let listener: (() => void) | null = null
  const asked: PromiseWithResolvers<{ released: boolean; release: () => Promise<void> }>[] = []
  const locks: { released: boolean; release: () => Promise<void> }[] = []
  const settle = async (): Promise<void> => {
    for (let step = 0; step < 5; step += 1) await Promise.resolve()
  }
  return {
    ports: {
      request: () => {
        const request = Promise.withResolvers<(typeof locks)[number]>()
        asked.push(request)
        return request.promise
      },
      isVisible: () => isVisible,
      onVisibility: (called: () => void) => {
        listener = called
        return () => {
          listener = null
        }
      },
    },
    asked,
    isFollowed: () => listener !== null,
    heldCount: () => locks.filter(({ released }) => !released).length,
    settle,
    give: async () => {
      await settle()
      const lock = {
        released: false,
        release: () => {
          lock.released = true
          return Promise.resolve()
        },
      }
      locks.push(lock)
      asked.at(-1)?.resolve(lock)
      await settle()
    },
    refuse: async () => {
      await settle()
      asked.at(-1)?.reject(new DOMException('refused', 'NotAllowedError'))
      await settle()
    },
    show: (isShown: boolean) => {
      isVisible = isShown
      // As systems do: a hidden page holds no lock.
      if (!isShown) for (const lock of locks) lock.released = true
      listener?.()
    },
  }
}

test('PHO-01 the screen is held while wanted, and let go at the end', async () => {
  const screen = fakeScreen()
  const stop = keepScreenOn(screen.ports)
  await screen.give()
  expect(screen.heldCount()).toBe(1)
  stop()
  await screen.settle()
  expect(screen.heldCount()).toBe(0)
  expect(screen.isFollowed()).toBe(false)
})

test('PHO-01 it is asked for again when the page is shown, and never while it is hidden', async () => {
  const screen = fakeScreen()
  keepScreenOn(screen.ports)
  await screen.give()
  screen.show(false)
  expect(screen.asked).toHaveLength(1)
  screen.show(true)
  await screen.give()
  expect(screen.asked).toHaveLength(2)
  expect(screen.heldCount()).toBe(1)
  screen.show(true)
  expect(screen.asked, 'one is held').toHaveLength(2)
})

test('PHO-01 a refusal is no error, and the next look at the page asks again', async () => {
  const screen = fakeScreen()
  keepScreenOn(screen.ports)
  await screen.refuse()
  screen.show(true)
  await screen.give()
  expect(screen.heldCount()).toBe(1)
})

test('PHO-01 a page that was hidden and shown while the system was asked asks again', async () => {
  const screen = fakeScreen()
  keepScreenOn(screen.ports)
  screen.show(false)
  screen.show(true)
  await screen.refuse()
  expect(screen.asked).toHaveLength(2)
  await screen.give()
  expect(screen.heldCount()).toBe(1)
})

test('PHO-01 a lock that comes after the end is given back', async () => {
  const screen = fakeScreen()
  const stop = keepScreenOn(screen.ports)
  stop()
  await screen.give()
  expect(screen.heldCount()).toBe(0)
})
