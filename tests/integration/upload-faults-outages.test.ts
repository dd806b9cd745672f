import { afterAll, beforeAll, expect, it } from 'vitest'
import { GATEWAYS, PHASES, startOutageRuns, type OutageRuns } from '#tests/faults/outage-runs.ts'

let runs: OutageRuns
beforeAll(async () => {
  runs = await startOutageRuns()
})
afterAll(() => runs.dispose())

it('SAF-01 a gateway or captive portal before everything for a while ends no upload', async () => {
  const outages = GATEWAYS.map((gateway, at) => ({ ...gateway, phase: PHASES[at % 3] ?? 'before' }))
  expect(await runs.sitOut(outages)).toEqual({})
})

it('SAF-01 a disk that is full for a while stops uploads, and ends none', async () => {
  expect(await runs.sitOutFullDisk(['full-1'])).toEqual({})
})

it('SAF-01 SAF-02 bad days end with the whole file, whatever comes together', async () => {
  expect(await runs.haveBadDays([1, 2])).toEqual({})
})
