import { afterAll, beforeAll, expect, it } from 'vitest'
import { allOnAll } from '#tests/faults/status-cases.ts'
import { startStatusRuns, type StatusRuns } from '#tests/faults/status-runs.ts'
import type { AnswerLook } from '#tests/faults/faults.ts'

const STATUSES = Array.from({ length: 112 }, (_, at) => 400 + at)
const FOREIGN: readonly AnswerLook[] = ['json', 'html', 'empty']

let runs: StatusRuns
beforeAll(async () => {
  runs = await startStatusRuns()
})
afterAll(() => runs.dispose())

it.each(FOREIGN.flatMap((look) => [1, 3].map((times) => [look, times] as const)))(
  'SAF-01 statuses of a gateway end no upload: %s, %i in a row of each on each call',
  async (look, times) => {
    expect(await runs.withoutAPerson(allOnAll(STATUSES, [look], times))).toEqual({})
  },
)

it('SAF-01 after any status of the server itself on any call an upload goes on, if need be when a person says so', async () => {
  expect(await runs.withAPerson(allOnAll(STATUSES, ['coded'], 1))).toEqual({})
})
