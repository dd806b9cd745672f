import { expect, it } from 'vitest'
import { printArgs } from '#recipes/print-args.ts'

it('seeks to no beginning, where ffmpeg loses pictures of AVI files', () => {
  const wordsAt = (seekMs: number, leadMs = 0): string =>
    printArgs(
      { inputs: [{ from: { kind: 'source' }, seekMs, leadMs }], args: [] },
      () => '/w/file',
    ).join(' ')
  expect(wordsAt(0)).toBe('-i /w/file')
  expect(wordsAt(20)).toBe('-ss 0.020 -i /w/file')
  expect(wordsAt(3000, 3000)).toBe('-ss 0.000 -itsoffset -3.000 -i /w/file')
})
