import { expect, it } from 'vitest'
import { complaintsAbout } from '#scripts/check-prose.ts'

it('names the place of a banned word and what to write instead', () => {
  expect(complaintsAbout('src/a.ts', '// one\n// Asks whoever listens anew.')).toEqual([
    'src/a.ts:2: "whoever" is not used here: name the thing or the person.',
    'src/a.ts:2: "anew" is not used here: write "again".',
  ])
})

it('finds a word as a part of a name, and not inside another word', () => {
  expect(complaintsAbout('src/a.ts', 'const laneBook = createLanes()')).toHaveLength(1)
  expect(complaintsAbout('src/a.ts', '// as long as the plane shows')).toEqual([])
})

it('refuses references that lead out of the repository', () => {
  for (const reference of ['(4.36)', 'decision 4.3', '000 §7', '(OPT-05, 4.63)', '../shared/x.md'])
    expect(complaintsAbout('src/a.ts', `// See ${reference}.`)).toEqual([
      'src/a.ts:1: refers to a page that is not in the repository.',
    ])
  for (const text of ['4.8 s', 'RFC 5321 §4.5.3.1.3', 'ISO/IEC 14496-12 §4.2', 'ffmpeg 4.4'])
    expect(complaintsAbout('src/a.ts', `// ${text}`)).toEqual([])
})

it('refuses wide comments, except for the address in them', () => {
  expect(complaintsAbout('src/a.ts', `// ${'word '.repeat(20)}`)).toEqual([
    'src/a.ts:1: over 100 columns.',
  ])
  expect(complaintsAbout('src/a.ts', `// https://example.org/${'x'.repeat(100)}`)).toEqual([])
})
