import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutTo, outputFileName, plainFileName, seconds } from '#recipes/naming.ts'

const bytes = (name: string): number => Buffer.byteLength(name)
const characters = (text: string): string[] =>
  Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment)
/** What no name of an output may hold: of paths, headers, shells, and what turns names around. */
const FORBIDDEN =
  /[\p{Cc}\p{Cs}\p{Z}<>:"/\\|?*%'.~\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u3164]/u

it.each([
  ['My Scène #1.MP4', 'My-Scène-1'],
  ['Scène été.mp4'.normalize('NFD'), 'Scène-été'],
  ['Пляжный день.mp4', 'Пляжный-день'],
  ['海滩的一天.mkv', '海滩的一天'],
  ['渚の日（完全版）.mov', '渚の日-完全版'],
  ['한국어 영상.mp4'.normalize('NFD'), '한국어-영상'],
  ['हिन्दी फ़िल्म.mp4', 'हिन्दी-फ़िल्म'],
  ['صحنه\u200cی آخر.mp4', 'صحنهی-آخر'],
  ['👩\u200d👧 🇩🇪 👍🏽 🏖️.mp4', '👩👧-🇩🇪-👍🏽-🏖️'],
  ['a\u202egpj.exe\u200f.mp4', 'agpj-exe'],
  ['e\u200b\u0301.mp4', 'é'],
  ['\u0d4e/x-\u0301y.mp4', 'x-y'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\films\\Тест.avi', 'Тест'],
  ['--_x_--.mp4', '_x_'],
  ['\u3164\u200d.mp4', 'video'],
  ['?!.mp4', 'video'],
])('SRC-08 keeps the letters of %j in the names of its edits', (source, stem) => {
  expect(outputFileName(source, 'loop', 'mp4')).toBe(`${stem}-loop.mp4`)
})

/** Of all of Unicode, halves too, and often those that change what is beside them. */
const names = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
      fc.constantFrom(...'a-. /é\u0301\u0d4e\u200d\u200c\u202e\ufe0f👩🏽🚀🇩', '\ud83d', '\n'),
    ),
    { maxLength: 150 },
  )
  .map((parts) => parts.join(''))

it('SRC-08 any name makes one that every file system takes', () => {
  fc.assert(
    fc.property(names, (source) => {
      const name = outputFileName(source, 'loop', 'mp4')
      const stem = name.slice(0, -'-loop.mp4'.length)
      expect(name.endsWith('-loop.mp4')).toBe(true)
      expect(stem).toMatch(/^[\p{L}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{RI}_]/u)
      expect(stem).not.toMatch(FORBIDDEN)
      expect(stem).not.toMatch(/--|-$/)
      expect(name).toBe(name.normalize())
      expect(bytes(name)).toBeLessThanOrEqual(239)
    }),
  )
})

it('SRC-08 names that are too long are cut between characters', () => {
  const unit = 'e\u0323\u0301👍🏽海'.normalize()
  const long = outputFileName(`${unit.repeat(40)}.mp4`, 'watermarked', 'mp4')
  const stem = long.slice(0, -'-watermarked.mp4'.length)
  expect(bytes(long)).toBeLessThanOrEqual(239)
  expect(bytes(long)).toBeGreaterThan(239 - bytes('👍🏽'))
  expect(characters(unit.repeat(40)).slice(0, characters(stem).length).join('')).toBe(stem)
  expect(outputFileName(`e${'\u0301'.repeat(300)}.mp4`, 'loop', 'mp4')).toBe('video-loop.mp4')
  expect(cutTo('👍🏽👍🏽', 7, (text) => text.length)).toBe('👍🏽')
})

it.each([
  ['Scène: 1/2 «été» 海', 'Scène_ 1_2 «été» 海.zip'],
  ['CON', '_CON.zip'],
  ['lpt¹ .x', '_lpt¹ .x.zip'],
  ['Concert', 'Concert.zip'],
  ['..a. . ', 'a.zip'],
  ['a\u2028b\u202ec\n', 'a bc_.zip'],
  ['\ud83c', 'file.zip'],
  [`${'x'.repeat(234)}🏖️`, `${'x'.repeat(234)}.zip`],
  [`${'x'.repeat(233)}. y`, `${'x'.repeat(233)}.zip`],
])('SRC-08 the archive of %j has a name that Windows takes', (name, archive) => {
  expect(plainFileName(name, '.zip')).toBe(archive)
})

it('writes seconds without an exponent', () => {
  expect([0.0001, 1234.5, -3].map(seconds)).toEqual(['0.000', '1.234', '0.000'])
})
