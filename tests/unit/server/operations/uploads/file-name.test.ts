import { expect, it } from 'vitest'
import { baseName } from '#server/operations/media/uploads/file-name.ts'

it.each([
  ['C:\\films\\Пляж.mp4', 'Пляж.mp4'],
  ['Scène\u0000.mp4'.normalize('NFD'), 'Scène.mp4'],
  ['a\ud83d.mp4', 'a\ufffd.mp4'],
  [`${'海'.repeat(300)}.mp4`, `${'海'.repeat(251)}.mp4`],
  [`${'x'.repeat(250)}👍🏽👍🏽.mp4`, `${'x'.repeat(250)}.mp4`],
  ['.hidden', '.hidden'],
  // Shown as `trailer-exe.mp4`, and written the other way round.
  ['trailer-\u202e4pm.exe', 'trailer-4pm.exe'],
  ['\u2066\u200eשלום\u2069\u061c.mp4', 'שלום.mp4'],
  // Joiners make one emoji of several, and words of Persian.
  ['👩‍🎤 می‌خواهم.mp4', '👩‍🎤 می‌خواهم.mp4'],
  [' / ', 'video'],
])('SRC-08 %j is kept as %j', (given, kept) => {
  expect(baseName(given)).toBe(kept)
})
