import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ConfinedRun, Tools } from '#server/media/confined.ts'
import { ToolFault, type ToolEnd } from '#server/media/process.ts'
import { keptRuns } from '#tests/setup/kept-runs.ts'

const TOOLS: Tools = {
  ffmpegPath: '/bin/ffmpeg',
  ffprobePath: '/bin/ffprobe',
  confinement: { kind: 'none', uid: null, nice: null },
  shared: [],
}
const DONE: ToolEnd = { kind: 'done', stderrTail: '' }

/** A folder with a file outside of it that is read, as a run has them. */
async function place(
  input: string,
): Promise<{ run: ConfinedRun; printed: string[]; made: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-runs-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  const cwd = await mkdtemp(join(folder, 'own-'))
  const path = join(folder, 'input')
  await writeFile(path, input)
  const printed: string[] = []
  const run: ConfinedRun = {
    tool: 'ffmpeg',
    args: (seen) => ['-i', seen(path), join(cwd, 'made')],
    limits: { maxFileBytes: 1000, cpuSeconds: 5 },
    cwd,
    signal: new AbortController().signal,
    timeoutMs: 1000,
    onOutput: (text) => printed.push(text),
  }
  return { run, printed, made: join(cwd, 'made') }
}

/** A tool that prints and writes something else each time that it really runs. */
function tool(end: ToolEnd = DONE) {
  let runs = 0
  return vi.fn(async ({ cwd, onOutput }: ConfinedRun) => {
    runs += 1
    onOutput(`run ${runs}`)
    await writeFile(join(cwd, 'made'), `made by run ${runs}`)
    return end
  })
}

it('gives what an equal run printed and wrote, in another folder too', async () => {
  const here = tool()
  const [one, two] = [await place('a clip'), await place('a clip')]
  expect(await keptRuns(TOOLS, one.run, here)).toEqual(DONE)
  expect(await keptRuns(TOOLS, two.run, here)).toEqual(DONE)
  expect(here).toHaveBeenCalledOnce()
  expect(two.printed).toEqual(['run 1'])
  expect(await readFile(two.made, 'utf8')).toBe('made by run 1')
})

it('gives it to the other jobs of a run of all tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-tool-runs-'))
  vi.stubEnv('ONECUT_TOOL_RUNS', folder)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })
  const here = tool()
  for (const job of [1, 2]) {
    vi.resetModules()
    const { keptRuns } = await import('#tests/setup/kept-runs.ts')
    const { run, made } = await place('a clip')
    expect([job, await keptRuns(TOOLS, run, here)]).toEqual([job, DONE])
    expect(await readFile(made, 'utf8')).toBe('made by run 1')
  }
  expect(here).toHaveBeenCalledOnce()
})

it('runs again for other bytes, other words, other limits, another program, and another file in its folder', async () => {
  const here = tool()
  const begun = async (change: (run: ConfinedRun) => ConfinedRun, tools = TOOLS, bytes = 'b') =>
    await keptRuns(tools, change((await place(bytes)).run), here)
  await begun((run) => run)
  await begun((run) => run, TOOLS, 'other')
  await begun((run) => ({ ...run, args: (seen) => [...run.args(seen), '-y'] }))
  await begun((run) => ({ ...run, limits: { ...run.limits, cpuSeconds: 6 } }))
  await begun((run) => ({ ...run, input: 'a secret' }))
  await begun((run) => run, { ...TOOLS, ffmpegPath: '/other/ffmpeg' })
  const beside = await place('b')
  await writeFile(join(beside.run.cwd, 'list'), 'file made')
  await keptRuns(TOOLS, beside.run, here)
  expect(here).toHaveBeenCalledTimes(7)
})

it.each<[string, ToolEnd]>([
  ['out of time', { kind: 'timeout', limit: 'work', stderrTail: '' }],
  [
    'ended by the machine',
    { kind: 'failed', exitCode: null, fault: new ToolFault('killed', ''), stderrTail: '' },
  ],
])('runs again what was %s', async (why, end) => {
  const here = tool(end)
  for (let time = 0; time < 2; time += 1) await keptRuns(TOOLS, (await place(why)).run, here)
  expect(here).toHaveBeenCalledTimes(2)
})
