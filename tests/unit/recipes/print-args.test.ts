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

it('SRC-01 maps the tracks that an input says, and leaves other inputs and outputs alone', () => {
  const tracks = { picture: 1, sound: 2 }
  const printed = printArgs(
    {
      inputs: [{ from: { kind: 'source' }, tracks }, { from: { kind: 'scratch', name: 'x' } }],
      args: [
        '-map',
        '0:V:0?',
        '-map',
        '0:a:0',
        '-map',
        '1:a:0',
        '-metadata:s:v:0',
        'a=0:a:0',
        { kind: 'filter', parts: ['[0:V:0]null[v];[1:V:0]null[w];[0:a:0]anull[a]'] },
      ],
    },
    () => 'f',
  ).join(' ')
  expect(printed).toBe(
    '-i f -i f -map 0:V:1? -map 0:a:2 -map 1:a:0 -metadata:s:v:0 a=0:a:0 ' +
      '[0:V:1]null[v];[1:V:0]null[w];[0:a:2]anull[a]',
  )
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
