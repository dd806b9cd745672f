import { expect, it } from 'vitest'
import { createSettable } from '#src/lib/subscribable.ts'

it('notifies listeners after a change and only then', () => {
  const settable = createSettable(1)
  const seen: number[] = []
  const stop = settable.subscribe(() => seen.push(settable.current()))
  settable.become(1)
  settable.become(2)
  expect(seen).toEqual([2])
  stop()
  settable.become(3)
  expect(seen).toEqual([2])
  expect(settable.current()).toBe(3)
})

it('lets a listener end its own subscription while it is called', () => {
  const settable = createSettable('a')
  const seen: string[] = []
  const stop = settable.subscribe(() => {
    stop()
    seen.push(`first ${settable.current()}`)
  })
  settable.subscribe(() => seen.push(`second ${settable.current()}`))
  settable.become('b')
  settable.become('c')
  expect(seen).toEqual(['first b', 'second b', 'second c'])
})

it('keeps the value but notifies no one after it is closed', () => {
  const settable = createSettable(0)
  let calls = 0
  settable.subscribe(() => (calls += 1))
  settable.close()
  settable.become(1)
  expect([settable.current(), calls]).toEqual([1, 0])
})
