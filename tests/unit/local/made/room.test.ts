import { expect, it } from 'vitest'
import { missingBytes, mostBytes } from '#src/local/made/room.ts'
import { probe } from '#tests/fixtures/probes.ts'

const MIB = 1024 * 1024
const of = (slug: string, payload?: unknown) =>
  mostBytes({ slug, payload, source: probe({ width: 1920, height: 1080 }), moments: [] })

it('an edit takes at most what its passages do at the highest rate of the server', () => {
  expect(of('teaser-15s') / MIB).toBeGreaterThan(20)
  expect(of('teaser-15s') / MIB).toBeLessThan(30)
  expect(of('still-pack') / MIB).toBeGreaterThan(10)
})

it('200 MiB stay free for everything else', () => {
  expect(missingBytes(10, { quota: 200 * MIB + 10, usage: 0 })).toBe(0)
  expect(missingBytes(10, { quota: 200 * MIB + 10, usage: 5 })).toBe(5)
  expect(missingBytes(10, {})).toBe(0)
})
