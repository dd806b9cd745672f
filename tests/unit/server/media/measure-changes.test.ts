import { expect, it } from 'vitest'
import { createSettingsReader } from '#server/media/measure-changes.ts'

const KEY = (crc: string, size = 34): string =>
  `0,          0,          0,     3600,     6072, b9a22642, S=2,        1, 72080df5, ${size}, ${crc}\n`
const OTHER = '0,       3600,       3600,     3600,     2013, 714a0c2a, S=1,        1, 72080df5\n'

const hasChanged = (...texts: readonly string[]): boolean => {
  const reader = createSettingsReader()
  for (const text of texts) reader.add(text)
  return reader.hasChanged()
}

it('REC-27 knows pictures that are stored in another way from those that are not', () => {
  expect(hasChanged('#format: frame checksums\n', KEY('4bfceaff'), OTHER, KEY('4bfceaff'))).toBe(
    false,
  )
  expect(hasChanged(KEY('4bfceaff'), OTHER, OTHER, KEY('43685fba'))).toBe(true)
  expect(hasChanged(KEY('4bfceaff'), OTHER, KEY('4bfceaff', 38))).toBe(true)
})

it('REC-27 reads lines that come in pieces', () => {
  const text = `${KEY('4bfceaff')}${OTHER}${KEY('43685fba')}`
  expect(hasChanged(...text)).toBe(true)
})

it('REC-27 knows it of MP4 and Matroska, where nothing else stands beside pictures', () => {
  const key = (crc: string): string =>
    `0,        294,        294,      512,     7566, 72eb2fda, S=1,       34, ${crc}\n`
  expect(hasChanged(key('4bfceaff'), key('4bfceaff'))).toBe(false)
  expect(hasChanged(key('4bfceaff'), key('14f2bd8f'))).toBe(true)
})
