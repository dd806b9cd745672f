import { STATUS_CODES } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eachOnOne } from '#tests/faults/status-cases.ts'
import { startStatusRuns, type StatusRuns } from '#tests/faults/status-runs.ts'

/** Those that have a meaning; the soak tries all from 400 to 511, on every call, in a row too. */
const NAMED = Object.keys(STATUS_CODES)
  .map(Number)
  .filter((status) => status >= 400)

let runs: StatusRuns
beforeAll(async () => {
  runs = await startStatusRuns()
})
afterAll(() => runs.dispose())

it('SAF-01 statuses of a gateway end no upload: each that has a name on one call', async () => {
  const cases = eachOnOne(NAMED, ['json', 'html', 'empty'], 1)
  expect(await runs.withoutAPerson(cases)).toEqual({})
})

it('SAF-01 after statuses of the server itself an upload goes on, if need be when a person says so', async () => {
  expect(await runs.withAPerson(eachOnOne(NAMED, ['coded'], 1))).toEqual({})
})
