import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFileRuns, type FileRuns } from '#tests/faults/file-runs.ts'

let runs: FileRuns
beforeAll(async () => {
  runs = await startFileRuns()
})
afterAll(() => runs.dispose())

it.each(['touched', 'changed in place', 'replaced', 'truncated', 'deleted'] as const)(
  'SAF-02 of a file that was %s between two visits exactly one version arrives',
  async (how) => {
    expect(await runs.change(how)).toEqual([])
  },
)
