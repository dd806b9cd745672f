import { Dexie } from 'dexie'
import { expect, it } from 'vitest'
import { isNoRoom, mayBeNoRoom } from '#src/local/db/no-room.ts'

it('PHO-04: a full device is known by what its file system and its databases say', () => {
  const full = new DOMException('full', 'QuotaExceededError')
  expect(isNoRoom(full)).toBe(true)
  // Dexie has errors of its own, and the reason of a transaction within.
  expect(isNoRoom(new Dexie.QuotaExceededError('full'))).toBe(true)
  expect(isNoRoom(new Dexie.AbortError('aborted', full))).toBe(true)

  const unread = new DOMException('not readable', 'NotReadableError')
  const aborted = new DOMException('aborted', 'AbortError')
  expect([unread, aborted, new Dexie.AbortError('aborted')].filter(isNoRoom)).toEqual([])
  expect([full, unread, aborted].every(mayBeNoRoom)).toBe(true)
  for (const other of [new DOMException('', 'NotFoundError'), new Error('full'), 'full', null])
    expect([isNoRoom(other), mayBeNoRoom(other)]).toEqual([false, false])
})
