import { expect, it, vi } from 'vitest'
import { watchSignIn } from '#src/local/session/watch-sign-in.ts'

function createWatch(isVisible: boolean) {
  const refresh = vi.fn()
  const running = new Set<() => void>()
  const start = (run: () => void) => {
    running.add(run)
    return () => void running.delete(run)
  }
  const focus = new Set<() => void>()
  const stop = watchSignIn({
    session: { refresh },
    isVisible: () => isVisible,
    every: (_delayMs, run) => start(run),
    onFocus: (listener) => {
      focus.add(listener)
      return () => void focus.delete(listener)
    },
  })
  return { refresh, stop, running, focus }
}

it('a page that waits for a sign-in reads the cookie again and again while it is seen', () => {
  const { refresh, running } = createWatch(true)
  for (const run of running) run()
  for (const run of running) run()
  expect(refresh).toHaveBeenCalledTimes(2)
})

it('a hidden page does not poll, and looks at once when it gets the focus', () => {
  const { refresh, running, focus } = createWatch(false)
  for (const run of running) run()
  expect(refresh).not.toHaveBeenCalled()
  for (const listener of focus) listener()
  expect(refresh).toHaveBeenCalledOnce()
})

it('nothing is left running after the end', () => {
  const { stop, running, focus } = createWatch(true)
  stop()
  expect([running.size, focus.size]).toEqual([0, 0])
})
