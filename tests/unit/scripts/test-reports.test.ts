import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPlaywright, readVitest } from '#scripts/test-reports.ts'

let folder: string
beforeAll(async () => { folder = await mkdtemp(join(tmpdir(), 'onecut-reports-')) })
afterAll(() => rm(folder, { recursive: true, force: true }))

it('counts what both runners report, and nothing where a runner wrote no report', async () => {
  const file = join(folder, 'report.json')
  await writeFile(file, JSON.stringify({ numTotalTests: 12, numPassedTests: 9, numFailedTests: 2, numPendingTests: 1 }))
  expect(await readVitest(file)).toEqual({ passed: 9, failed: 2 })
  await writeFile(file, JSON.stringify({ stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 3 } }))
  expect(await readPlaywright(file)).toEqual({ passed: 7, failed: 1 })
  expect(await readPlaywright(join(folder, 'none.json'))).toEqual({ passed: 0, failed: 0 })
})
