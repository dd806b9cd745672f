import { expect, it } from 'vitest'
import { createSource } from '#src/lib/subscribable.ts'

it('notifies listeners after a change and only then', () => {
  const source = createSource(1)
  const seen: number[] = []
  const stop = source.subscribe(() => seen.push(source.current()))
  source.become(1)
  source.become(2)
  expect(seen).toEqual([2])
  stop()
  source.become(3)
  expect(seen).toEqual([2])
  expect(source.current()).toBe(3)
})

it('lets a listener end its own subscription while it is called', () => {
  const source = createSource('a')
  const seen: string[] = []
  const stop = source.subscribe(() => {
    stop()
    seen.push(`first ${source.current()}`)
  })
  source.subscribe(() => seen.push(`second ${source.current()}`))
  source.become('b')
  source.become('c')
  expect(seen).toEqual(['first b', 'second b', 'second c'])
})

it('keeps the value but notifies no one after it is closed', () => {
  const source = createSource(0)
  let calls = 0
  source.subscribe(() => (calls += 1))
  source.close()
  source.become(1)
  expect([source.current(), calls]).toEqual([1, 0])
})
