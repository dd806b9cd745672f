import { describe, expect, it } from 'vitest'
import type { Figure } from '#tests/bench/edits/figure.ts'
import { summaryOf, verdictsOf } from '#tests/bench/edits/verdict.ts'

const figure = (edit: string, value: number, bound?: Figure['bound']): Figure => ({
  edit,
  of: 'length',
  value,
  unit: 's',
  ...(bound === undefined ? {} : { bound }),
})

describe('the verdict of the bench of edits', () => {
  it('says of each edit whether all of its bounds are kept, and names what is not', () => {
    const figures = [
      figure('teaser', 15, { atMost: 16 }),
      figure('teaser', 14, { atLeast: 15 }),
      figure('stills', 12, { atLeast: 12 }),
      figure('stills', 7),
      figure('all', 1, { atMost: 2 }),
    ]
    expect(summaryOf(verdictsOf(['stills', 'teaser'], figures))).toBe(
      [
        '| edit | bounds kept | verdict |',
        '|---|---|---|',
        '| stills | 1 of 1 | met |',
        '| teaser | 1 of 2 | **missed** |',
        '| all | 1 of 1 | met |',
        '',
        'Missed:',
        '',
        '| teaser | length | 14 s | >= 15 | 0.933 | **missed** |',
        '',
      ].join('\n'),
    )
  })

  it('takes no edit for met of which nothing with a bound was measured, or nothing could be', () => {
    const figures = [figure('stills', 12), figure('teaser', Number.NaN, { atMost: 16 })]
    const words = summaryOf(verdictsOf(['stills', 'gifs', 'teaser'], figures))
    expect(words).toContain('| stills | 0 of 0 | not measured |')
    expect(words).toContain('| gifs | 0 of 0 | not measured |')
    expect(words).toContain('| teaser | 0 of 1 | **missed** |')
  })
})
