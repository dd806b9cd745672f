import { expect, it } from 'vitest'
import { anchorsOf, linksIn } from '#scripts/check-links.ts'

it('reads the links of a document relative to it, and leaves addresses out', () => {
  const text =
    '[a](types.ts) [b](../README.md#run-it) [c](#here) [d](https://example.org/x) ![e](pictures/e.webp)'
  expect(linksIn('recipes/README.md', text)).toEqual([
    { path: 'recipes/types.ts', anchor: null },
    { path: 'README.md', anchor: 'run-it' },
    { path: 'recipes/README.md', anchor: 'here' },
    { path: 'recipes/pictures/e.webp', anchor: null },
  ])
})

it('reads the tests that a document names from the root', () => {
  expect(linksIn('recipes/README.md', 'a test (`tests/unit/a.test.ts`), `src/app/x.ts`')).toEqual([
    { path: 'tests/unit/a.test.ts', anchor: null },
  ])
})

it('reads the documents that code names from the root', () => {
  const comment = '// See docs/product-decisions.md#part-urls.'
  expect(linksIn('src/a.ts', comment)).toEqual([
    { path: 'docs/product-decisions.md', anchor: 'part-urls' },
  ])
})

it('makes anchors of headings as GitHub does', () => {
  expect([...anchorsOf('# 4. One price rule\n\ntext\n\n### `a` table: why?')]).toEqual([
    '4-one-price-rule',
    'a-table-why',
  ])
})
