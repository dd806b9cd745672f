import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { keepTarget, readTarget, safeTarget, takeTarget } from '#src/app/guards/target.ts'
import { runs } from '#tests/seeds.ts'

const ORIGIN = 'https://onecut.example'

it('APP-06 whatever is asked for, signing in leads to an own path only', () => {
  const nasty = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.webUrl().map((url) => url.replace(/^https?:/, '')),
    fc
      .tuple(
        fc.constantFrom('//', '/\\', '\\\\', '/\t/', '/%5c', 'javascript:', '/editors/', '/dev/'),
        fc.string(),
      )
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(nasty, (wish) => {
      const target = safeTarget(wish, ORIGIN)
      if (target === null) return
      const url = new URL(target, ORIGIN)
      expect(url.origin).toBe(ORIGIN)
      expect(target.startsWith('/')).toBe(true)
      expect(target.startsWith('//')).toBe(false)
      expect(/^\/(editors|dev|signup|login)(\/|$)/.test(url.pathname)).toBe(false)
    }),
    { numRuns: runs(2000) },
  )
})

it('APP-06 an own path is kept with its query and hash, and given out once', () => {
  const kept = new Map<string, string>()
  const storage: Storage = {
    length: 0,
    clear: () => kept.clear(),
    key: () => null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
  keepTarget(storage, '/edits?sort=name#one', ORIGIN)
  expect(readTarget(storage, ORIGIN)).toBe('/edits?sort=name#one')
  expect(takeTarget(storage, ORIGIN)).toBe('/edits?sort=name#one')
  expect(takeTarget(storage, ORIGIN)).toBeNull()
  keepTarget(storage, 'https://elsewhere.example/edits', ORIGIN)
  expect(readTarget(storage, ORIGIN)).toBeNull()
})
