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

it('escapes a path in a filter graph once as an option and once for the graph', () => {
  const printed = (path: string): string =>
    printArgs(
      {
        inputs: [],
        args: [{ kind: 'filter', parts: ['drawtext=fontfile=', { kind: 'scratch', name: 'x' }] }],
      },
      () => path,
    ).join(' ')
  expect(printed('/w/a b.ttf')).toBe('drawtext=fontfile=/w/a b.ttf')
  expect(printed("C:\\it's")).toBe(String.raw`drawtext=fontfile=C\\:\\\\it\\\'s`)
  expect(printed('a,b;c[d]')).toBe(String.raw`drawtext=fontfile=a\,b\;c\[d\]`)
})
