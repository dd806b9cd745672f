import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readCosts, readMeasured, writeCosts } from '#scripts/pool/costs.ts'
import { openMeter, readMeter } from '#scripts/pool/meter.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-costs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('costs are read as they were written, one line a file in the order of the paths', async () => {
  const file = join(folder, 'costs.json')
  await writeCosts(
    new Map([
      ['tests/unit/b.test.ts', { cpuS: 1.25, wallS: 2 }],
      ['tests/unit/a.test.ts', { cpuS: 0.1, wallS: 0.2 }],
    ]),
    file,
  )
  expect((await readFile(file, 'utf8')).split('\n')[1]).toBe(
    '  "tests/unit/a.test.ts": [0.1, 0.2],',
  )
  expect([...(await readCosts(file)).keys()]).toEqual([
    'tests/unit/a.test.ts',
    'tests/unit/b.test.ts',
  ])
})

it('what reporters wrote of one file is summed, and nothing was written where nothing ran', async () => {
  const file = join(folder, 'costs.jsonl')
  const line = JSON.stringify({ path: 'tests/e2e/a.spec.ts', cpuS: 2, wallS: 3 })
  await writeFile(file, `${line}\n${line}\n`)
  expect([...(await readMeasured(file))]).toEqual([['tests/e2e/a.spec.ts', { cpuS: 4, wallS: 6 }]])
  expect((await readMeasured(join(folder, 'none.jsonl'))).size).toBe(0)
})

it('a meter is read in both forms that Linux has', async () => {
  const file = join(folder, 'meter')
  await writeFile(file, '1500000000\n')
  expect(readMeter(file)).toBe(1.5)
  await writeFile(file, 'usage_usec 2500000\nuser_usec 1\nsystem_usec 1\n')
  expect(readMeter(file)).toBe(2.5)
})

it('a meter has a command for what it counts, and lets its group go', async () => {
  const meter = openMeter(`unit-${process.pid}`)
  // Null where the system keeps no groups for this user.
  if (meter !== null) expect(meter.wrap(['node', 'x']).slice(-2)).toEqual(['node', 'x'])
  expect((await meter?.close()) ?? 0).toBe(0)
})
