import { expect, it } from 'vitest'
import { testsTouchedBy } from '#scripts/pool/touched.ts'

const TESTS = [
  'tests/unit/lib/lib.test.ts',
  'tests/integration/orders/orders.test.ts',
  'tests/integration/orders/redo.test.ts',
  'tests/integration/payments/tick.test.ts',
  'tests/screens/edits.test.tsx',
]
const COSTS = new Map([
  ['tests/integration/orders/orders.test.ts', { cpuS: 12, wallS: 12 }],
  ['tests/integration/orders/redo.test.ts', { cpuS: 5, wallS: 5 }],
  ['tests/screens/edits.test.tsx', { cpuS: 10, wallS: 10 }],
])

it('a changed operation is checked by the integration tests of its noun, the cheapest first', () => {
  expect(
    testsTouchedBy(['server/src/operations/commerce/orders/pay.ts'], TESTS, COSTS, 100),
  ).toEqual({
    chosen: ['tests/integration/orders/redo.test.ts', 'tests/integration/orders/orders.test.ts'],
    left: [],
  })
})

it('what does not fit is left, and said', () => {
  expect(testsTouchedBy(['server/src/operations/commerce/orders/pay.ts'], TESTS, COSTS, 6)).toEqual(
    {
      chosen: ['tests/integration/orders/redo.test.ts'],
      left: ['tests/integration/orders/orders.test.ts'],
    },
  )
})

it('a changed feature is checked by its screens, and a changed test by itself', () => {
  expect(testsTouchedBy(['src/features/edits/EditCard.tsx'], TESTS, COSTS, 100).chosen).toEqual([
    'tests/screens/edits.test.tsx',
  ])
  expect(
    testsTouchedBy(['tests/integration/payments/tick.test.ts'], TESTS, COSTS, 0).chosen,
  ).toEqual(['tests/integration/payments/tick.test.ts'])
})

it('a changed call is checked by what is asked of every call', () => {
  const [contract, reports] = [
    'tests/contract/operations.test.ts',
    'tests/integration/reports/reports.test.ts',
  ]
  const tests = [...TESTS, contract, reports]
  for (const file of ['openapi/openapi.yaml', 'tests/contract/cases/wallets.ts'])
    expect(testsTouchedBy([file], tests, COSTS, 100).chosen).toEqual([contract, reports])
})

it('a document touches no test', () => {
  expect(testsTouchedBy(['docs/money.md'], TESTS, COSTS, 100).chosen).toEqual([])
})
