import fc from 'fast-check'
import { expect, it } from 'vitest'
import { outputFileName, seconds } from '#recipes/naming.ts'

it('makes a safe download name from any source name', () => {
  expect(outputFileName('My Scène #1.MP4', 'teaser-15s', 'mp4')).toBe('My-Scene-1-teaser-15s.mp4')
  expect(outputFileName('漢字.mkv', 'loop', 'mp4')).toBe('video-loop.mp4')
  expect(outputFileName('../../etc/passwd', 'loop', 'mp4')).toBe('passwd-loop.mp4')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(outputFileName(name, 'loop', 'mp4')).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]*-loop\.mp4$/)
    }),
  )
})

it('writes seconds without an exponent', () => {
  expect([0.0001, 1234.5, -3].map(seconds)).toEqual(['0.000', '1.234', '0.000'])
})
