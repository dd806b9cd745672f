import { expect, it } from 'vitest'
import { baseName } from '#server/operations/uploads/file-name.ts'

it.each([
  ['C:\\films\\Пляж.mp4', 'Пляж.mp4'],
  ['Scène\u0000.mp4'.normalize('NFD'), 'Scène.mp4'],
  ['a\ud83d.mp4', 'a\ufffd.mp4'],
  [`${'海'.repeat(300)}.mp4`, `${'海'.repeat(251)}.mp4`],
  [`${'x'.repeat(250)}👍🏽👍🏽.mp4`, `${'x'.repeat(250)}.mp4`],
  ['.hidden', '.hidden'],
  [' / ', 'video'],
])('SRC-08 %j is kept as %j', (given, kept) => {
  expect(baseName(given)).toBe(kept)
})
