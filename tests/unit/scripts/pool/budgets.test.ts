import { expect, it } from 'vitest'
import { judge, TIERS, type Tier } from '#scripts/pool/budgets.ts'

const NOTHING = Object.fromEntries(TIERS.map((tier) => [tier, 0])) as Record<Tier, number>
const files = (cpuS: number): Map<string, { cpuS: number; wallS: number }> =>
  new Map([['tests/integration/orders/redo.test.ts', { cpuS, wallS: 1 }]])

it('a file within its budget is not named', () => {
  expect(judge(files(19), NOTHING, new Map(), 1)).toEqual({ warnings: [], failures: [] })
})

it('a file over its budget is named, and over twice of it fails the run', () => {
  const words =
    'tests/integration/orders/redo.test.ts took 21.0 processor seconds; its budget is 20'
  expect(judge(files(21), NOTHING, new Map(), 1)).toEqual({ warnings: [words], failures: [] })
  expect(judge(files(41), NOTHING, new Map(), 1).failures).toHaveLength(1)
})

it('a part has a budget too', () => {
  expect(judge(new Map(), { ...NOTHING, unit: 10_000 }, new Map(), 1).failures).toEqual([
    expect.stringContaining('all unit took 10000.0 processor seconds'),
  ])
})

it('a machine that is slower for the same work has more of both', () => {
  expect(judge(files(41), NOTHING, new Map(), 3)).toEqual({ warnings: [], failures: [] })
})

it('a file that was dearer than its budget fails the run at twice of what it was', () => {
  expect(judge(files(90), NOTHING, files(50), 1)).toMatchObject({ failures: [] })
  expect(judge(files(101), NOTHING, files(50), 1).failures).toHaveLength(1)
})

it('a file that had a second try is named, and fails nothing', () => {
  const verdict = judge(files(41), NOTHING, new Map(), 1, (path) => path.endsWith('/redo.test.ts'))
  expect(verdict).toEqual({ warnings: [expect.stringContaining('redo.test.ts')], failures: [] })
})
