import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRun, wrongWith } from '#tests/faults/client-run.ts'
import { startFileRuns, type FileRuns } from '#tests/faults/file-runs.ts'
import { createRandom } from '#tests/faults/random.ts'
import { swapUrls } from '#tests/faults/swap-urls.ts'

let runs: FileRuns
beforeAll(async () => {
  runs = await startFileRuns()
})
afterAll(() => runs.dispose())

it('SAF-02 of a file that was changed in place between two visits only one version arrives', async () => {
  expect(await runs.change('changed in place')).toEqual([])
})

it('SAF-02 a file that was deleted between two visits is asked for, and goes on when it is back', async () => {
  expect(await runs.change('deleted')).toEqual([])
})

it('SAF-02 parts whose URLs were exchanged in one answer arrive in their places', async () => {
  const { world, device } = runs.place
  const options = { ...(await device('swap')), file: await runs.newFile('swap') }
  const swapped = swapUrls(world.proxy, 'swap', createRandom(1))
  const run = await startRun(options)
  expect(await wrongWith(options, await run.untilStill())).toEqual([])
  expect(swapped()).toBe(1)
  await run.dispose()
})
