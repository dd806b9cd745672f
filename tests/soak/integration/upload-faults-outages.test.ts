import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GATEWAYS, PHASES, startOutageRuns, type OutageRuns } from '#tests/faults/outage-runs.ts'

/** Others repeat a run: `ONECUT_FAULT_SEEDS=7,8`. */
const SEEDS =
  process.env['ONECUT_FAULT_SEEDS']?.split(',').map(Number) ??
  Array.from({ length: 16 }, () => randomInt(2 ** 31))

let runs: OutageRuns
beforeAll(async () => {
  runs = await startOutageRuns()
})
afterAll(() => runs.dispose())

it('SAF-01 a gateway or captive portal before everything for a while ends no upload, whenever it comes', async () => {
  const outages = GATEWAYS.flatMap((gateway) => PHASES.map((phase) => ({ ...gateway, phase })))
  expect(await runs.sitOut(outages)).toEqual({})
})

it('SAF-01 a disk that is full for a while stops many uploads, and ends none', async () => {
  const devices = Array.from({ length: 4 }, (_, at) => `full-${at}`)
  expect(await runs.sitOutFullDisk(devices)).toEqual({})
})

it('SAF-01 SAF-02 many bad days end with the whole file, whatever comes together', async () => {
  expect(await runs.haveBadDays(SEEDS)).toEqual({})
})
