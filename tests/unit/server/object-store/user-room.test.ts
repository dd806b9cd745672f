import { expect, it } from 'vitest'
import { createUserRoom } from '#server/object-store/user-room.ts'

it('SAF-08 one user cannot take the room of all, and gets it back', () => {
  const room = createUserRoom()
  const taken = Array.from({ length: 32 }, () => room.enter('one'))
  expect(() => room.enter('one')).toThrow(expect.objectContaining({ code: 'parts/busy' }))
  using _other = room.enter('another')
  taken[0]?.[Symbol.dispose]()
  using _again = room.enter('one')
  expect(() => room.enter('one')).toThrow(expect.objectContaining({ code: 'parts/busy' }))
})
