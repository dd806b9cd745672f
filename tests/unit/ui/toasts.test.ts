import { createStore } from 'jotai'
import { expect, it } from 'vitest'
import { toastsAtom } from '#src/ui/toast-atoms.ts'
import { createToasts } from '#src/ui/toasts.ts'

/** Messages over a clock, and what the screen shows of them. */
function setUp(clock: ReturnType<typeof fakeClock>) {
  const store = createStore()
  return { ...createToasts(store, 5000, clock), current: () => store.get(toastsAtom) }
}

/** A clock that only the test moves. */
function fakeClock() {
  let nowMs = 0
  let timers: { atMs: number; run: () => void }[] = []
  return {
    now: () => nowMs,
    after: (delayMs: number, run: () => void) => {
      const timer = { atMs: nowMs + delayMs, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    pass: (ms: number) => {
      nowMs += ms
      const due = timers.filter((timer) => timer.atMs <= nowMs)
      timers = timers.filter((timer) => timer.atMs > nowMs)
      for (const timer of due) timer.run()
    },
  }
}

it('APP-15 toasts of all kinds close after 5 seconds', () => {
  const clock = fakeClock()
  const toasts = setUp(clock)
  for (const kind of ['default', 'warning', 'error', 'success', 'info'] as const)
    toasts.show(kind, `A ${kind} message`)
  clock.pass(4999)
  expect(toasts.current()).toHaveLength(5)
  clock.pass(1)
  expect(toasts.current()).toEqual([])
})

it('APP-15 nothing closes while a person reads, and the rest of the time counts afterwards', () => {
  const clock = fakeClock()
  const toasts = setUp(clock)
  toasts.show('info', 'Hello')
  clock.pass(3000)
  toasts.hold()
  toasts.hold()
  clock.pass(60_000)
  toasts.release()
  clock.pass(60_000)
  expect(toasts.current()).toHaveLength(1)
  toasts.release()
  clock.pass(1999)
  expect(toasts.current()).toHaveLength(1)
  clock.pass(1)
  expect(toasts.current()).toHaveLength(0)
})

it('APP-15 one that arrives while a person reads waits with the others', () => {
  const clock = fakeClock()
  const toasts = setUp(clock)
  toasts.hold()
  toasts.show('info', 'Later')
  clock.pass(10_000)
  expect(toasts.current()).toHaveLength(1)
  toasts.release()
  clock.pass(5000)
  expect(toasts.current()).toHaveLength(0)
})

it('APP-15 the same message is shown once, with its clock started again', () => {
  const clock = fakeClock()
  const toasts = setUp(clock)
  toasts.show('error', 'Request failed')
  clock.pass(4000)
  toasts.show('error', 'Request failed')
  expect(toasts.current()).toHaveLength(1)
  clock.pass(4000)
  expect(toasts.current()).toHaveLength(1)
})
