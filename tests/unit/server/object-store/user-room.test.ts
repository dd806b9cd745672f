import { expect, it } from 'vitest'
import { createUserRoom } from '#server/object-store/user-room.ts'

const isBusy = expect.objectContaining({ code: 'parts/busy' })

it('SAF-08 one user cannot take the room of all, and gets it back', () => {
  const room = createUserRoom()
  const taken = Array.from({ length: 32 }, () => room.enter('one'))
  expect(() => room.enter('one')).toThrow(isBusy)
  using _other = room.enter('another')
  taken[0]?.[Symbol.dispose]()
  using _again = room.enter('one')
  expect(() => room.enter('one')).toThrow(isBusy)
})

it('SAF-08 users who hold all places together give way to others, with their oldest parts, down to equal shares', () => {
  const room = createUserRoom()
  const held = ['a', 'b', 'c', 'd'].flatMap((userId) =>
    Array.from({ length: 32 }, () => room.enter(userId)),
  )
  const came = Array.from({ length: 25 }, () => room.enter('creator'))
  expect(() => room.enter('creator')).toThrow(isBusy)
  const lost = held.flatMap(({ signal }, index) => (signal.aborted ? [index] : []))
  expect(lost).toEqual(
    [0, 32, 64, 96]
      .flatMap((first) => [0, 1, 2, 3, 4, 5].map((n) => first + n))
      .concat(6)
      .toSorted((a, b) => a - b),
  )
  expect(held[0]?.signal.reason).toEqual(isBusy)
  expect(came.every(({ signal }) => !signal.aborted)).toBe(true)
  // What has lost its place frees none when it ends.
  held[0]?.[Symbol.dispose]()
  expect(() => room.enter('creator')).toThrow(isBusy)
  held[1]?.[Symbol.dispose]()
  held[40]?.[Symbol.dispose]()
  expect(room.enter('creator').signal.aborted).toBe(false)
})
